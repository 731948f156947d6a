package properties_test

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"runtime/debug"
	"slices"
	"testing"

	"simrun/invariants"
	"simrun/invariants/explain"
	"simrun/invariants/twin"
	"simrun/sim"
)

// TestAnyDamage changes any one thing in histories, whatever it is and to whatever: the
// checkers and the explanations say something, and what the engine has counted or noted
// twice is not believed.
func TestAnyDamage(t *testing.T) {
	held, tried := map[string]int{}, map[string]int{}
	for i := 1; i <= 2500; i++ {
		r := trials.Example(i % 300)
		r.config.MaxSteps = min(r.config.MaxSteps, 800)
		word := sim.Word(i)
		unreliably(&word, &r.config)
		h := runOf(t, r)
		for _, s := range h.Snapshots {
			s.Initiators = slices.Clone(s.Initiators) // it is the Config's
		}
		path, change := spoil(&word, h)
		if change == "" {
			continue
		}
		holds := judgeDamaged(t, r, h, path+": "+change)
		tried[path]++
		if holds {
			held[path]++
		}
	}
	for _, path := range []string{".Deliveries", ".Crashes[].Node", ".Restores", ".Restores[].States", ".Restores[].Offsets", ".Restores[].Requeued",
		".Restores[].Replayed", ".Restores[].CrashedAt", ".Final.States", ".Final.Sent", ".Final.Processed", ".Final.Read", ".Snapshots[]*.Recordings[].Seq",
		".Snapshots[]*.StartedAt", ".Snapshots[]*.Recordings"} {
		if tried[path] == 0 || held[path] > 0 {
			t.Errorf("%s was damaged in %d runs, of which %d hold", path, tried[path], held[path])
		}
	}
}

// judgeDamaged has everybody look at a history, and says whether Check finds nothing.
func judgeDamaged(t *testing.T, r *trial, h *sim.History, damage string) (holds bool) {
	defer func() {
		if cause := recover(); cause != nil {
			t.Errorf("%v\n%s\nof the run\n%s\n%s", cause, damage, r, debug.Stack())
		}
	}()
	run := r.checked(h)
	report := invariants.Check(run, nil)
	x := explain.New(run, report, nil)
	for i := range report.Violations {
		x.Violation(&report.Violations[i])
	}
	for i := range h.Snapshots {
		x.Snapshot(sim.SnapshotID(i + 1))
		if w, err := invariants.WitnessOf(run, sim.SnapshotID(i+1)); err == nil && len(w.Prefix)+len(w.Pre)+len(w.Post) > len(h.Rows) {
			t.Errorf("a witness of more events than there are rows\n%s", damage)
		}
	}
	if h.Rows != nil {
		twin.Judge(&twin.Run{
			Graph: r.config.Graph, NewApp: r.config.NewApp, NewSource: r.config.NewSource, BackEdge: r.config.BackEdge,
			Unreliable: r.config.Unreliable, Aligned: r.aligned(), Replay: r.config.Replay, History: h,
		})
	}
	return report.Holds()
}

// place is something that can be changed.
type place struct {
	path string
	v    reflect.Value
}

// places lists what there is to change below v. Fields of one path are of one kind.
func places(path string, v reflect.Value, found *[]place) {
	if v.Kind() != reflect.Struct || v.Type() == reflect.TypeFor[sim.Row]() {
		*found = append(*found, place{path, v})
	}
	switch {
	case v.Type() == reflect.TypeFor[sim.Row]():
	case v.Kind() == reflect.Pointer && !v.IsNil() && path != ".Restores[].Snapshot":
		places(path+"*", v.Elem(), found)
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			places(path+"[]", v.Index(i), found)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				places(path+"."+f.Name, v.Field(i), found)
			}
		}
	}
}

// spoil changes one thing, every path being as likely, and says where and from what to
// what; the change is empty if there was none.
func spoil(word *sim.Word, h *sim.History) (path, change string) {
	var all []place
	places("", reflect.ValueOf(h).Elem(), &all)
	slices.SortStableFunc(all, func(a, b place) int { return cmp.Compare(a.path, b.path) })
	var first []int
	for i := range all {
		if i == 0 || all[i].path != all[i-1].path {
			first = append(first, i)
		}
	}
	k := word.Below(len(first))
	end := append(first, len(all))[k+1]
	p := all[first[k]+word.Below(end-first[k])]
	before := fmt.Sprint(p.v.Interface())
	spoilValue(word, p.v, h)
	if after := fmt.Sprint(p.v.Interface()); after != before {
		change = fmt.Sprintf("%.100s -> %.100s", before, after)
	}
	return p.path, change
}

func spoilValue(word *sim.Word, v reflect.Value, h *sim.History) {
	number := func(old int64) int64 {
		choices := [...]int64{0, -1, math.MaxInt64, math.MinInt64, old + 1, old - 1, int64(word.Below(300)), math.MaxInt32, int64(word.Next())}
		return choices[word.Below(len(choices))]
	}
	switch {
	case v.Type() == reflect.TypeFor[sim.Row]():
		r := v.Interface().(sim.Row)
		rows := [...]sim.Row{
			sim.NewRow(sim.RowKind(word.Below(16)), r.Entity(), r.Number, r.Hash), sim.NewRow(r.Kind(), int32(number(int64(r.Entity()))&(1<<28-1)), r.Number, r.Hash),
			sim.NewRow(r.Kind(), r.Entity(), uint32(number(int64(r.Number))), r.Hash), sim.NewRow(r.Kind(), r.Entity(), r.Number, word.Next()), h.Rows[word.Below(len(h.Rows))],
		}
		v.Set(reflect.ValueOf(rows[word.Below(len(rows))]))
	case v.CanInt():
		v.SetInt(number(v.Int()))
	case v.CanUint():
		v.SetUint(uint64(number(int64(v.Uint()))))
	case v.Kind() == reflect.Bool:
		v.SetBool(!v.Bool())
	case v.Kind() == reflect.Pointer:
		v.SetZero()
		if n := len(h.Snapshots); v.Type() == reflect.TypeFor[*sim.Snapshot]() && n > 0 && word.Below(2) == 0 {
			v.Set(reflect.ValueOf(h.Snapshots[word.Below(n)]))
		}
	case v.Kind() == reflect.Slice:
		spoilSlice(word, v)
	}
}

// spoilSlice makes a list nil, shorter, longer, or puts two entries in each other's
// place.
func spoilSlice(word *sim.Word, v reflect.Value) {
	n := v.Len()
	list := reflect.AppendSlice(reflect.MakeSlice(v.Type(), 0, n+1), v)
	switch i := word.Below(max(n, 1)); {
	case n == 0:
		list = reflect.MakeSlice(v.Type(), 1, 1)
	case word.Below(4) == 0:
		list = reflect.Zero(v.Type())
	case word.Below(3) == 0:
		list = reflect.AppendSlice(list.Slice3(0, i, i), v.Slice(i+1, n))
	case word.Below(2) == 0:
		list = reflect.Append(list, v.Index(i))
	default:
		k := word.Below(n)
		reflect.Swapper(list.Interface())(i, k)
	}
	v.Set(list)
}
