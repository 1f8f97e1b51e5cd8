package bot

import (
	"cmp"
	"context"
	"errors"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// runApply commits blocks that exist already: in a preview, or in a comment. No model is asked.
func runApply(ctx context.Context, r *run) error {
	if r.inv.Offered {
		return runOffered(ctx, r)
	}
	source, err := record.Do(ctx, r.journal, record.SourceFound,
		func(ctx context.Context) (record.Source, error) { return r.sourceFinder().find(ctx) })
	if err != nil {
		return err
	}
	if source.Resolution != "" {
		resolve, _ := command.Lookup(command.Resolve)
		if err := r.permits(resolve); err != nil {
			return err
		}
		return runSettle(ctx, r, selection{all: true})
	}
	c, err := findCandidates(ctx, r.history(), source)
	if err != nil {
		return err
	}
	r.files.want(c.paths()...)
	if c.origin != nil && r.ev.Kind == port.Ticked && c.origin.Answer.Comment != r.ev.Comment.ID {
		return nil // a copy of the preview
	}
	c.Target, err = record.Do(ctx, r.journal, record.Opened, func(ctx context.Context) (record.Target, error) {
		// The event of a button does not tell the title.
		return r.open(ctx, cmp.Or(c.base, r.inv.Options.Base), cmp.Or(r.ev.Thread.Title, c.title))
	})
	if err != nil {
		return err
	}
	if c.origin != nil {
		if c.outcomes, c.sums, err = r.history().BlockOutcomes(ctx, *c.origin, c.Target); err != nil {
			return err
		}
	}
	numbers, ticked, warnOnly := r.inv.Numbers, r.ev.Kind == port.Ticked, r.policy.WarnOnly
	if c.Choice, err = record.Do(ctx, r.journal, record.Chosen,
		func(context.Context) (record.Choice, error) { return c.choose(numbers, ticked, warnOnly) }); err != nil {
		return err
	}
	if len(c.Numbers) == 0 { // all boxes that were ticked are of blocks that are committed
		return r.previewer().redraw(ctx, c, record.Committed{})
	}
	if c.Conversation, err = c.Conversation.Only(c.Numbers); err != nil {
		return err
	}
	c.seeEarlierCommits()
	return deliverChange(ctx, r, c.Target, r.changer().applying(&c),
		func(s report.Summary) report.Summary { return c.summary(s, numbers != nil || ticked, warnOnly) },
		func(ctx context.Context, commit record.Committed, body string) error {
			return r.previewer().answer(ctx, c, commit, body)
		})
}

// summary adds to a summary where the blocks are from. named reports whether people chose them, warnOnly whether those
// after which a file does not parse are taken as well.
func (c candidates) summary(s report.Summary, named, warnOnly bool) report.Summary {
	s.Source = c.sourceWords(named, warnOnly)
	if c.origin == nil {
		s.Reply.Problems = c.Conversation.Problems()
	} else {
		s.Reply.Explanation = c.Conversation.Reply().Explanation
	}
	return s
}

// sourceWords says where the blocks are from, and whose they are; named reports whether people chose them, warnOnly
// whether those after which a file does not parse are taken as well.
func (c candidates) sourceWords(named, warnOnly bool) string {
	if c.origin == nil {
		return sentence.FromComment(c.source(), c.Author, c.Numbers, len(c.Conversation.Replies[0].Blocks))
	}
	text := sentence.FromPreview(c.source(), c.Numbers, c.Passed)
	if !named {
		if numbers := c.leftOut(); len(numbers) > 0 && !warnOnly {
			text += " " + sentence.LeftOut(numbers)
		}
		if numbers := c.unboxed(); len(numbers) > 0 {
			text += " " + c.unboxedWords(numbers)
		}
	}
	return text
}

// answer answers an apply, and shows in the preview the result of its blocks. If a box was ticked, the preview is the
// answer.
func (p previewer) answer(ctx context.Context, c candidates, commit record.Committed, body string) error {
	a := p.answers
	if a.ev.Kind != port.Ticked {
		if err := recordSeen(ctx, a.journal, commit, body, ""); err != nil {
			return err
		}
	}
	if c.origin != nil && commit.SHA != "" {
		if _, err := record.Do(ctx, a.journal, record.SumsTaken,
			func(context.Context) (map[string]string, error) { return c.sums, nil }); err != nil {
			return err
		}
	}
	if a.ev.Kind == port.Ticked && commit.Unpushed == "" {
		_, err := record.Do(ctx, a.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
			answer := c.origin.Answer
			answer.At = a.now() // what it says now
			err := p.redraw(ctx, c, commit)
			if err == nil && a.journal.Record().Waiting != nil { // a comment says that the run waits
				return a.put(ctx, a.place(), a.signed(body))
			}
			if errors.Is(err, port.ErrNotFound) { // somebody deleted it; people must be told what was done anyway
				return a.post(ctx, a.place(), a.signed(body), a.github.Post)
			}
			return answer, err
		})
		return err
	}
	if _, err := a.finish(ctx, a.place(), body); err != nil || c.origin == nil || c.origin.Made != nil {
		return err
	}
	if err := p.redraw(ctx, c, commit); err != nil {
		p.log.WarnContext(ctx, "preview not updated", "error", err)
	}
	return nil
}
