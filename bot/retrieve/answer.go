package retrieve

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
)

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

// prepare finds what can be shown for an ask.
func (r *round) prepare(ctx context.Context, it *asked) {
	switch {
	case it.refused != "" || it.repeated:
	case it.find != "":
		r.search(ctx, it)
	case it.path != "":
		v, why := r.viewOf(it.path)
		if it.refused = why; why == "" {
			it.refused = v.choose(it.ask)
			it.views = append(it.views, v)
		}
	}
}
