package invariants
import ("testing";"fmt")
func TestZZ(t *testing.T){
 cfg := dealt(258,true)
 fmt.Printf("%+v\n", cfg)
 run := judged(t,cfg,true)
 for _,v := range Check(run,nil).Violations { fmt.Println(v) }
 for _,s := range run.History.Snapshots { fmt.Printf("%+v\n", s) }
 fmt.Println(run.History.Crashes, run.History.End, run.History.Restores, run.History.Steps)
}
