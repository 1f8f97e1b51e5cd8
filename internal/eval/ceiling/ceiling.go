// Package ceiling measures the best that a model could reach that knows what to change, but not in which lines: it has
// the bot carry out "/tenon fix" on issues whose fixes are known, with a model that knows the fix but uses nothing that
// it was not shown.
package ceiling

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
	"github.com/tenon-bot/tenon/internal/offline"
	"github.com/tenon-bot/tenon/internal/single"
)

// Outcome says whether a pair was solved, or else why not.
type Outcome string

// The outcomes, in the order in which the first that applies is chosen.
const (
	// Solved: the files are as the fix left them.
	Solved Outcome = "solved"
	// NoFix: the mirror has no commit with the fix. The pair is not counted.
	NoFix Outcome = "no fix"
	// Refused: a block was not applied, though it has the lines as they were shown. It is an error of the program.
	Refused Outcome = "refused"
	// Different: the files are not as the fix left them, though all blocks were applied. It is an error of the program.
	Different Outcome = "different"
	// Uncommitted: nothing was committed, though all of the fix was shown.
	Uncommitted Outcome = "uncommitted"
	// ReadOnly: a file of the fix is shown without its secrets, and cannot be edited.
	ReadOnly Outcome = "read-only"
	// NotNameable: the path of a file of the fix was never shown.
	NotNameable Outcome = "not nameable"
	// OutOfRounds: the model would have asked again.
	OutOfRounds Outcome = "out of rounds"
	// NotShown: lines of the fix were not shown, though the model asked for them.
	NotShown Outcome = "not shown"
)

// Result is the result of one pair.
type Result struct {
	ID   string `json:"id"`
	Repo string `json:"repo"`
	Lang string `json:"lang"`
	Kind string `json:"kind"`
	// Fix is the commit with the fix; empty if it was not found.
	Fix     string  `json:"fix"`
	Outcome Outcome `json:"outcome"`
	// Why says more of an outcome that is not Solved.
	Why string `json:"why,omitempty"`
	// Rounds is how often the model asked to see more, and Calls how often it was called. Tokens estimates the length of
	// what it read in its last call, in tokens.
	Rounds int `json:"rounds"`
	Calls  int `json:"calls"`
	Tokens int `json:"tokens"`
}

// Mirror is repositories on the disk.
type Mirror interface {
	History
	// Open returns a commit of a repository.
	Open(ref port.RepoRef, commit string) (repo.Checkout, error)
}

// Run measures pairs, one after the other, and tells each result when it is known. What is shown of a repository at
// first takes at most tokens. It ends with the first pair that cannot be measured.
func Run(ctx context.Context, pairs []eval.Pair, mirror Mirror, tokens int, tell func(Result)) error {
	for _, pair := range pairs {
		result, err := measure(ctx, pair, mirror, tokens)
		if err != nil {
			return fmt.Errorf("pair %s: %w", pair.ID, err)
		}
		tell(result)
	}
	return nil
}

func measure(ctx context.Context, pair eval.Pair, mirror Mirror, tokens int) (Result, error) {
	out := Result{ID: pair.ID, Repo: pair.Repo, Lang: pair.Lang, Kind: pair.Kind}
	commit, before, after, err := fixOf(mirror, pair)
	if errors.Is(err, errNoFix) {
		out.Outcome, out.Why = NoFix, err.Error()
		return out, nil
	}
	if err != nil {
		return Result{}, err
	}
	out.Fix = commit
	opened, err := mirror.Open(pair.Repository(), pair.Base)
	if err != nil {
		return Result{}, err
	}
	source := offline.Share(opened)
	m := newModel(pair.Gold, before, after)
	run := attempt{pair: pair, source: source, model: m, tokens: tokens}
	rec, err := run.carryOut(ctx)
	if err != nil && ctx.Err() != nil {
		return Result{}, err
	}
	out.Rounds, out.Calls, out.Tokens = m.rounds, rec.Calls(), m.tokens
	out.Outcome, out.Why = run.outcome(rec, err, after)
	return out, nil
}

// attempt is the command on the issue of a pair.
type attempt struct {
	pair   eval.Pair
	source offline.Source
	model  *model
	tokens int

	committed *port.Upload // nil until there is a commit
	answers   []port.Comment
}

