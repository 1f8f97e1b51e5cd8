package settle

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine/choice"
)

// maxChosen is how many bytes the choices of one merge have, all of them together: they are recorded.
const maxChosen = 256 << 10

// State is what is known of the conflicts of a merge, by their IDs.
type State map[int]record.ResolvedConflict

// Same returns which conflict, by its ID, is the one that had a number in an earlier list, counted from 1. Where there
// are several that are alike, they are the same in their order, if they are as many as before.
func (m Merge) Same(earlier []record.ResolvedConflict) map[int]int {
	before, now := map[string][]int{}, map[string][]int{}
	for i, e := range earlier {
		before[e.Key] = append(before[e.Key], i+1)
	}
	for _, c := range m.Conflicts {
		now[c.Key] = append(now[c.Key], c.ID)
	}
	same := map[int]int{}
	for key, numbers := range before {
		if ids := now[key]; len(ids) == len(numbers) {
			for i, n := range numbers {
				same[n] = ids[i]
			}
		}
	}
	return same
}

// Is reports whether a list has the conflicts of the merge, by the same numbers.
func (m Merge) Is(list []record.ResolvedConflict) bool {
	return slices.EqualFunc(m.Conflicts, list,
		func(c Conflict, known record.ResolvedConflict) bool { return c.Key == known.Key })
}

// Restore returns what is known from earlier of the conflicts that are still the same. A choice that does not fit any
// more is none.
func (m Merge) Restore(earlier []record.ResolvedConflict) State {
	s := State{}
	for _, c := range m.Conflicts {
		s[c.ID] = record.ResolvedConflict{Key: c.Key}
	}
	for number, id := range m.Same(earlier) {
		known, c := earlier[number-1], m.Conflicts[id-1]
		if _, why := c.Fits(known.Choice); why != "" {
			known.Choice, known.ByHand = "", false
		}
		if _, why := c.Fits(known.Proposal); why != "" {
			known.Proposal = ""
		}
		s[id] = known
	}
	return s
}

// Record returns the state as it is recorded: in order of the conflicts.
func (m Merge) Record(s State) []record.ResolvedConflict {
	out := make([]record.ResolvedConflict, len(m.Conflicts))
	for i, c := range m.Conflicts {
		out[i] = s[c.ID]
		out[i].Key = c.Key
	}
	return out
}

// Revision returns eight hexadecimal digits that stand for which conflicts have which number, and which proposal: a box
// means what it did when it was shown.
func Revision(list []record.ResolvedConflict) string {
	sum := sha256.New()
	for _, c := range list {
		_, _ = fmt.Fprintf(sum, "%s %d:%s\n", c.Key, len(c.Proposal), c.Proposal)
	}
	return hex.EncodeToString(sum.Sum(nil)[:4])
}

// Numbering returns 32 hexadecimal digits that stand for which conflicts have which number. While they stay the same,
// what was said of a number is about the same conflict.
func (m Merge) Numbering() string {
	sum := sha256.New()
	for _, c := range m.Conflicts {
		_, _ = fmt.Fprintln(sum, c.Key)
	}
	return hex.EncodeToString(sum.Sum(nil)[:16])
}

// Fits returns a state with only so many choices as are recorded.
func (m Merge) Fits(s State) State {
	out, room := maps.Clone(s), maxChosen
	for _, c := range m.Conflicts {
		known := out[c.ID]
		if room -= len(known.Choice) + len(known.Proposal); room < 0 {
			known.Choice, known.Proposal, known.Note = "", "", "the choices for this merge are too long to be kept"
		}
		out[c.ID] = known
	}
	return out
}

// Open returns the conflicts without an accepted choice, in order.
func (m Merge) Open(s State) (open []Conflict) {
	for _, c := range m.Conflicts {
		if s[c.ID].Choice == "" {
			open = append(open, c)
		}
	}
	return open
}

// Answers returns what those conflicts become whose choice was accepted, by their IDs.
func (m Merge) Answers(s State) map[int]choice.Answer {
	out := map[int]choice.Answer{}
	for _, c := range m.Conflicts {
		if a, why := c.Fits(s[c.ID].Choice); why == "" {
			out[c.ID] = a
		}
	}
	return out
}
