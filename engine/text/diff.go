package text

import (
	"slices"

	"github.com/tenon-bot/tenon/meter"
)

// Hunk says that the elements [From,To) of a sequence become [NewFrom,NewTo) of another. The elements between hunks are
// the same in both.
type Hunk struct{ From, To, NewFrom, NewTo int }

// Marks say which elements of two sequences have no partner in the other one.
type Marks struct{ Old, New []bool }

// NewMarks returns Marks for sequences of n and m elements, of which all have a partner.
func NewMarks(n, m int) Marks { return Marks{make([]bool, n), make([]bool, m)} }

// Hunks returns where two sequences differ.
func (m Marks) Hunks() []Hunk {
	var out []Hunk
	for i, j := 0, 0; i < len(m.Old) || j < len(m.New); i, j = i+1, j+1 {
		h := Hunk{From: i, To: endOf(m.Old, i), NewFrom: j, NewTo: endOf(m.New, j)}
		if i, j = h.To, h.NewTo; i > h.From || j > h.NewFrom {
			out = append(out, h)
		}
	}
	return out
}

// endOf returns where the marked elements end that begin at one.
func endOf(marks []bool, at int) int {
	for at < len(marks) && marks[at] {
		at++
	}
	return at
}

// Bounds of Diff: how many rounds the search for the middle of a script may take, and how many of its steps take as
// long as one unit of work. Texts that differ more have too little in common to tell what is context.
const (
	maxDiffRounds = 500
	stepsPerUnit  = 4
	maxDiffSteps  = 1 << 21
)

// Diff returns a shortest way from one sequence of lines to another, with groups of changed lines as far down as they
// go. If that would be too much work, what is between the common lines at both ends is one hunk.
func Diff(w *meter.Work, old, now []string) []Hunk {
	head := CommonPrefix(old, now)
	tail := CommonSuffix(old[head:], now[head:])
	a, b := old[head:len(old)-tail], now[head:len(now)-tail]
	switch {
	case len(a)+len(b) == 0:
		return nil
	case len(a) > 0 && len(b) > 0:
		left := min(maxDiffSteps, min(maxDiffSteps, w.Left())*stepsPerUnit)
		steps := left
		marks := NewMarks(len(old), len(now))
		inner := Marks{marks.Old[head : len(old)-tail], marks.New[head : len(now)-tail]}
		found := Shortest(a, b, inner, maxDiffRounds, &steps)
		w.Spend((left-steps)/stepsPerUnit + 1)
		if found { // of all lines, since a group may go on among the common ones at an end
			Compact(old, marks.Old, marks.New, false)
			Compact(now, marks.New, marks.Old, false)
			return marks.Hunks()
		}
	}
	return []Hunk{{head, len(old) - tail, head, len(now) - tail}}
}

// DiffUp is Diff with groups of changed lines as far up as they go.
func DiffUp(w *meter.Work, old, now []string) []Hunk {
	old, now = slices.Clone(old), slices.Clone(now)
	slices.Reverse(old)
	slices.Reverse(now)
	hunks := Diff(w, old, now)
	for i, h := range hunks {
		hunks[i] = Hunk{len(old) - h.To, len(old) - h.From, len(now) - h.NewTo, len(now) - h.NewFrom}
	}
	slices.Reverse(hunks)
	return hunks
}
