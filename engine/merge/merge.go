// Package merge merges two versions of a text that were made from the same one.
//
// Lines are compared as git does by default: by a shortest edit script, with groups of changed lines moved as far down
// as they go. Changes that touch are a conflict, as in git. In addition, Merge returns a conflict where git's result
// depends on which of several alignments it took, or on which copy of some lines was meant.
package merge

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/meter"
)

// MaxBytes is the size of the largest version that is merged, in bytes: that of the largest file that the engine edits.
const MaxBytes = 2 << 20

// Work is what one merge may cost: about one for each byte that it reads and each pair of lines that it compares.
const Work = 1 << 25

// Merge makes the changes from base to ours and those from base to theirs. The result is clean only if an unchanged
// line is between each two changes of different sides; equal changes of both count once. Exchanging ours and theirs
// gives the same text, and the same conflicts with their sides exchanged. Merge neither modifies nor keeps the
// versions, and is safe for concurrent use. It costs at most about Work.
func Merge(base, ours, theirs []byte) Result {
	work := Work
	return within(&work, base, ours, theirs)
}

// stepsPerUnit is how many steps of a merge take as long as one unit of a meter.Work.
const stepsPerUnit = 16

// Within is Merge for one of several, which take what they cost from w: none begins a comparison that w does not allow,
// and what is left undone because of that is TooDifferent, like what is more than Work.
func Within(w *meter.Work, base, ours, theirs []byte) (result Result) {
	share(w, func(work *int) { result = within(work, base, ours, theirs) })
	return result
}

// share does something that costs at most Work, and what it costs is taken from w.
func share(w *meter.Work, do func(work *int)) {
	left := min(Work, min(Work, w.Left())*stepsPerUnit)
	steps := left
	do(&left)
	w.Spend((steps-left)/stepsPerUnit + 1)
}

// within is Merge for several merges that share a bound: it takes its cost from work, which may become negative, and
// refuses with TooDifferent once none is left.
func within(work *int, base, ours, theirs []byte) Result {
	*work -= len(base) + len(ours) + len(theirs)
	switch {
	case bytes.Equal(ours, theirs), bytes.Equal(base, theirs):
		return Result{Text: slices.Clone(ours)}
	case bytes.Equal(base, ours):
		return Result{Text: slices.Clone(theirs)}
	}
	if r := refused(base, ours, theirs); r != "" {
		return Result{Refusal: r}
	}
	t := table{}
	v := versions{base: t.split(base), ours: t.split(ours), theirs: t.split(theirs), work: work}
	return v.merge()
}

// refused returns why versions cannot be merged, or nothing.
func refused(versions ...[]byte) Refusal {
	for _, data := range versions {
		if len(data) > MaxBytes {
			return TooLarge
		}
		if bytes.IndexByte(data, 0) >= 0 {
			return NotText
		}
	}
	return ""
}

// merge merges by git's alignment. The result is clean only if no alignment of another kind has a different one, and no
// change is beside copies.
func (v *versions) merge() Result {
	ours, theirs, ok := v.align(ways[0])
	if !ok {
		return Result{Refusal: TooDifferent}
	}
	regions := join(ours, theirs, touch)
	result := v.resolve(regions)
	if !result.Clean() {
		return result
	}
	uncertain := v.besideCopies(regions, ours, theirs)
	for _, w := range ways[1:] {
		ours, theirs, ok := v.align(w)
		if !ok {
			return Result{Refusal: TooDifferent}
		}
		others := join(ours, theirs, overlap)
		if other := v.resolve(others); !other.Clean() || !bytes.Equal(other.Text, result.Text) {
			uncertain = append(uncertain, elsewhere(regions, others)...)
		}
	}
	switch {
	case *v.work <= 0:
		return Result{Refusal: TooDifferent}
	case len(uncertain) > 0:
		return Result{Conflicts: v.uncertainties(uncertain)}
	}
	return result
}
