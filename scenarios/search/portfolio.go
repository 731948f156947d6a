package search

// members is the portfolio, in the order of their turns: the seed of a run, divided by
// how many there are, leaves the number of the one that it is given. What one strategy
// hardly ever meets another meets often, and who does not know which it will be pays at
// most as many times what the best of them costs as there are members. PCT has two turns,
// with different depths, as it is the only one whose chances do not fall with the length
// of a run; the last is random choice, which keeps a little of everything.
var members = []Setting{{PCT, 3}, {POS, 0}, {PCT, 2}, {Delay, 2}, {Random, 0}}

// Members lists what the portfolio is made of.
func Members() []Setting { return append([]Setting(nil), members...) }
