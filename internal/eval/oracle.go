package eval

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Round is one round of asking: the lines of the oracle's reply, how long the answer is, and how many of the changed
// lines were not shown even then.
type Round struct {
	Asks   []string `json:"asks"`
	Tokens int      `json:"tokens"`
	Unseen int      `json:"unseen"`
}

// oracle asks for what is missing of a fix that it knows. It asks only for files whose paths it has read, and searches
// only for words that it has read, so a model could have asked the same.
type oracle struct {
	pair Pair
	seen *seen
	// fixed are the changed files as they were before the fix, in lines.
	fixed    map[string][]string
	checkout repo.Checkout
	searched map[string]bool // words
}

func newOracle(ctx context.Context, pair Pair, checkout repo.Checkout, known *seen) (*oracle, error) {
	o := &oracle{
		pair: pair, seen: known, checkout: checkout, fixed: map[string][]string{}, searched: map[string]bool{},
	}
	if err := checkout.Load(ctx, pair.Gold...); err != nil {
		return nil, fmt.Errorf("loading what the fix changed: %w", err)
	}
	for _, name := range pair.Gold {
		data, err := checkout.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("commit %s has no such file that the fix changed: %w", pair.Base, err)
		}
		o.fixed[name] = slices.Collect(strings.Lines(string(data)))
	}
	return o, nil
}

// respond answers a reply of the model.
type respond func(ctx context.Context, reply string) (response, error)

// response is what the model reads next: a text, with what is shown of files in it.
type response struct {
	text  string
	files []view
}

// solve asks until all changed lines were shown, at most retrieve.MaxRounds times.
func (o *oracle) solve(ctx context.Context, ask respond) (rounds []Round, err error) {
	for range retrieve.MaxRounds {
		asks, err := o.asks(ctx)
		if err != nil || len(asks) == 0 {
			return rounds, err
		}
		got, err := ask(ctx, strings.Join(asks, "\n"))
		if err != nil {
			return rounds, err
		}
		for _, v := range got.files {
			o.seen.see(v)
		}
		o.seen.read(got.text)
		rounds = append(rounds, Round{Asks: asks, Tokens: tokens(len(got.text)), Unseen: o.unseen()})
	}
	return rounds, nil
}

// unseen counts the changed lines that were not shown.
func (o *oracle) unseen() (n int) {
	for _, name := range o.pair.Gold {
		n += len(o.missing(name))
	}
	return n
}

// missing returns the changed lines of a file that were not shown, sorted. If it is only known that the file was
// changed, its first line is enough.
func (o *oracle) missing(name string) (out []int) {
	for _, line := range o.pair.changedLines(name) {
		line = max(1, min(line, len(o.fixed[name])))
		if !o.seen.shows(name, line) && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}

// asks returns the lines of the next reply, none if nothing is missing or nothing is left to try.
func (o *oracle) asks(ctx context.Context) ([]string, error) {
	var needs []need
	var unnamed []string
	for _, name := range o.pair.Gold {
		lines := o.missing(name)
		switch {
		case len(lines) == 0:
		case o.seen.names(name):
			needs = append(needs, needsFor(name, lines, len(o.fixed[name]))...)
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
	words, err := o.words(ctx, unnamed, retrieve.MaxAsks-len(asks))
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
