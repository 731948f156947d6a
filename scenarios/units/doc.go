// Package units holds the quantities that people write in scenario files: a
// value with a unit, exact, and printed the way it may be written.
//
// It is not a replacement for package time: nothing here knows a clock, a date
// or a negative span, and no floating point takes part, so a text means the same
// number on every processor.
//
//	var d units.Duration
//	err := d.UnmarshalText([]byte("1m30s")) // 90,000,000,000 ns
//	d.String()                              // "1m30s"
package units
