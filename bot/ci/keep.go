package ci

import (
	"hash/maphash"
	"slices"
)

// What is kept of what failed until its secrets are replaced, in bytes: its beginning, its end, and between the two
// the lines around what tells of failures, with more around them than an excerpt shows. lineCost is added for each.
const (
	maxHead  = 24 << 10
	maxTail  = 64 << 10
	lineCost = 32

	keptBefore = 14 // lines
	keptAfter  = 36
	// maxRepeats is around how many lines that differ in numbers alone lines are kept. maxKnown is how many are known.
	maxRepeats = 3
	maxKnown   = 1 << 14
)

// maxMiddle is how much is kept around the lines of each weight, in bytes.
var maxMiddle = [certain + 1]int{hinting: 12 << 10, likely: 24 << 10, certain: 96 << 10}

// line is one of those that are kept.
type line struct {
	text string
	// form is nil for a line that says nothing about a failure.
	form *form
	// number counts the lines of the log, kept or not.
	number int
	// script reports whether the line is of the script that the runner shows before it runs it.
	script bool
	// wanted is the weight of what the line is kept for.
	wanted weight
}

func (l line) weight() weight {
	if l.form == nil {
		return nothing
	}
	return l.form.weight
}

func (l line) cost() int { return len(l.text) + lineCost }

// keeper keeps the parts of a log from which excerpts are made. The zero keeper is empty.
type keeper struct {
	classifier
	number int
	head   []line
	middle []line
	// tail are the last lines; those before first have left it.
	tail  []line
	first int
	// costs of the parts.
	headCost, tailCost int
	keptCost           [certain + 1]int
	// after is how many more lines are wanted, and why.
	after  int
	wanted weight
	known  map[uint64]int
	seed   maphash.Seed
	// failed reports whether the runner said so.
	failed bool
}

// add adds the next line.
func (k *keeper) add(text string, script bool) {
	k.number++
	l := line{text: text, number: k.number, script: script}
	if !script && !isExit(text) {
		l.form = k.classify(text)
	}
	if l.form != nil && k.isNew(text) {
		k.want(l.form.weight)
	}
	if k.after > 0 {
		k.after--
		l.wanted = k.wanted
	}
	if k.headCost+l.cost() <= maxHead && len(k.tail) == 0 {
		k.head, k.headCost = append(k.head, l), k.headCost+l.cost()
		return
	}
	k.tail, k.tailCost = append(k.tail, l), k.tailCost+l.cost()
	for k.tailCost > maxTail {
		k.leave(k.tail[k.first])
		k.tailCost -= k.tail[k.first].cost()
		k.tail[k.first] = line{}
		if k.first++; k.first > len(k.tail)/2 {
			k.tail, k.first = slices.Delete(k.tail, 0, k.first), 0
		}
	}
}

// want marks the lines before the next one, and those after it, as ones around a failure.
func (k *keeper) want(w weight) {
	for i := max(k.first, len(k.tail)-keptBefore); i < len(k.tail); i++ {
		k.tail[i].wanted = max(k.tail[i].wanted, w)
	}
	if k.after == 0 || w >= k.wanted {
		k.after, k.wanted = keptAfter+1, w
	}
}

// leave keeps a line that has left the end of the log if it is wanted and there is room.
func (k *keeper) leave(l line) {
	if k.keptCost[l.wanted]+l.cost() <= maxMiddle[l.wanted] {
		k.keptCost[l.wanted] += l.cost()
		k.middle = append(k.middle, l)
	}
}

// isNew reports whether a line is not one of many that differ in numbers alone.
func (k *keeper) isNew(text string) bool {
	if k.known == nil {
		k.known, k.seed = map[uint64]int{}, maphash.MakeSeed()
	}
	sum := maphash.String(k.seed, withoutDigits(text))
	if k.known[sum] == 0 && len(k.known) >= maxKnown {
		return false
	}
	k.known[sum]++
	return k.known[sum] <= maxRepeats
}

// lines returns what was kept, in order.
func (k *keeper) lines() []line {
	return slices.Concat(k.head, k.middle, k.tail[k.first:])
}

// withoutDigits returns a text without its digits.
func withoutDigits(text string) string {
	out := make([]byte, 0, len(text))
	for i := range len(text) {
		if text[i] < '0' || text[i] > '9' {
			out = append(out, text[i])
		}
	}
	return string(out)
}
