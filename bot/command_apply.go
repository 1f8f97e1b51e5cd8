package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/engine"
)

// runApply commits blocks that stand somewhere already: in a preview, or in a comment. No model is asked.
func runApply(ctx context.Context, s *session) error {
	from, err := record.Do(ctx, s.Journal, "source", func() (record.Source, error) { return s.source(ctx) })
	if err != nil {
		return err
	}
	o, err := s.blocksToApply(ctx, from)
	if err != nil {
		return err
	}
	if o.view != nil && s.ev.Kind == port.Ticked && o.view.Said.Comment != s.ev.Comment.ID {
		return nil // its marks are a copy
	}
	if o.Target, err = record.Do(ctx, s.Journal, "open", func() (record.Target, error) { return s.open(ctx) }); err != nil {
		return err
	}
	if o.view != nil {
		if o.fates, o.sums, err = s.history().BlockOutcomes(ctx, *o.view, o.Target); err != nil {
			return err
		}
	}
	if o.Choice, err = record.Do(ctx, s.Journal, "choice", func() (record.Choice, error) { return s.choice(o) }); err != nil {
		return err
	}
	if len(o.Numbers) == 0 { // only boxes of what is committed were ticked
		return s.redraw(ctx, o, record.Committed{})
	}
	o.Talk = o.Talk.Only(o.Numbers)
	o.resume()
	return s.commitWithoutModelAnd(ctx, o.Target, s.applying(&o), func(r report.Summary) (title, body string) { return s.applyWords(o, r) },
		func(ctx context.Context, made record.Committed, body string) error {
			return s.tellApplied(ctx, o, made, body)
		})
}

// offering is what an apply can choose from, and what it chose.
type offering struct {
	record.Source
	conversation.Job
	// view is the preview; nil where the blocks are a comment's. fates are what became of its blocks.
	view  *history.Preview
	fates map[int]history.BlockOutcome
	record.Choice
	// sums are those of the files that commits of the preview left, the one of this run among them when it is made.
	sums map[string]string
}

// offering reads the blocks of a source.
func (s *session) blocksToApply(ctx context.Context, from record.Source) (offering, error) {
	o := offering{Source: from}
	if from.Preview == "" {
		o.Talk = conversation.Pasted(from.Text)
	} else {
		v, err := s.history().PreviewOf(ctx, from.Preview)
		if err != nil {
			return offering{}, err
		}
		o.view, o.Job = &v, v.Job
		if v.Target.New { // it was for the base that was named then
			s.inv.Options.Base = v.Target.Base
		}
	}
	for _, b := range o.Talk.Blocks() { // so that they come with the commit
		if len(s.inv.Options.Files) < maxLikely && !slices.Contains(s.inv.Options.Files, b.Path) {
			s.inv.Options.Files = append(s.inv.Options.Files, b.Path)
		}
	}
	return o, nil
}

// choice chooses the blocks that were named, or all that are left.
func (s *session) choice(o offering) (record.Choice, error) {
	p := record.Choice{Run: o.Preview}
	total := len(o.Talk.Plan())
	var missing []int
	for n := 1; n <= markdown.MaxNumber; n++ {
		switch named := slices.Contains(s.inv.Numbers, n); {
		case named && n > total:
			missing = append(missing, n)
		case named && o.fates[n].Done():
			p.Passed = append(p.Passed, n)
		case named, s.inv.Numbers == nil && n <= total && o.left(n):
			p.Numbers = append(p.Numbers, n)
		}
	}
	switch {
	case s.ev.Kind == port.Ticked:
		return p, nil
	case len(missing) > 0:
		return record.Choice{}, &port.UserError{Text: fmt.Sprintf("%s has %d %s, so there is no %s. Nothing was committed.", o.name(true), total, markdown.Plural(total, "edit"), command.NumberList(missing))}
	case len(p.Numbers) == 0:
		return record.Choice{}, &port.UserError{Text: o.nothingLeft(p.Passed)}
	}
	return p, nil
}

// left says that a block is to be taken when all are.
func (o offering) left(n int) bool {
	return o.view == nil || o.view.Fits(n) && !o.fates[n].Done()
}

func (o offering) nothingLeft(passed []int) string {
	switch {
	case len(passed) > 0:
		return fmt.Sprintf("%s %s of %s: committed already, or in the file without that. Nothing was left to do.", markdown.Plural(len(passed), "Edit"), command.NumberList(passed), o.name(false))
	case record.Count(o.view.Results).Applied > 0:
		return fmt.Sprintf("All edits of %s that fit are committed already. Nothing was left to do.", o.name(false))
	}
	return fmt.Sprintf("No edit of %s fits, so there is nothing to commit. Name those that you want tried all the same, as in `/tenon apply 1`.", o.name(false))
}

