package eval

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
)

// Result is what came of one pair.
type Result struct {
	ID   string `json:"id"`
	Repo string `json:"repo"`
	Lang string `json:"lang"`
	Kind string `json:"kind"`
	// Shown are the files that the prompt shows, the first one first.
	Shown []retrieve.ShownFile `json:"shown"`
	// Any and All report whether one and all of the changed files are shown, at least in part, and None that no file
	// is shown at all. LinesAny and LinesAll report whether one and all of the changed lines are shown.
	Any      bool `json:"any"`
	All      bool `json:"all"`
	None     bool `json:"none"`
	LinesAny bool `json:"lines_any"`
	LinesAll bool `json:"lines_all"`
	// Nameable reports whether the paths of all changed files are in the prompt.
	Nameable bool `json:"nameable"`
	// Tokens estimates the length of what is shown: the files, their outlines and the list of paths.
	Tokens int `json:"tokens"`
	// ColdMS is how long the first selection took, with reading the files, and SelectMS a second one, in milliseconds.
	ColdMS   float64 `json:"cold_ms"`
	SelectMS float64 `json:"select_ms"`
}

// Measure selects files for a pair as the bot does for a comment "/tenon fix" on the issue, in room bytes, and
// compares them with the fix. The checkout is at the pair's base.
func Measure(ctx context.Context, pair Pair, checkout repo.Checkout, room int) (Result, error) {
	if err := pair.in(checkout); err != nil {
		return Result{}, fmt.Errorf("pair %s: %w", pair.ID, err)
	}
	query := issueQuery(pair)
	found, cold, err := timedSelect(ctx, checkout, query, room)
	if err != nil {
		return Result{}, fmt.Errorf("pair %s: %w", pair.ID, err)
	}
	again, warm, err := timedSelect(ctx, checkout, query, room)
	if err != nil {
		return Result{}, fmt.Errorf("pair %s: %w", pair.ID, err)
	}
	if len(again.Files) != len(found.Files) {
		return Result{}, fmt.Errorf("pair %s: the second selection shows other files than the first", pair.ID)
	}
	out := Result{
		ID: pair.ID, Repo: pair.Repo, Lang: pair.Lang, Kind: pair.Kind,
		Shown: found.Selection.Files, Tokens: tokensOf(found), ColdMS: milliseconds(cold), SelectMS: milliseconds(warm),
	}
	prompt := seenIn(found)
	out.compare(pair, prompt)
	return out, nil
}

// in returns an error unless the checkout has the changed files.
func (p Pair) in(checkout repo.Checkout) error {
	for _, name := range p.Gold {
		if _, err := checkout.Executable(name); err != nil {
			return fmt.Errorf("commit %s of %s has no file %q", p.Base, p.Repo, name)
		}
	}
	return nil
}

// issueQuery returns what the bot selects files for when "/tenon fix" is a comment on the issue.
func issueQuery(pair Pair) retrieve.Query {
	title, body, _ := strings.Cut(pair.Text, "\n")
	return retrieve.Query{
		Repos: noRepos{}, Repo: pair.repository(), Branch: "main", Policy: policy.DefaultPolicy(),
		Comment: port.Comment{Body: command}, Page: "https://github.com/" + pair.Repo + "/issues/1",
		Command: command, Title: title, About: body, Documents: documents,
	}
}

// documents are kept from one pair of a repository to the next, as the bot does.
var documents = lexical.NewCache(64 << 20)

// command is the comment on the issue.
const command = "/tenon fix"

// noRepos has no other commits: links to them in an issue lead nowhere.
type noRepos struct{}

func (noRepos) Open(context.Context, port.RepoRef, string, string, ...string) (repo.Checkout, error) {
	return nil, port.ErrNotFound
}

func timedSelect(ctx context.Context, checkout repo.Checkout, q retrieve.Query, room int) (retrieve.Found,
	time.Duration, error) {
	begun := time.Now()
	found, err := retrieve.Select(ctx, checkout, q, room)
	return found, time.Since(begun), err
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// tokensOf estimates the length of what the prompt shows of the repository.
func tokensOf(found retrieve.Found) int {
	n := 0
	for _, f := range found.Files {
		n += len(f.Path) + len(f.Outline)
		for _, p := range f.Parts {
			n += len(p.Text)
		}
	}
	for _, l := range append(found.Paths, found.Listings...) {
		n += len(l.Folder) + len(strings.Join(l.Names, "\n"))
	}
	return n / port.BytesPerToken
}
