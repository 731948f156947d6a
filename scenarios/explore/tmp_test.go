package explore

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"simrun/scenarios"
	"testing"
)

func load(t testing.TB, path, algorithm string) *scenarios.Plan {
	c := scenarios.Default()
	s, err := scenarios.Load(c, path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := s.Resolve(c, scenarios.Overrides{Algorithm: algorithm})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTmp(t *testing.T) {
	p := load(t, os.Getenv("F"), os.Getenv("A"))
	r, err := Run(context.Background(), p, Options{Full: os.Getenv("FULL") != "", Seed: p.Seed, MaxStates: 150_000_000})
	if err != nil {
		t.Fatal(err)
	}
	v := r.Violation
	r.Violation = nil
	b, _ := json.MarshalIndent(r, "", " ")
	fmt.Println(string(b))
	fmt.Println(v)
	fmt.Println("states/s", float64(r.States)/r.Seconds, "trans/s", float64(r.Transitions)/r.Seconds)
}
