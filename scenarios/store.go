package scenarios

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/goccy/go-yaml/ast"

	"simrun/sim"
)

// StoreFailure says which parts of checkpoints the store fails to write, tears or loses. In a file a
// rate alone may stand for it.
type StoreFailure struct {
	Rate      Rate     `yaml:"rate,omitempty"`           // drawn for each part
	Snapshots []uint32 `yaml:"snapshots,flow,omitempty"` // every part of these
}

func (f *StoreFailure) decode(d *decoder, n ast.Node) error {
	if isMapping(n) {
		return d.fields(n, reflect.ValueOf(f).Elem(), "what the store fails to write")
	}
	return d.text(n, &f.Rate, "a share of the parts")
}

// uncoordinated refuses what only a coordinator's store has.
func (r *resolver) uncoordinated() error {
	x := &r.Store
	for _, key := range []struct {
		name  string
		given bool
	}{
		{"read", x.Read != nil}, {"fail", x.Fail != nil}, {"torn", x.Torn != nil}, {"lost", x.Lost != nil},
		{"bandwidth", x.Bandwidth != nil}, {"chunk", x.Chunk != nil},
	} {
		if key.given {
			return r.fail("store: "+key.name+" without a coordinator, which alone reads from the store and hears of its failures", "write coordinator: {}, or leave it out", "store", key.name)
		}
	}
	return nil
}

// store resolves how the store is read and written, and what it fails to keep.
func (r *resolver) store(plan *sim.ManagementPlan) (err error) {
	if r.Store.Read == nil {
		r.Store.Read = &Dist{Uniform: &Range{1e6, 3e6}}
	}
	if r.Store.Read, plan.Read, err = r.dist(r.Store.Read, 0, "store", "read"); err != nil {
		return err
	}
	for _, f := range []struct {
		key   string
		given *StoreFailure
		to    *sim.Failure
	}{{"fail", r.Store.Fail, &plan.Unwritten}, {"torn", r.Store.Torn, &plan.Torn}, {"lost", r.Store.Lost, &plan.Lost}} {
		if f.given == nil {
			continue
		}
		if slices.Contains(f.given.Snapshots, 0) {
			return r.fail("there is no snapshot 0", "snapshots are counted from 1", "store", f.key, "snapshots")
		}
		f.to.PerMillion = uint32(f.given.Rate)
		for _, id := range f.given.Snapshots {
			f.to.Markers = append(f.to.Markers, sim.SnapshotID(id))
		}
	}
	for _, n := range []struct {
		key       string
		given, to *int64
	}{{"bandwidth", r.Store.Bandwidth, &plan.Bandwidth}, {"chunk", r.Store.Chunk, &plan.Chunk}} {
		if n.given == nil {
			continue
		}
		if *n.given < 1 {
			return r.fail(fmt.Sprintf("%s is %d bytes", n.key, *n.given), "write 1 or more, or leave it out", "store", n.key)
		}
		*n.to = *n.given
	}
	return nil
}