// applying does the blocks that were chosen, as a fix does: under the same rules of what may be touched, and of how exactly a
// block must fit a file that the model has seen, that changed since, or that it never saw.
func (s *session) applying(o *offering) work {
	return work{
		stage: func(ctx context.Context, checkout repo.Checkout) (out engine.Outcome, err error) {
			known, err := s.asSeen(ctx, checkout, o.Question, o.Talk.Blocks())
			if err != nil {
				return out, err
			}
			if out, err = s.apply(ctx, checkout, o.Question, o.Talk.Blocks(), false); err == nil {
				o.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a record.Application) string { return s.message(o.Talk, a) },
		numbers: o.Numbers,
	}
}

// applyWords is what came of an apply.
func (s *session) applyWords(o offering, r report.Summary) (title, body string) {
	r.Source = o.words()
	if o.view == nil {
		r.Reply.Problems = o.Talk.Problems()
	}
	return r.CheckTitle(), r.Body()
}

// tellApplied answers, and shows in the preview what became of its boxes. Where a box was ticked, that is the answer.
func (s *session) tellApplied(ctx context.Context, o offering, made record.Committed, body string) error {
	if o.view == nil {
		_, err := s.answer(ctx, s.answerPlace(), body)
		return err
	}
	if made.SHA != "" {
		if _, err := record.Do(ctx, s.Journal, "sums", func() (map[string]string, error) { return o.sums, nil }); err != nil {
			return err
		}
	}
	if s.ev.Kind == port.Ticked && made.Unpushed == "" {
		_, err := record.Do(ctx, s.Journal, "report", func() (record.AnswerComment, error) {
			err := s.redraw(ctx, o, made)
			if errors.Is(err, port.ErrNotFound) { // somebody deleted it; what was done has to be told all the same
				return s.post(ctx, s.answerPlace(), body)
			}
			return o.view.Said, err
		})
		return err
	}
	if _, err := s.answer(ctx, s.answerPlace(), body); err != nil {
		return err
	}
	if err := s.redraw(ctx, o, made); err != nil {
		s.log.WarnContext(ctx, "preview not brought up to date", "error", err)
	}
	return nil
}

// redraw shows in the preview what became of its blocks, with the boxes as people have them now, but for those that this run
// settled.
func (s *session) redraw(ctx context.Context, o offering, made record.Committed) error {
	now, err := s.GitHub.Comment(ctx, s.ev.Repo, s.ev.Thread.Number, o.view.Said.Ref())
	if err != nil {
		return fmt.Errorf("reading the preview: %w", err)
	}
	fates := maps.Clone(o.fates)
	history.Note(o.Choice, fates, s.Run.ID, made)
	ticked := slices.DeleteFunc(markdown.TickedBoxes(now.Body), func(n int) bool { return slices.Contains(o.Numbers, n) })
	for n, f := range fates {
		if f.Done() {
			ticked = append(ticked, n)
		}
	}
	body := markedBy(s.previewBody(*o.view, fates, ticked), o.view.Run)
	if err := s.GitHub.Edit(ctx, s.ev.Repo, s.ev.Thread.Number, o.view.Said.Ref(), body); err != nil {
		return fmt.Errorf("editing the preview: %w", err)
	}
	return nil
}

// untick takes back ticks of which nothing came, in the preview as it is now; it does nothing for events of any other kind.
func (s *session) untick(ctx context.Context, ev port.Event) error {
	if ev.Kind != port.Ticked {
		return nil
	}
	now, err := s.GitHub.Comment(ctx, s.ev.Repo, ev.Thread.Number, ev.Comment)
	if body := markdown.Untick(now.Body, markdown.NewTicks(ev.Before, ev.Comment.Body)); err == nil && body != now.Body {
		err = s.GitHub.Edit(ctx, s.ev.Repo, ev.Thread.Number, ev.Comment, body)
	}
	if err != nil && !errors.Is(err, port.ErrNotFound) {
		return fmt.Errorf("taking ticks back: %w", err)
	}
	return nil
}

// tryUntick is untick where something else tells what happened.
func (s *session) tryUntick(ctx context.Context, ev port.Event) {
	if err := s.untick(ctx, ev); err != nil {
		s.log.WarnContext(ctx, "boxes not unticked", "error", err)
	}
}
