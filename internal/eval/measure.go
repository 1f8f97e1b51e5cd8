package eval

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Result is the result of one pair with one budget.
type Result struct {
	// Budget is how much the prompts could show of the repository, in tokens.
	Budget int    `json:"budget"`
	ID     string `json:"id"`
	Repo   string `json:"repo"`
	Lang   string `json:"lang"`
	Kind   string `json:"kind"`
	// Offered counts the files that a model was offered, 0 if it was not asked. Chosen are those that it chose.
	Offered int      `json:"offered"`
	Chosen  []string `json:"chosen"`
	// Shown are the files that the prompt shows, the likeliest first.
	Shown []retrieve.ShownFile `json:"shown"`
	// LinesAny and LinesAll report whether one and all of the changed lines are shown. Any and All report whether one and
	// all of the changed files are, at least in part, and None that no file is shown at all.
	LinesAny bool `json:"lines_any"`
	LinesAll bool `json:"lines_all"`
	Any      bool `json:"any"`
	All      bool `json:"all"`
	None     bool `json:"none"`
	// Nameable reports whether all changed files are shown or in a list of paths.
	Nameable bool `json:"nameable"`
	// Solved reports whether all changed lines are shown in the end: at once, or after Rounds of asking.
	Solved bool    `json:"oracle_solved"`
	Rounds []Round `json:"rounds"`
	// Tokens estimates the length of what is shown: the files, their outlines and the lists of paths. FileTokens is that
	// of the files and outlines, GoldTokens that of the changed files among them, and ChooseTokens that of the offer.
	Tokens       int `json:"tokens"`
	FileTokens   int `json:"file_tokens"`
	GoldTokens   int `json:"gold_tokens"`
	ChooseTokens int `json:"choose_tokens"`
	// SelectMS is how long the selection took when the files were in memory, in milliseconds.
	SelectMS float64 `json:"select_ms"`
}

// Mirror has repositories. It need not be safe for concurrent use.
type Mirror interface {
	// Open returns a commit of a repository. It may be read until another repository is opened, or the mirror closed.
	Open(ref port.RepoRef, commit string) (repo.Checkout, error)
	Close() error
}

// Options say how pairs are measured.
type Options struct {
	// Budgets are how much the prompts may show of a repository, in tokens: what a model chooses from, and the first
	// prompt with the files. Each pair is measured with each of them.
	Budgets []int
	Choice  Choice
	// Jobs is how many repositories are measured at a time, at least one. More of them make each selection slower.
	Jobs int
}

