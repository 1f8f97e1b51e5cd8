package bot

import (
	"context"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// runRun carries out file operations that the newest answer with suggestions offers.
func runRun(ctx context.Context, s *session) error {
	t, err := record.Do(ctx, s.Journal, "open", func() (record.Target, error) { return s.open(ctx) })
	if err != nil {
		return err
	}
	c, err := record.Do(ctx, s.Journal, "run", func() (record.Operations, error) { return s.pickOperations(ctx, t) })
	if err != nil {
		return err
	}
	w := work{
		stage: func(ctx context.Context, tip repo.Checkout) (engine.Outcome, error) {
			f := &edit.FileOps{Checkout: tip, Protected: s.policy.Protects}
			f.Remember(c.Folders...)
			out, err := f.Run(c.Ops())
			if err == nil && t.Fork != nil { // a patch may have to show them
				err = tip.Load(ctx, out.Changed...)
			}
			return out, err
		},
		message: func(a record.Application) string {
			n := record.Count(a.Results)
			done := fmt.Sprintf("Suggested by run %s. Applied %d, failed %d, skipped %d of %d file operations.", c.Run, n.Applied, n.Failed, n.Skipped, len(a.Results))
			return s.messageOf(fmt.Sprintf("chore: carry out file operations from #%d", s.ev.Thread.Number), done)
		},
	}
	return s.commitWithoutModel(ctx, t, w, func(r report.Summary) (title, body string) { return report.RunWords(s.Run.ID, c, r) })
}

// pick finds the suggestions that the command's numbers mean, in the order of the answer; all of them can be carried out, or it
// is a mistake.
func (s *session) pickOperations(ctx context.Context, t record.Target) (record.Operations, error) {
	run, list, err := s.suggested(ctx, t)
	if err != nil {
		return record.Operations{}, err
	}
	c := record.Operations{Run: run}
	for _, n := range slices.Sorted(slices.Values(s.inv.Numbers)) {
		if n > len(list) {
			return record.Operations{}, &port.UserError{Text: fmt.Sprintf("There is no suggestion %d, so nothing was done: the newest answer with suggestions, of run `%s`, shows %d.", n, run, len(list))}
		}
		one := list[n-1]
		if one.Op == nil {
			return record.Operations{}, &port.UserError{Text: fmt.Sprintf("tenon does not carry out suggestion %d, %s, so nothing was done. It moves and removes files of the repository, as `git mv` and `git rm` do, on plain paths and in at most %d characters; any other command is for you to run.", n, markdown.Code(markdown.Clip(one.Command, markdown.MaxCell)), markdown.MaxCell)}
		}
		c.Chosen = append(c.Chosen, record.Operation{Number: n, Command: one.Command, Op: *one.Op})
	}
	for _, one := range list {
		if one.Op != nil && one.Op.Kind == engine.OpMkdir {
			c.Folders = append(c.Folders, one.Op.Paths...)
		}
	}
	return c, nil
}

// suggested are the suggestions that the newest answer with any shows.
func (s *session) suggested(ctx context.Context, t record.Target) (run string, list []engine.Suggestion, err error) {
	past, err := s.history().Past(ctx, t)
	if err != nil {
		return "", nil, err
	}
	for _, p := range past {
		talk, err := conversation.RecordedTalk(p.Run)
		if err != nil {
			return "", nil, err
		}
		said, answered, err := record.Get[record.AnswerComment](record.JournalOf(p.Run), "report")
		if err != nil {
			return "", nil, err
		}
		list := talk.Suggestions()
		switch {
		case !answered || talk.IsQuestion() || len(list) == 0:
		case said.After(s.ev):
			return "", nil, &port.UserError{Text: fmt.Sprintf("When you gave the command, [the newest answer that suggests commands](%s) was not there yet, so you cannot have meant those. Nothing was done. Read it, and give the command again.", said.URL)}
		default:
			return p.ID, list[:min(len(list), markdown.MaxListed)], nil
		}
	}
	return "", nil, &port.UserError{Text: "No answer here suggests commands, so there is nothing to run."}
}
