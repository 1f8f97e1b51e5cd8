package merge

import (
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
)

// way is a way to align a side with base.
type way struct {
	// backward compares the lines from the last to the first, so that of several shortest scripts another one is found.
	backward bool
	// all compares all lines that both have. Otherwise frequent ones are left out where they align by accident.
	all bool
	// up moves groups of changed lines up instead of down.
	up bool
}

// ways are the ways whose results must agree, git's first.
var ways = []way{{}, {backward: true, all: true}, {up: true}}

// align returns the hunks that lead from base to a side; ok is false if that is more than work.
func (w way) align(base, side lines, work *int) (hunks []text.Hunk, ok bool) {
	a, b := base, side
	if w.backward {
		a.id, b.id = reversed(base.id), reversed(side.id)
	}
	marks := text.NewMarks(len(base.id), len(side.id))
	if !compare(a, b, marks, w.all, work) {
		return nil, false
	}
	if w.backward {
		slices.Reverse(marks.Old)
		slices.Reverse(marks.New)
	}
	text.Compact(base.id, marks.Old, marks.New, w.up)
	text.Compact(side.id, marks.New, marks.Old, w.up)
	return marks.Hunks(), true
}

func reversed(id []int) []int {
	out := slices.Clone(id)
	slices.Reverse(out)
	return out
}

// maxRounds is how far git searches for the middle of a shortest script, at least. Beyond it, git takes a split that is
// good rather than best, so that the alignment is a guess.
const maxRounds = 256

// compare marks the lines that have no partner in the other version; false if they differ too much. Lines that the
// other version does not have are not compared. Nor, unless all is set, are frequent lines among such ones, which are
// aligned by accident rather than because they are the same.
func compare(a, b lines, marks text.Marks, all bool, work *int) bool {
	head := text.CommonPrefix(a.id, b.id)
	tail := text.CommonSuffix(a.id[head:], b.id[head:])
	limitA, limitB := frequency(len(a.id)), frequency(len(b.id))
	if all {
		limitA = len(a.id) + len(b.id) + 1
		limitB = limitA
	}
	ids := max(a.ids, b.ids)
	inA, inB := counts(a.id, ids), counts(b.id, ids)
	atA := relevant(a.id, marks.Old, head, tail, inB, limitA)
	atB := relevant(b.id, marks.New, head, tail, inA, limitB)
	*work -= len(a.id) + len(b.id)
	rounds := maxRounds
	if all {
		rounds = len(atA) + len(atB) + 1
	}
	some := text.NewMarks(len(atA), len(atB))
	ok := text.Shortest(selected(a.id, atA), selected(b.id, atB), some, rounds, work)
	transfer(some.Old, marks.Old, atA)
	transfer(some.New, marks.New, atB)
	return ok
}

// selected returns the elements of a sequence at places.
func selected(id, places []int) []int {
	out := make([]int, len(places))
	for i, at := range places {
		out[i] = id[at]
	}
	return out
}

// transfer marks the places of those elements of a selection that are marked.
func transfer(some, marks []bool, places []int) {
	for i, at := range places {
		marks[at] = some[i]
	}
}
