package explore

type reduction struct{ x *explorer }

func (x *explorer) newReduction() *reduction { return nil }

func (r *reduction) choose(row []uint32, enabled []enabledStep) []int { return nil }
