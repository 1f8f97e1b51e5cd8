package eval

import (
	"context"
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

// oracle asks for what is missing of a fix that it knows.
type oracle struct {
	*Asker
	pair Pair
}

func newOracle(ctx context.Context, pair Pair, checkout repo.Checkout, known *Seen) (*oracle, error) {
	asker, err := NewAsker(ctx, pair.Gold, checkout, known)
	return &oracle{asker, pair}, err
}

// respond answers a reply of the model.
type respond func(ctx context.Context, reply string) (response, error)

// response is what the model reads next: a text, with what is shown of files in it.
type response struct {
	text  string
	files []View
}

// solve asks until all changed lines were shown, at most retrieve.MaxRounds times.
func (o *oracle) solve(ctx context.Context, ask respond) (rounds []Round, err error) {
	for range retrieve.MaxRounds {
		asks, err := o.Asks(ctx, o.allMissing())
		if err != nil || len(asks) == 0 {
			return rounds, err
		}
		got, err := ask(ctx, strings.Join(asks, "\n"))
		if err != nil {
			return rounds, err
		}
		for _, v := range got.files {
			o.seen.See(v)
		}
		o.seen.Read(got.text)
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

// allMissing returns missing of each changed file.
func (o *oracle) allMissing() map[string][]int {
	out := map[string][]int{}
	for _, name := range o.pair.Gold {
		out[name] = o.missing(name)
	}
	return out
}

// missing returns the changed lines of a file that were not shown, sorted. If it is only known that the file was
// changed, its first line is enough.
func (o *oracle) missing(name string) (out []int) {
	for _, line := range o.pair.changedLines(name) {
		line = max(1, min(line, len(o.files[name])))
		if !o.seen.Shows(name, line) && !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	return out
}
