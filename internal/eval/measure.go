package eval

import (
	"context"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Result is the result of one pair.
type Result struct {
	ID   string `json:"id"`
	Repo string `json:"repo"`
	Lang string `json:"lang"`
	Kind string `json:"kind"`
	// Shown are the files that the prompt shows, the likeliest first.
	Shown []retrieve.ShownFile `json:"shown"`
	// Any and All report whether one and all of the changed files are shown, at least in part, and None that no file
	// is shown at all. LinesAny and LinesAll report whether one and all of the changed lines are shown.
	Any      bool `json:"any"`
	All      bool `json:"all"`
	None     bool `json:"none"`
	LinesAny bool `json:"lines_any"`
	LinesAll bool `json:"lines_all"`
	// Nameable reports whether all changed files are shown or in a list of paths.
	Nameable bool `json:"nameable"`
	// Solved reports whether all changed lines are shown in the end: at once, or after Rounds of asking.
	Solved bool    `json:"oracle_solved"`
	Rounds []Round `json:"rounds"`
	// Tokens estimates the length of what is shown: the files, their outlines and the lists of paths.
	Tokens int `json:"tokens"`
	// ColdMS is how long the first selection took, with reading the files, and SelectMS a second one, in milliseconds.
	ColdMS   float64 `json:"cold_ms"`
	SelectMS float64 `json:"select_ms"`
}

// Open returns a commit of a repository.
type Open func(port.RepoRef, string) (repo.Checkout, error)

// Run measures pairs, one after the other so that none slows another down. What is shown of a repository takes at most
// room bytes. It ends with the first pair that cannot be measured.
func Run(ctx context.Context, pairs []Pair, open Open, room int) ([]Result, error) {
	results := make([]Result, 0, len(pairs))
	for _, pair := range pairs {
		checkout, err := open(pair.Repository(), pair.Base)
		if err != nil {
			return nil, fmt.Errorf("pair %s: %w", pair.ID, err)
		}
		result, err := measure(ctx, pair, checkout, room)
		if err != nil {
			return nil, fmt.Errorf("pair %s: %w", pair.ID, err)
		}
		results = append(results, result)
	}
	return results, nil
}

// measure selects files for a pair, compares them with the fix, and lets the oracle ask for what is missing.
func measure(ctx context.Context, pair Pair, checkout repo.Checkout, room int) (Result, error) {
	query := issueQuery(pair)
	found, cold, err := timedSelect(ctx, checkout, query, room)
	if err != nil {
		return Result{}, err
	}
	_, warm, err := timedSelect(ctx, checkout, query, room)
	if err != nil {
		return Result{}, err
	}
	known := newSeen(pair.Text, found)
	out := Result{
		ID: pair.ID, Repo: pair.Repo, Lang: pair.Lang, Kind: pair.Kind,
		Shown:  append([]retrieve.ShownFile{}, found.Selection.Files...), // an empty list in JSON, not null
		Tokens: tokens(sizeOf(found)), ColdMS: milliseconds(cold), SelectMS: milliseconds(warm),
	}
	out.compare(pair, known)
	o, err := newOracle(ctx, pair, checkout, known)
	if err != nil {
		return Result{}, err
	}
	rounds, err := o.solve(ctx, answerer(checkout, query, found.Selection))
	if err != nil {
		return Result{}, err
	}
	out.Rounds = append([]Round{}, rounds...)
	out.Solved = o.unseen() == 0
	return out, nil
}

// timedSelect selects files as the bot does.
func timedSelect(ctx context.Context, checkout repo.Checkout, q retrieve.Query, room int) (retrieve.Found,
	time.Duration, error) {
	begun := time.Now()
	found, err := retrieve.Select(ctx, checkout, q, retrieve.RoomOf(room))
	return found, time.Since(begun), err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// sizeOf returns how many bytes of a repository are shown.
func sizeOf(found retrieve.Found) (n int) {
	for _, f := range found.Files {
		n += len(f.Path) + len(f.Outline)
		for _, p := range f.Parts {
			n += len(p.Text)
		}
	}
	for folder, names := range lists(found) {
		n += len(folder)
		for _, name := range names {
			n += len(name) + 1
		}
	}
	return n
}

// tokens estimates the length of a text of n bytes.
func tokens(n int) int { return n / port.BytesPerToken }

// compare fills in how much of the fix was shown.
func (r *Result) compare(pair Pair, s *Seen) {
	r.None = len(s.files) == 0
	r.All, r.LinesAll, r.Nameable = true, true, true
	for _, name := range pair.Gold {
		_, shown := s.files[name]
		r.Any = r.Any || shown
		r.All = r.All && shown
		r.Nameable = r.Nameable && s.Listed(name)
		for _, line := range pair.changedLines(name) {
			shown := s.Shows(name, line)
			r.LinesAny = r.LinesAny || shown
			r.LinesAll = r.LinesAll && shown
		}
	}
}
