package search

// members is the portfolio:
var members = []Setting{{PCT, 3}, {POS, 0}, {PCT, 2}, {Delay, 2}, {Random, 0}}
