package eval

import (
	"context"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Round is one round of asking: the lines of the oracle's reply, how long the answer is, and how many of the changed
// lines were not shown even then.
type Round struct {
	Asks   []string `json:"asks"`
	Tokens int      `json:"tokens"`
	Unseen int      `json:"unseen"`
}

// oracle knows which files a fix changed, and asks for those of them of which a changed line is missing. It does not
// know which lines these are. Not safe for concurrent use.
type oracle struct {
	pair Pair
	seen *Seen
}

// respond answers a reply of the model.
type respond func(ctx context.Context, reply string) (response, error)

// response is what the model reads next: a text, with what is shown of files in it.
type response struct {
	text  string
	files []View
}

// solve asks until all changed lines were shown or nothing more is, at most retrieve.MaxRounds times.
func (o *oracle) solve(ctx context.Context, ask respond) (rounds []Round, err error) {
	for range retrieve.MaxRounds {
		asks := Asks(o.pair.Gold, o.seen, o.missing())
		if len(asks) == 0 {
			break
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
		if len(got.files) == 0 {
			break // the same asks would be answered alike
		}
	}
	return rounds, nil
}

// unseen counts the changed lines that were not shown.
func (o *oracle) unseen() (n int) {
	for _, lines := range o.missing() {
		n += len(lines)
	}
	return n
}

// missing returns the changed lines that were not shown, by file.
func (o *oracle) missing() map[string][]int {
	out := map[string][]int{}
	for _, name := range o.pair.Gold {
		for _, line := range o.pair.changedLines(name) {
			if !o.seen.Shows(name, line) && !slices.Contains(out[name], line) {
				out[name] = append(out[name], line)
			}
		}
	}
	return out
}
