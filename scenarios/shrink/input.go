package shrink

import (
	"reflect"
	"slices"

	"simrun/scenarios"
	"simrun/scenarios/apps"
)

// lessSettings leaves out what makes a run special: failing channels and stores, a
// coordinator's settings, back-edges that are declared, the plan of the graph.
func (x *shrinker) lessSettings() {
	for i := len(x.best.s.Network.Channels) - 1; i >= 0 && !x.over(); i-- {
		a := x.change()
		a.s.Network.Channels = slices.Delete(a.s.Network.Channels, i, i+1)
		x.takeAnyhow(a)
	}
	for _, simpler := range []func(s *scenarios.Scenario) bool{
		func(s *scenarios.Scenario) bool { return emptied(&s.Expect) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Graph.Edges) },
		func(s *scenarios.Scenario) bool { return emptied(&s.BackEdges) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Service) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Network.Delay) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Store) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Sinks) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Snapshots.Initiators) },
		func(s *scenarios.Scenario) bool { return emptied(&s.Stop.Sources) },
		func(s *scenarios.Scenario) bool { return s.Coordinator != nil && emptied(&s.Coordinator) },
		func(s *scenarios.Scenario) bool {
			return s.Coordinator != nil && change(&s.Coordinator, scenarios.Coordinator{Savepoints: s.Coordinator.Savepoints})
		},
	} {
		if a := x.change(); simpler(a.s) && !x.over() {
			x.takeAnyhow(a)
		}
	}
}

// lessTime ends the input earlier, in timed order; in chosen order it ends with the steps.
func (x *shrinker) lessTime() {
	for x.best.timed && x.best.s.Stop.At != nil && x.best.s.Stop.At.Value > 1 && !x.over() {
		a := x.change()
		at := *a.s.Stop.At
		at.Value /= 2
		a.s.Stop.At = &at
		if !x.takeAnyhow(a) {
			return
		}
	}
}

// emptied empties a setting, and says whether there was something.
func emptied[T any](p *T) bool {
	var none T
	if reflect.ValueOf(p).Elem().IsZero() {
		return false
	}
	*p = none
	return true
}

// change points a setting at something else, and says whether it is.
func change[T any](p **T, to T) bool {
	if reflect.DeepEqual(**p, to) {
		return false
	}
	*p = &to
	return true
}

// lessInput makes the numbers and lists of the app's parameters smaller.
func (x *shrinker) lessInput() {
	if x.best.s.App.Params == nil {
		return
	}
	fields := reflect.ValueOf(x.best.s.App.Params).Elem().NumField()
	for f := range fields {
		for !x.over() && x.lessOf(f) {
		}
	}
}

// lessOf makes a parameter smaller, and says whether it could.
func (x *shrinker) lessOf(f int) bool {
	value := reflect.ValueOf(x.best.s.App.Params).Elem().Field(f)
	switch value.Kind() {
	case reflect.Int64:
		if value.Type() != reflect.TypeFor[int64]() {
			return false // a duration
		}
		for _, smaller := range []int64{0, 1, value.Int() / 2, value.Int() - 1} {
			if smaller < value.Int() && smaller >= 0 && x.withParameter(f, reflect.ValueOf(smaller)) {
				return true
			}
		}
	case reflect.Slice:
		n := value.Len()
		for length := (n + 1) / 2; length > 0; length /= 2 {
			for from := 0; from < n; from += length {
				left := reflect.AppendSlice(value.Slice3(0, from, from), value.Slice(min(from+length, n), n))
				if x.withParameter(f, left) {
					return true
				}
			}
		}
	}
	return false
}

// withParameter tries another value of a parameter.
func (x *shrinker) withParameter(f int, value reflect.Value) bool {
	a := x.change()
	params := reflect.New(reflect.TypeOf(a.s.App.Params).Elem())
	params.Elem().Set(reflect.ValueOf(a.s.App.Params).Elem())
	params.Elem().Field(f).Set(value)
	a.s.App.Params = params.Interface().(apps.Builder)
	return x.takeAnyhow(a)
}
