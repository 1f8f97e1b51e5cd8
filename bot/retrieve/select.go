// Package retrieve finds, in a checkout, the files that a command is about, and cuts them to what a model may be shown.
//
// Selecting files takes three steps. Candidates are collected: from what a comment refers to (references.go,
// words.go, frames.go, links.go, resolve.go), or what tools printed (output.go), from the definitions of the names in
// it (definitions.go), from the words that it shares with the sources (sources.go, package lexical), and from what is
// related to those. They are ordered by how they were found (candidates.go). And they are shown in that order, whole or
// in parts (pieces.go), as far as there is room, without what a model must not see (show.go, hidden.go).
//
// What a model asks to see after that is parsed in asks.go, and found and shown in requested.go and asked.go.
package retrieve

import (
	"context"
	"strings"

	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/prompts"
)

// Select returns the files of a checkout that a query is about, the likeliest first, as far as there is room. What
// lists of paths leave of their room is for files.
func Select(ctx context.Context, checkout repo.Checkout, q Query, room Room) (Found, error) {
	s, err := newSelector(checkout, q)
	if err != nil {
		return Found{}, err
	}
	if err := s.find(ctx); err != nil {
		return Found{}, err
	}
	if err := s.choose(ctx); err != nil {
		return Found{}, err
	}
	out := Found{Missing: s.missing, Project: s.project()}
	if s.Chosen != nil { // the model has read the likeliest paths
		room = Room{Code: room.Code + room.Names*3/4, Names: room.Names / 4}
	}
	room.Names -= len(strings.Join(s.missing, "\n"))
	out.Listings = fittingListings(s.listings, room.Names)
	room.Names -= listingBytes(out.Listings)
	out.Paths, out.Unlisted = s.listPaths(room.Names)
	out.Files, out.Selection, err = s.show(ctx, room.Code+room.Names-listingBytes(out.Paths))
	if err != nil {
		return Found{}, err
	}
	return out, nil
}

// show returns the candidates in their order as far as there is room, and what was shown, cut and left out: first those
// that are certain, each whole if it can be; then, of the others, the pieces that fit best; then tests that are short
// enough. It returns an error only if the context is done.
func (s *selector) show(ctx context.Context, room int) ([]prompts.File, Selection, error) {
	v := &shown{selector: s, room: room}
	var certain, likely, siblings []*candidate
	for _, c := range s.ranked() {
		switch {
		case c.certain:
			certain = append(certain, c)
		case c.reason == bySibling:
			siblings = append(siblings, c)
		default:
			likely = append(likely, c)
		}
	}
	for _, part := range []func(context.Context) error{
		func(ctx context.Context) error { return v.fill(ctx, certain) },
		func(ctx context.Context) error { return v.fillLikely(ctx, likely) },
		func(ctx context.Context) error { return v.fill(ctx, siblings) },
	} {
		if err := part(ctx); err != nil {
			return nil, Selection{}, err
		}
	}
	return v.files, v.selection(), nil
}
