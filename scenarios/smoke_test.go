package scenarios
import ("testing";"os";"fmt";"encoding/json")
func TestSmoke(t *testing.T){
 s,err:=Parse(Default(),"x.yaml",[]byte(os.Getenv("Y")))
 if err!=nil{ fmt.Println(err); if e,ok:=err.(*Error);ok{fmt.Print(e.Excerpt())}; return}
 p,err:=s.Resolve(Default(),Overrides{})
 if err!=nil{ fmt.Println(err); if e,ok:=err.(*Error);ok{fmt.Print(e.Excerpt())}; return}
 p.WriteYAML(os.Stdout)
 r:=p.NewRunner().Run(p.Seed)
 b,_:=json.MarshalIndent(r,""," "); fmt.Println(string(b))
}