// carryOut has the bot carry out the command, and returns what it recorded.
func (a *attempt) carryOut(ctx context.Context) (record.Record, error) {
	ref := a.pair.Repository()
	ref.Installation, ref.ID, ref.DefaultBranch = 1, 1, "main"
	title, body, _ := strings.Cut(a.pair.Text, "\n")
	thread := offline.Thread{Repo: ref, Number: 1, Title: strings.TrimSpace(title), Body: body,
		Author: port.User{ID: 2, Login: "reporter"}}
	world := offline.New(thread,
		func(context.Context) (repo.Checkout, error) { return offline.NewOverlay(a.source), nil },
		func(_ context.Context, u port.Upload) (string, error) {
			a.committed = &u
			return strings.Repeat("c", 40), nil
		}, time.Now)
	memory := single.NewMemory(time.Now)
	b := &bot.Bot{GitHub: world.GitHub(), Repos: world.Repos(), Model: a.model, Runs: memory, Queue: memory,
		Budget: memory, Policy: policy.DefaultPolicy(), Slug: "tenon",
		Models: []port.ModelInfo{{Name: "oracle", CodeTokens: a.tokens}},
		Now:    time.Now, Log: slog.New(slog.DiscardHandler)}
	ev := port.Event{Delivery: a.pair.ID, Kind: port.IssueComment, Action: "created", Repo: ref,
		Thread:  port.Thread{Number: thread.Number, Title: thread.Title, URL: thread.URL()},
		Comment: port.Comment{Kind: port.IssueComment, ID: 1, Body: "/tenon fix"}, Sender: port.User{ID: 1, Login: "oracle"},
		Received: time.Now()}
	err := single.Runner{Handler: b}.Handle(ctx, ev)
	a.answers = world.Answers()
	run, _ := memory.Recorded(ev.Delivery)
	rec, unreadable := record.Load(run)
	return rec, errors.Join(err, unreadable)
}

// outcome says what came of the command, and why.
func (a *attempt) outcome(rec record.Record, failed error, after [][]byte) (Outcome, string) {
	results := resultsOf(rec)
	for _, r := range results {
		if !r.Status.Applied() {
			return Refused, fmt.Sprintf("%s: %s %s", r.Path, r.Reason, r.Detail)
		}
	}
	missing := map[string][]int{}
	if a.model.last != nil {
		if len(a.model.last.refusals) > 0 {
			return Refused, strings.Join(a.model.last.refusals, " ")
		}
		missing = a.model.missing()
	}
	different := a.different(after)
	switch {
	case failed == nil && len(different) == 0:
		return Solved, ""
	case failed != nil:
		return Uncommitted, failed.Error()
	case a.model.last == nil:
		return Uncommitted, "the model was not asked: " + a.answer()
	case len(missing) > 0:
		return a.unshown(missing)
	}
	for _, name := range a.pair.Gold {
		if a.model.last.readOnly[name] {
			return ReadOnly, name
		}
	}
	if a.committed == nil {
		return Uncommitted, a.answer()
	}
	return Different, strings.Join(different, ", ")
}

// unshown says why lines of the fix were not shown.
func (a *attempt) unshown(missing map[string][]int) (Outcome, string) {
	for _, name := range a.pair.Gold {
		if len(missing[name]) > 0 && !a.model.last.seen.Names(name) {
			return NotNameable, name
		}
	}
	var why []string
	for _, name := range a.pair.Gold {
		if n := len(missing[name]); n > 0 {
			why = append(why, fmt.Sprintf("%s: %d lines, the first is %d", name, n, missing[name][0]))
		}
	}
	if a.model.rounds >= retrieve.MaxRounds {
		return OutOfRounds, strings.Join(why, "; ")
	}
	return NotShown, strings.Join(why, "; ")
}

// different returns the files of the fix that are not as it left them. A line feed at their ends does not count: a
// block cannot say whether there is one.
func (a *attempt) different(after [][]byte) (out []string) {
	for i, name := range a.pair.Gold {
		same := false
		if a.committed != nil {
			for _, c := range a.committed.Changes {
				same = same || c.Path == name && bytes.Equal(bytes.TrimRight(c.Data, "\n"), bytes.TrimRight(after[i], "\n"))
			}
		}
		if !same {
			out = append(out, name)
		}
	}
	return out
}

// answer returns the beginning of what the bot answered.
func (a *attempt) answer() string {
	if len(a.answers) == 0 {
		return "there is no answer"
	}
	text := strings.Join(strings.Fields(a.answers[len(a.answers)-1].Body), " ")
	return text[:min(len(text), 300)]
}

// resultsOf returns the results of the edits.
func resultsOf(rec record.Record) []record.Result {
	if rec.Committed != nil {
		return rec.Committed.Results
	}
	if n := len(rec.Applications); n > 0 {
		return rec.Applications[n-1].Results
	}
	return nil
}
