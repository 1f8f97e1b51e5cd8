package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Asker asks for lines of files that it knows as well as a model could: it asks only for files whose paths it has read,
// and searches only for words that it has read. Not safe for concurrent use.
type Asker struct {
	names []string
	seen  *Seen
	// files are those that it knows, in lines.
	files    map[string][]string
	checkout repo.Checkout
	searched map[string]bool // words
}

// NewAsker returns an asker that knows some files of a checkout. It returns an error if the checkout lacks one.
func NewAsker(ctx context.Context, names []string, checkout repo.Checkout, known *Seen) (*Asker, error) {
	a := &Asker{names: names, seen: known, checkout: checkout, files: map[string][]string{}, searched: map[string]bool{}}
	if err := checkout.Load(ctx, names...); err != nil {
		return nil, fmt.Errorf("loading what the fix changed: %w", err)
	}
	for _, name := range names {
		data, err := checkout.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("commit %s has no such file that the fix changed: %w", checkout.SHA(), err)
		}
		a.files[name] = slices.Collect(strings.Lines(string(data)))
	}
	return a, nil
}

// Searched notes that the model searched for a text before.
func (a *Asker) Searched(text string) { a.searched[text] = true }

// Asks returns the lines of the next reply, none if nothing is missing or nothing is left to try. missing are the lines
// that were not shown, by file, sorted.
func (a *Asker) Asks(ctx context.Context, missing map[string][]int) ([]string, error) {
	var needs []need
	var unnamed []string
	for _, name := range a.names {
		lines := missing[name]
		switch {
		case len(lines) == 0:
		case a.seen.Names(name):
			needs = append(needs, needsFor(name, lines, len(a.files[name]))...)
		default:
			unnamed = append(unnamed, name)
		}
	}
	var asks []string
	for _, n := range joinNearest(needs, retrieve.MaxAsks-min(len(unnamed), 1)) {
		asks = append(asks, n.String())
	}
	asks = asks[:min(len(asks), retrieve.MaxAsks)]
	if len(unnamed) == 0 || len(asks) == retrieve.MaxAsks {
		return asks, nil
	}
	words, err := a.words(ctx, unnamed, retrieve.MaxAsks-len(asks))
	for _, w := range words {
		asks = append(asks, retrieve.Ask{Find: w}.String())
	}
	return asks, err
}

// Lines that the oracle asks for around those that it needs, and bounds on what it asks for at once.
const (
	linesAround = 20
	maxNeed     = 300 // lines: about half of what one answer may have
)

// need is a range of lines of a file.
type need struct {
	path  string
	lines retrieve.Span
}

// String returns the line of a reply that asks for the range.
func (n need) String() string { return retrieve.Ask{Path: n.path, Lines: n.lines}.String() }

// needsFor returns the ranges around sorted lines of a file that has count lines. No two of them overlap.
func needsFor(name string, lines []int, count int) (out []need) {
	for _, line := range lines {
		from, to := max(1, line-linesAround), max(1, min(line+linesAround, count))
		if n := len(out); n > 0 && from <= out[n-1].lines.To {
			last := &out[n-1].lines
			if line <= last.To || to-last.From < maxNeed {
				last.To = min(to, last.From+maxNeed)
				continue
			}
			from = last.To + 1
		}
		out = append(out, need{name, retrieve.Span{From: from, To: to}})
	}
	return out
}

// joinNearest joins neighbours of the same file, the nearest first, until at most n ranges are left or all that could
// be joined would be too long.
func joinNearest(needs []need, n int) []need {
	for len(needs) > n {
		best := -1
		for i := range len(needs) - 1 {
			if gap(needs, i) >= 0 && (best < 0 || gap(needs, i) < gap(needs, best)) {
				best = i
			}
		}
		if best < 0 {
			break
		}
		needs[best].lines.To = needs[best+1].lines.To
		needs = slices.Delete(needs, best+1, best+2)
	}
	return needs
}

// gap returns how many lines are between a range and the next one, or -1 if the two cannot be joined.
func gap(needs []need, i int) int {
	a, b := needs[i], needs[i+1]
	if a.path != b.path || b.lines.To-a.lines.From >= maxNeed {
		return -1
	}
	return max(0, b.lines.From-a.lines.To-1)
}
