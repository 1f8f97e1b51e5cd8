package resolution

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/prompts"
	"github.com/tenon-bot/tenon/syntax"
)

// Model returns a model's reply to a conversation.
type Model func(ctx context.Context, system string, messages []port.Message) (string, error)

// Options say how a model is asked.
type Options struct {
	// Most is how many bytes the conflicts of one question may have, with what is shown of their files: about.
	Most int
	// Hidden reports whether nothing of a file may be shown, so that its conflicts are for people.
	Hidden func(path string) bool
	// Nonce returns what delimiters carry; another one for each message.
	Nonce func() string
}

// Result is what became of the conflicts of a merge.
type Result struct {
	// Settled are the conflicts that have an answer, also those that it leaves open.
	Settled Settled
	// Problems say why others have none. TooLarge are those that are too large for a question, Hidden those of files of
	// which nothing may be shown.
	Problems         []choice.Problem
	TooLarge, Hidden []int
}

// Settle asks a model about the conflicts that are not settled. Answers that cannot be used, and those that break a
// file, go back to it once. If the model cannot be asked, the result has what was settled before.
func (m Merge) Settle(ctx context.Context, ask Model, settled Settled, o Options) (Result, error) {
	w := meter.Within(ctx, meter.Default)
	r := Result{Settled: maps.Clone(settled)}
	if r.Settled == nil {
		r.Settled = Settled{}
	}
	m, r.Hidden = m.shown(r.Settled, o.Hidden)
	var questions []question
	questions, r.TooLarge = m.questions(w, r.Settled, o.Most)
	for _, q := range questions {
		problems, err := q.settle(ctx, w, ask, r.Settled, o.Nonce)
		if err != nil {
			return r, fmt.Errorf("asking the model: %w", err)
		}
		r.Problems = append(r.Problems, problems...)
	}
	return r, nil
}

// settle asks a question, and adds the answers to those of a merge. It returns the problems of the conflicts that have
// no answer then.
func (q question) settle(ctx context.Context, w *meter.Work, ask Model, settled Settled, nonce func() string) (
	[]choice.Problem, error) {
	q.shown.Nonce = nonce()
	system, user := prompts.Resolve(q.shown)
	messages := []port.Message{{Role: "user", Text: user}}
	reply, err := ask(ctx, system, messages)
	if err != nil {
		return nil, err
	}
	problems := q.read(reply, q.conflicts, settled)
	again := prompts.AgainInput{Nonce: nonce()}
	ids := map[int]bool{}
	for _, p := range problems {
		again.Problems = append(again.Problems, p.String())
		ids[p.ID] = true
	}
	for _, f := range q.files {
		text, open := f.Text(settled.Lines())
		if len(open) > 0 {
			continue
		}
		if found := f.Check(w, text).Problems; len(found) > 0 {
			again.Broken = append(again.Broken, prompts.BrokenFile{Path: f.Path, Problems: words(found)})
			for _, c := range f.Conflicts() {
				ids[c.ID] = true
			}
		}
	}
	conflicts := slices.DeleteFunc(slices.Clone(q.conflicts), func(c choice.Conflict) bool { return !ids[c.ID] })
	if len(conflicts) == 0 {
		return nil, nil
	}
	for _, c := range conflicts {
		again.Names = append(again.Names, choice.Name(c.ID))
	}
	messages = append(messages, port.Message{Role: "assistant", Text: reply},
		port.Message{Role: "user", Text: prompts.ResolveAgain(again)})
	if reply, err = ask(ctx, system, messages); err != nil {
		return nil, err
	}
	problems = q.read(reply, conflicts, settled)
	return slices.DeleteFunc(problems, func(p choice.Problem) bool { _, ok := settled[p.ID]; return ok }), nil
}

// read adds the answers of a reply, and returns what is wrong with those to the conflicts.
func (q question) read(reply string, conflicts []choice.Conflict, settled Settled) []choice.Problem {
	answers, problems := choice.Parse(reply, conflicts)
	for _, a := range answers {
		if hasPlaceholder(a.Lines) {
			problems = append(problems, choice.Problem{ID: a.ID, Reason: choice.NoLines,
				Detail: "a new line has [redacted], which stands for a secret that you cannot see"})
			continue
		}
		settled[a.ID] = a
	}
	return slices.DeleteFunc(problems, func(p choice.Problem) bool { return p.Reason == choice.Unknown })
}

var placeholder = regexp.MustCompile(`\[redacted(?:: [^\]]*)?\]`)

// hasPlaceholder reports whether new lines have what the model is shown in place of a secret.
func hasPlaceholder(lines []choice.Line) bool {
	return slices.ContainsFunc(lines, func(l choice.Line) bool {
		return l.Origin == choice.New && placeholder.MatchString(l.Text)
	})
}

// Check returns the problems that a file has with a text and that neither side has, or why they are not known.
func (f File) Check(w *meter.Work, text []byte) syntax.Result {
	found := syntax.Check(w, f.Path, f.Ours, text)
	if len(found.Problems) == 0 {
		return found
	}
	inTheirs := syntax.Check(w, f.Path, f.Theirs, text)
	found.Problems = slices.DeleteFunc(found.Problems,
		func(p syntax.Problem) bool { return !slices.Contains(inTheirs.Problems, p) })
	found.Unchecked = cmp.Or(found.Unchecked, inTheirs.Unchecked)
	return found
}

// words returns one line for each problem.
func words(problems []syntax.Problem) (out []string) {
	for _, p := range problems {
		out = append(out, fmt.Sprintf("line %d: %s", p.Line, p.Message))
	}
	return out
}
