package sim

import "math/bits"

// Dist is a distribution of durations in nanoseconds. It draws with integers
// only, so that every processor draws the same.
type Dist struct {
	Kind DistKind
	// Constant: Low. Uniform: Low to High, both included. Exponential: Low plus
	// an exponential part of mean High. Bimodal: Low to High, but in Percent of
	// the draws SlowLow to SlowHigh.
	Low, High         int64
	SlowLow, SlowHigh int64
	Percent           int64
}

// DistKind is the shape of a Dist.
type DistKind uint8

// The shapes.
const (
	Constant DistKind = iota
	Uniform
	Exponential
	Bimodal
)

// Scale maps 64 random bits to [0, n).
func Scale(bits64, n uint64) uint64 {
	hi, _ := bits.Mul64(bits64, n)
	return hi
}

// Draw maps 64 random bits to a duration.
func (d *Dist) Draw(u uint64) int64 {
	if d.Kind == Uniform {
		return d.Low + int64(Scale(u, uint64(d.High-d.Low)+1))
	}
	return d.drawOther(u)
}

func (d *Dist) drawOther(u uint64) int64 {
	switch d.Kind {
	case Exponential:
		return d.Low + exponential(u, d.High)
	case Bimodal:
		low, high := d.Low, d.High
		if int64(Scale(mix(u), 100)) < d.Percent {
			low, high = d.SlowLow, d.SlowHigh
		}
		return low + int64(Scale(u, uint64(high-low)+1))
	}
	return d.Low
}

// Max is the longest duration that Draw can return.
func (d *Dist) Max() int64 {
	switch d.Kind {
	case Uniform:
		return d.High
	case Exponential:
		return d.Low + exponential(^uint64(0), d.High)
	case Bimodal:
		return max(d.High, d.SlowHigh)
	}
	return d.Low
}

// exponential is mean * -ln(1-u/2^64), by linear interpolation in a table of 256
// quantiles; the table ends at about 45 times the mean.
func exponential(u uint64, mean int64) int64 {
	// -ln(1-u) = sum of the leading zeros of 1-u, each ln 2, plus the rest of
	// the mantissa, so the tail keeps its precision however long it is.
	v := ^u | 1 // 1-u, never 0
	zeros := uint64(bits.LeadingZeros64(v))
	v <<= zeros
	i := v >> 55 & 255 // the eight bits after the leading one
	frac := v >> 23 & (1<<32 - 1)
	lo, hi := logTable[i], logTable[i+1]
	ln := zeros*ln2 + lo - uint64((lo-hi)*frac>>32)
	top, low := bits.Mul64(uint64(mean), ln)
	return int64(top<<32 | low>>32)
}

const ln2 = 0xb17217f8 // ln 2 in 32.32 fixed point

// logTable[i] is -ln((256+i)/512) in 32.32 fixed point, for i from 0 to 256.
var logTable = makeLogTable()

// makeLogTable computes the logarithms bit by bit with integers: squaring a
// number doubles its logarithm.
func makeLogTable() (table [257]uint64) {
	for i := range table {
		x := uint64(256+i) << 23 // in [1, 2), with 31 fractional bits
		log2 := uint64(0)
		if i == 256 {
			log2 = 1 << 32
		} else {
			for range 32 {
				log2 <<= 1
				x = uint64(mulShift(x, x, 31))
				if x >= 1<<32 {
					x >>= 1
					log2 |= 1
				}
			}
		}
		// -ln(m/2) = ln 2 - log2(m) * ln 2
		table[i] = ln2 - mulShift(log2, ln2, 32)
	}
	return table
}

func mulShift(a, b uint64, shift uint) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi<<(64-shift) | lo>>shift
}
