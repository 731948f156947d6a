package search

// Strategy is a way to choose, as lists show it.
type Strategy struct {
	Name, Doc string
	Deep      bool // it has a depth
	Least     int  // the smallest
	Depth     int  // if nothing is said
}

// MostDepth is the greatest depth.
const MostDepth = 1000

// Strategies lists the strategies.
func Strategies() []Strategy {
	return []Strategy{
		{Random, "any enabled step, each with the same chance", false, 0, 0},
		{PCT, "the channel with the highest of random priorities, of which depth-1 are lowered at random steps (Burckhardt et al. 2010)", true, 1, 3},
		{POS, "the step with the highest of random priorities, new ones for steps that race with the last (Yuan et al. 2018)", false, 0, 0},
		{Delay, "one step after the other in a round, in which depth of them are passed over (Emmi et al. 2011)", true, 0, 2},
		{Portfolio, "one of the others, by turns from seed to seed", false, 0, 0},
	}
}

// Named is the strategy with a name, nil if there is none.
func Named(name string) *Strategy {
	for _, s := range Strategies() {
		if s.Name == name {
			return &s
		}
	}
	return nil
}

// Deep says whether the setting's strategy has a depth.
func (s Setting) Deep() bool { return Named(s.Strategy).Deep }
