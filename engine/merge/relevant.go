package merge

// counts returns how often each number below ids is in a sequence.
func counts(id []int, ids int) []int {
	out := make([]int, ids)
	for _, n := range id {
		out[n]++
	}
	return out
}

// maxFrequency and accidentWindow are git's.
const (
	// maxFrequency is how often the other sequence has a line that is frequent in any case.
	maxFrequency = 1024
	// accidentWindow is how many lines on each side decide whether a frequent line is aligned by accident.
	accidentWindow = 100
)

// frequency returns how often the other sequence has a line that is frequent in one of n lines: about the square root.
func frequency(n int) int {
	root := 1
	for ; n > 0; n >>= 2 {
		root <<= 1
	}
	return min(root, maxFrequency)
}

// presence is how often a line of a sequence is in the other one.
type presence byte

const (
	absent presence = iota
	present
	frequent
)

// relevant returns the places of the lines to compare, between a common head and a common tail, and marks the others
// there. A line is frequent if the other sequence has it limit times.
func relevant(id []int, marks []bool, head, tail int, inOther []int, limit int) []int {
	middle := id[head : len(id)-tail]
	presences := make([]presence, len(middle))
	for i, id := range middle {
		switch n := inOther[id]; {
		case n >= limit:
			presences[i] = frequent
		case n > 0:
			presences[i] = present
		}
	}
	out := make([]int, 0, len(middle))
	for i, is := range presences {
		if is == present || is == frequent && !accidental(presences, i) {
			out = append(out, head+i)
		} else {
			marks[head+i] = true
		}
	}
	return out
}

// accidental reports whether a frequent line is among absent ones, above and below, and these are more than three in
// four of the lines around it.
func accidental(presences []presence, i int) bool {
	absentAbove, frequentAbove := around(presences, i, -1)
	absentBelow, frequentBelow := around(presences, i, 1)
	itself := 2 // as git counts it: once for each direction
	some := frequentAbove + frequentBelow + itself
	return absentAbove > 0 && absentBelow > 0 && some*4 < some+absentAbove+absentBelow
}

// around counts the absent and the frequent lines in one direction, up to the first line that is neither.
func around(presences []presence, i, step int) (missing, often int) {
	for n := 1; n <= accidentWindow; n++ {
		at := i + n*step
		if at < 0 || at >= len(presences) || presences[at] == present {
			break
		}
		if presences[at] == absent {
			missing++
		} else {
			often++
		}
	}
	return missing, often
}
