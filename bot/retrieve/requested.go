package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a model may ask for.
const (
	// MaxRounds is how often a model may ask to be shown more in one run.
	MaxRounds = 3
	// MaxAsks is how many asks are answered in a round; others are left over.
	MaxAsks = 5
	// RoundBytes is how much a model may be shown in a round, in bytes.
	RoundBytes = 8000 * port.BytesPerToken
	// MinRoundBytes is the least room with which a round is worth asking in: MaxAsks short answers.
	MinRoundBytes = MaxAsks * askBytes

	maxAskedLines  = 900 // of a file that is shown whole when it is asked for
	maxAskedPlaces = 3   // definitions of a name that was asked for without a file
)

// Answers are what a model is shown in answer to its asks.
type Answers struct {
	// Prompt has all that the model is told. Its Nonce, Asked and Rounds are left to the caller.
	Prompt prompts.NeedInput
	// Selection says which files are in it. Lines that a text was found in are not part of it.
	Selection Selection
	// Given says of each ask what it was given.
	Given []Given
}

// Given says what a model was given for an ask. It is recorded as JSON.
type Given struct {
	Ask   string       `json:"ask"`
	Lines []GivenLines `json:"lines,omitempty"`
	// Names counts the names that were listed; Hits the lines containing a text that were shown, of All in the sources.
	Names int `json:"names,omitempty"`
	Hits  int `json:"hits,omitempty"`
	All   int `json:"all,omitempty"`
	// Why is why not all of it was given; empty if it was.
	Why string `json:"why,omitempty"`
}

// GivenLines are lines of a file that were shown.
type GivenLines struct {
	Path string `json:"path"`
	Span
}

// String returns the lines as an ask has them.
func (g GivenLines) String() string { return withLines(g.Path, g.Span) }

// Answered reports whether the ask was given anything.
func (g Given) Answered() bool { return len(g.Lines)+g.Names+g.Hits > 0 || g.Why == "" }

// Answer answers the first MaxAsks asks of a model in at most room bytes, and lists those that are left over. What the
// model has seen by q.Seen is not shown again. A file that the model names is shown under the rules for one that a
// person names. It returns an error only if the files cannot be listed or loaded, or if the context is done.
func Answer(ctx context.Context, checkout repo.Checkout, q Query, asks []Ask, room int) (Answers, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return Answers{}, err
	}
	r := &round{selector: s, weights: s.words().Weights(), seen: seenIn(q.Seen), quoted: newRedactedTexts(s.Masked)}
	r.out.Selection = Selection{Shown: map[string]string{}, ReadOnly: map[string]string{}}
	for _, a := range asks[min(len(asks), MaxAsks):] {
		r.out.Prompt.LeftOver = append(r.out.Prompt.LeftOver, a.String())
	}
	items := make([]*asked, 0, MaxAsks)
	for _, a := range asks[:min(len(asks), MaxAsks)] {
		items = append(items, r.resolveAsk(a))
	}
	if err := r.loadAsked(ctx, items); err != nil {
		return Answers{}, err
	}
	wants := make([]int, 0, len(items))
	for _, it := range items {
		if r.prepare(ctx, it); ctx.Err() != nil {
			return Answers{}, fmt.Errorf("searching sources: %w", ctx.Err())
		}
		wants = append(wants, it.want())
	}
	share := FairShare(wants, room)
	for i, it := range items {
		r.give(it, min(wants[i], share))
		r.out.Given = append(r.out.Given, it.given)
	}
	return r.out, nil
}

// round answers the asks of one reply.
type round struct {
	*selector
	weights lexical.Weights
	seen    seenLines
	// files are those in which texts are found; none unless one is asked for.
	files  []string
	quoted *redactedTexts
	out    Answers
}

// loadAsked loads all that is needed for a round, in one request. Sources that are too large together are not loaded:
// no text is found in them.
func (r *round) loadAsked(ctx context.Context, items []*asked) error {
	var names []string
	search := false
	for _, it := range items {
		if it.path != "" && Withheld(r.Policy, it.path) == "" {
			names = append(names, it.path)
		}
		search = search || it.find != "" && !it.repeated
	}
	if search {
		r.files = r.searchable()
		err := r.checkout.LoadSome(ctx, maxSourceBytes, slices.Concat(names, r.files)...)
		var user *port.UserError
		if err != nil && !errors.As(err, &user) {
			return fmt.Errorf("loading %d sources: %w", len(r.files), err)
		}
	}
	return r.load(ctx, names)
}
