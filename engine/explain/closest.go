// Package explain says why a block does not match a file: which part of it is not there, what the file has that is most
// like it, and at which places it matches if these are several. It is pure.
package explain

import (
	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// Bounds of the search for the closest match: how often a line may occur in the file and still count, and what its vote
// for a place costs.
const (
	maxOccurrences = 16
	voteCost       = 3
)

// Closest returns the part of the file that is most similar to find, and the first difference; nil if none is similar.
// Each line of find that is rare in the file votes for the place where find would start, which takes linear time.
func Closest(t *text.Text, find []string) (*block.Excerpt, *block.Difference) {
	find = text.TrimBlank(find)
	votes := map[int]int{}
	want := text.KeysOf(text.TrimSpace, find)
	where := t.Index(text.TrimSpace, want, maxOccurrences)
	for i, s := range want {
		t.Work.Spend(voteCost * (1 + len(where[s])))
		if lines := where[s]; len(lines) <= maxOccurrences {
			for _, n := range lines {
				votes[n-i] += maxOccurrences / len(lines)
			}
		}
	}
	start, best := 0, 0
	for at, n := range votes {
		if n > best || n == best && at < start {
			start, best = at, n
		}
	}
	if best == 0 {
		var ok bool
		if start, ok = closestByWords(t, find); !ok {
			start, ok = closestByLetters(t, find)
		}
		if !ok {
			return nil, nil
		}
	}
	return Excerpt(t, find, start)
}
