package explore

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"os"
	"context"
)

func TestTmp2(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	count := map[string]int{}
	shown := 0
	for range 400 {
		text, algorithm := drawScenario(random)
		plan := resolve(t, text, algorithm)
		if plan == nil { continue }
		i := strings.Index(text, "kind: ")
		app := text[i+6:]
		app = app[:strings.Index(app, "}")]
		r, _ := prepare(plan, Options{Seed: plan.Seed, mostParts: 1500})
		count[app]++
		if r.reduction == nil { count[app+" -"]++
			if os.Getenv("SHOW") != "" && strings.HasPrefix(app, os.Getenv("SHOW")) && shown < 8 { shown++; 
			full, _ := prepare(plan, Options{Seed: plan.Seed, Full: true, MaxStates: 100000})
			full.search(context.Background())
			fmt.Println(text, algorithm, "full: states", full.states.n, "parts", full.parts, full.result.Finished) }
		}
	}
	for k, v := range count { fmt.Println(v, k) }
}