// Run measures pairs, and returns the results of each pair in the order of the pairs. It opens mirrors, and closes
// them. It ends with the first pair that cannot be measured.
func Run(ctx context.Context, pairs []Pair, open func() Mirror, options Options) ([]Result, error) {
	documents := lexical.NewCache(documentBytes)
	results := make([][]Result, len(pairs))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(1, options.Jobs))
	for _, same := range byRepository(pairs) {
		group.Go(func() (err error) {
			mirror := open()
			defer func() { err = errors.Join(err, mirror.Close()) }()
			for _, i := range same {
				if results[i], err = measure(ctx, pairs[i], mirror, documents, options); err != nil {
					return fmt.Errorf("pair %s: %w", pairs[i].ID, err)
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return slices.Concat(results...), nil
}

// byRepository returns the indexes of pairs, those of the same repository together.
func byRepository(pairs []Pair) (groups [][]int) {
	known := map[string]int{}
	for i, p := range pairs {
		at, ok := known[p.Repo]
		if !ok {
			at = len(groups)
			known[p.Repo], groups = at, append(groups, nil)
		}
		groups[at] = append(groups[at], i)
	}
	return groups
}

// measure measures a pair with each budget. The files are read once.
func measure(ctx context.Context, pair Pair, mirror Mirror, documents *lexical.Cache, o Options) ([]Result, error) {
	checkout, err := mirror.Open(pair.Repository(), pair.Base)
	if err != nil {
		return nil, err
	}
	if err := checkGold(pair, checkout); err != nil {
		return nil, err
	}
	m := measurement{pair, checkout, issueQuery(pair, documents), o.Choice, offerFor}
	if _, err := m.choose(ctx, o.Budgets[0]); err != nil { // reads the files, so that the times are of the selection alone
		return nil, err
	}
	results := make([]Result, 0, len(o.Budgets))
	for _, budget := range o.Budgets {
		result, err := m.with(ctx, budget)
		if err != nil {
			return nil, err
		}
		results = append(results, result)
	}
	return results, nil
}

// checkGold returns an error if a commit lacks a file that the fix changed.
func checkGold(pair Pair, checkout repo.Checkout) error {
	for _, name := range pair.Gold {
		if _, ok := checkout.Blob(name); !ok {
			return fmt.Errorf("commit %s has no such file that the fix changed: %s", checkout.SHA(), name)
		}
	}
	return nil
}

// measurement measures a pair.
type measurement struct {
	pair     Pair
	checkout repo.Checkout
	query    retrieve.Query
	choice   Choice
	offer    func(context.Context, repo.Checkout, retrieve.Query, retrieve.Room) (offer, error)
}

// selection is what a model is shown, and what it could choose from before that.
type selection struct {
	query retrieve.Query
	offer offer
	found retrieve.Found
	took  time.Duration // to find it
}

// choose selects files as the bot does. If a model is asked, its choice is simulated, and what it chooses from takes
// part of the budget.
func (m *measurement) choose(ctx context.Context, budget int) (out selection, err error) {
	out.query = m.query
	room := budget * port.BytesPerToken
	if m.choice.asked {
		if out.offer, err = m.offer(ctx, m.checkout, m.query, retrieve.RoomOf(room)); err != nil {
			return out, err
		}
	}
	if len(out.offer.paths) > 0 {
		out.query.Chosen = m.choice.of(m.pair, out.offer)
		room = max(0, room-out.offer.bytes)
	}
	begun := time.Now()
	out.found, err = retrieve.Select(ctx, m.checkout, out.query, retrieve.RoomOf(room))
	out.took = time.Since(begun)
	return out, err
}

// with selects files within a budget, compares them with the fix, and lets the oracle ask for what is missing.
func (m *measurement) with(ctx context.Context, budget int) (Result, error) {
	s, err := m.choose(ctx, budget)
	if err != nil {
		return Result{}, err
	}
	out := Result{
		Budget: budget, ID: m.pair.ID, Repo: m.pair.Repo, Lang: m.pair.Lang, Kind: m.pair.Kind,
		Shown:    append([]retrieve.ShownFile{}, s.found.Selection.Files...), // an empty list in JSON, not null
		SelectMS: float64(s.took.Microseconds()) / 1000,
	}
	out.count(m.pair, s)
	known := newSeen(m.pair.Text, s.found)
	out.compare(m.pair, known)
	o := oracle{m.pair, known}
	rounds, err := o.solve(ctx, answerer(m.checkout, s.query, s.found.Selection))
	if err != nil {
		return Result{}, err
	}
	out.Rounds = append([]Round{}, rounds...)
	out.Solved = o.unseen() == 0
	return out, nil
}

// count fills in how much is shown.
func (r *Result) count(pair Pair, s selection) {
	r.Offered, r.Chosen = len(s.offer.paths), []string{}
	for _, a := range s.query.Chosen {
		r.Chosen = append(r.Chosen, a.Path)
	}
	files, gold := 0, 0
	for _, f := range s.found.Files {
		n := len(f.Path) + len(f.Outline)
		for _, p := range f.Parts {
			n += len(p.Text)
		}
		files += n
		if slices.Contains(pair.Gold, f.Path) {
			gold += n
		}
	}
	r.FileTokens, r.GoldTokens = tokens(files), tokens(gold)
	r.Tokens = tokens(files + listBytes(s.found))
	r.ChooseTokens = tokens(s.offer.bytes)
}

// listBytes returns how many bytes the lists of paths have.
func listBytes(found retrieve.Found) (n int) {
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
