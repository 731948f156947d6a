// Package series compares algorithms on a scenario with one value after another of one of
// its parameters, and tells what became of each measure: in tables, as text for a terminal,
// and in charts.
package series
