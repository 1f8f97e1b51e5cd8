package eval

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Choice simulates a model that is offered files, and chooses those that it wants to see. The zero Choice is that no
// model is asked.
type Choice struct {
	asked bool
	wrong float64 // the probability that a file is chosen in place of one that the fix changed
}

// ParseChoice reads a choice: "none" for the zero Choice; "perfect" for all offered files that the fix changed; or the
// probability, below 1, that another file is chosen in place of each of them.
func ParseChoice(text string) (Choice, error) {
	switch text {
	case "none":
		return Choice{}, nil
	case "perfect":
		return Choice{asked: true}, nil
	}
	wrong, err := strconv.ParseFloat(text, 64)
	if err != nil || !(wrong >= 0 && wrong < 1) {
		return Choice{}, fmt.Errorf(`a choice is "none", "perfect" or a number from 0 to below 1, not %q`, text)
	}
	return Choice{asked: true, wrong: wrong}, nil
}

// of returns what is chosen for a pair, at most retrieve.MaxChosen files; it is not nil. The same files are chosen of
// the same offer each time.
func (c Choice) of(pair Pair, o offer) []retrieve.Ask {
	asks := []retrieve.Ask{}
	var others []string // that the fix did not change
	for _, name := range o.paths {
		switch {
		case !slices.Contains(pair.Gold, name):
			others = append(others, name)
		case len(asks) < retrieve.MaxChosen:
			asks = append(asks, retrieve.Ask{Path: name})
		}
	}
	random := randomFor(pair)
	for i := range asks {
		if random.Float64() >= c.wrong || len(others) == 0 {
			continue
		}
		at := random.IntN(len(others))
		asks[i].Path = others[at]
		others = slices.Delete(others, at, at+1)
	}
	return asks
}

// randomFor returns a source of random numbers that are the same for a pair each time.
func randomFor(pair Pair) *rand.Rand {
	h := fnv.New64a()
	_, _ = h.Write([]byte(pair.ID))
	return rand.New(rand.NewPCG(h.Sum64(), 0))
}

// offer is what a model may choose.
type offer struct {
	paths []string
	bytes int // that it takes in a prompt, about: the paths, how many lines each file has, and the outlines
}

// offerFor returns what the bot offers to a model.
func offerFor(ctx context.Context, checkout repo.Checkout, q retrieve.Query, room retrieve.Room) (offer, error) {
	files, err := retrieve.Offer(ctx, checkout, q, room)
	var out offer
	for _, f := range files {
		out.add(f.Path, f.Lines, f.Outline)
	}
	return out, err
}

func (o *offer) add(path string, lines int, outline []string) {
	o.paths = append(o.paths, path)
	o.bytes += len(fmt.Sprintf("%s (%d lines)\n", path, lines))
	for _, line := range outline {
		o.bytes += len(line) + 1
	}
}
