package bot

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// runApply commits blocks that stand somewhere already: in a preview, or in a comment. No model is asked.
func runApply(ctx context.Context, s *session) error {
	from, err := step(ctx, s.journal, "source", func() (source, error) { return s.source(ctx) })
	if err != nil {
		return err
	}
	o, err := s.offering(ctx, from)
	if err != nil {
		return err
	}
	if o.view != nil && s.ev.Kind == Ticked && o.view.said.Comment != s.ev.Comment.ID {
		return nil // its marks are a copy
	}
	if o.target, err = step(ctx, s.journal, "open", func() (target, error) { return s.open(ctx) }); err != nil {
		return err
	}
	if o.view != nil {
		if o.fates, o.sums, err = s.history().fates(ctx, *o.view, o.target); err != nil {
			return err
		}
	}
	if o.choice, err = step(ctx, s.journal, "choice", func() (choice, error) { return s.choice(o) }); err != nil {
		return err
	}
	if len(o.Numbers) == 0 { // only boxes of what is committed were ticked
		return s.redraw(ctx, o, committed{})
	}
	o.talk = o.talk.only(o.Numbers)
	o.resume()
	return s.carryOutAnd(ctx, o.target, s.applying(&o), func(r summary) (title, body string) { return s.applyWords(o, r) },
		func(ctx context.Context, made committed, body string) error { return s.tellApplied(ctx, o, made, body) })
}

// offering is what an apply can choose from, and what it chose.
type offering struct {
	source
	job
	// view is the preview; nil where the blocks are a comment's. fates are what became of its blocks.
	view  *preview
	fates map[int]fate
	choice
	// sums are those of the files that commits of the preview left, the one of this run among them when it is made.
	sums map[string]string
}

// offering reads the blocks of a source.
func (s *session) offering(ctx context.Context, from source) (offering, error) {
	o := offering{source: from}
	if from.Preview == "" {
		o.talk = pastedTalk(from.Text)
	} else {
		v, err := s.history().previewOf(ctx, from.Preview)
		if err != nil {
			return offering{}, err
		}
		o.view, o.job = &v, v.job
		if v.target.New { // it was for the base that was named then
			s.inv.options.base = v.target.Base
		}
	}
	for _, b := range o.talk.blocks() { // so that they come with the commit
		if len(s.inv.options.files) < maxLikely && !slices.Contains(s.inv.options.files, b.Path) {
			s.inv.options.files = append(s.inv.options.files, b.Path)
		}
	}
	return o, nil
}

// choice chooses the blocks that were named, or all that are left.
func (s *session) choice(o offering) (choice, error) {
	p := choice{Run: o.Preview}
	total := len(o.talk.plan())
	var missing []int
	for n := 1; n <= maxNumber; n++ {
		switch named := slices.Contains(s.inv.numbers, n); {
		case named && n > total:
			missing = append(missing, n)
		case named && o.fates[n].settled():
			p.Passed = append(p.Passed, n)
		case named, s.inv.numbers == nil && n <= total && o.left(n):
			p.Numbers = append(p.Numbers, n)
		}
	}
	switch {
	case s.ev.Kind == Ticked:
		return p, nil
	case len(missing) > 0:
		return choice{}, &UserError{fmt.Sprintf("%s has %d %s, so there is no %s. Nothing was committed.", o.name(true), total, plural(total, "edit"), numberList(missing))}
	case len(p.Numbers) == 0:
		return choice{}, &UserError{o.nothingLeft(p.Passed)}
	}
	return p, nil
}

// left says that a block is to be taken when all are.
func (o offering) left(n int) bool {
	return o.view == nil || o.view.fits(n) && !o.fates[n].settled()
}

func (o offering) nothingLeft(passed []int) string {
	switch {
	case len(passed) > 0:
		return fmt.Sprintf("%s %s of %s: committed already, or in the file without that. Nothing was left to do.", plural(len(passed), "Edit"), numberList(passed), o.name(false))
	case count(o.view.Results).applied > 0:
		return fmt.Sprintf("All edits of %s that fit are committed already. Nothing was left to do.", o.name(false))
	}
	return fmt.Sprintf("No edit of %s fits, so there is nothing to commit. Name those that you want tried all the same, as in `/tenon apply 1`.", o.name(false))
}

// applying does the blocks that were chosen, as a fix does: under the same rules of what may be touched, and of how exactly a
// block must fit a file that the model has seen, that changed since, or that it never saw.
func (s *session) applying(o *offering) work {
	return work{
		stage: func(ctx context.Context, checkout Checkout) (out engine.Outcome, err error) {
			known, err := s.asSeen(ctx, checkout, o.question, o.talk.blocks())
			if err != nil {
				return out, err
			}
			if out, err = s.apply(ctx, checkout, o.question, o.talk.blocks(), false); err == nil {
				o.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a applied) string { return s.message(o.talk, a) },
		numbers: o.Numbers,
	}
}

// applyWords is what came of an apply.
func (s *session) applyWords(o offering, r summary) (title, body string) {
	r.Source = o.words()
	if o.view == nil {
		r.Reply.Problems = o.talk.problems()
	}
	return r.checkTitle(), r.body()
}

// tellApplied answers, and shows in the preview what became of its boxes. Where a box was ticked, that is the answer.
func (s *session) tellApplied(ctx context.Context, o offering, made committed, body string) error {
	if o.view == nil {
		_, err := s.answer(ctx, s.place(), body)
		return err
	}
	if made.SHA != "" {
		if _, err := step(ctx, s.journal, "sums", func() (map[string]string, error) { return o.sums, nil }); err != nil {
			return err
		}
	}
	if s.ev.Kind == Ticked && made.Unpushed == "" {
		_, err := step(ctx, s.journal, "report", func() (posted, error) {
			err := s.redraw(ctx, o, made)
			if errors.Is(err, ErrNotFound) { // somebody deleted it; what was done has to be told all the same
				return s.post(ctx, s.place(), body)
			}
			return o.view.said, err
		})
		return err
	}
	if _, err := s.answer(ctx, s.place(), body); err != nil {
		return err
	}
	if err := s.redraw(ctx, o, made); err != nil {
		s.log.WarnContext(ctx, "preview not brought up to date", "error", err)
	}
	return nil
}

// redraw shows in the preview what became of its blocks, with the boxes as people have them now, but for those that this run
// settled.
func (s *session) redraw(ctx context.Context, o offering, made committed) error {
	now, err := s.GitHub.Reread(ctx, s.ev.Repo, s.ev.Thread.Number, o.view.said.ref())
	if err != nil {
		return fmt.Errorf("reading the preview: %w", err)
	}
	fates := maps.Clone(o.fates)
	settle(o.choice, fates, s.run.ID, made)
	ticked := slices.DeleteFunc(tickedBoxes(now.Body), func(n int) bool { return slices.Contains(o.Numbers, n) })
	for n, f := range fates {
		if f.settled() {
			ticked = append(ticked, n)
		}
	}
	body := markedBy(s.previewBody(*o.view, fates, ticked), o.view.run)
	if err := s.GitHub.Edit(ctx, s.ev.Repo, s.ev.Thread.Number, o.view.said.ref(), body); err != nil {
		return fmt.Errorf("editing the preview: %w", err)
	}
	return nil
}

// untick takes back ticks of which nothing came, in the preview as it is now; it does nothing for events of any other kind.
func (s *session) untick(ctx context.Context, ev Event) error {
	if ev.Kind != Ticked {
		return nil
	}
	now, err := s.GitHub.Reread(ctx, s.ev.Repo, ev.Thread.Number, ev.Comment)
	if body := untick(now.Body, NewTicks(ev.Before, ev.Comment.Body)); err == nil && body != now.Body {
		err = s.GitHub.Edit(ctx, s.ev.Repo, ev.Thread.Number, ev.Comment, body)
	}
	if err != nil && !errors.Is(err, ErrNotFound) {
		return fmt.Errorf("taking ticks back: %w", err)
	}
	return nil
}

// tryUntick is untick where something else tells what happened.
func (s *session) tryUntick(ctx context.Context, ev Event) {
	if err := s.untick(ctx, ev); err != nil {
		s.log.WarnContext(ctx, "boxes not unticked", "error", err)
	}
}
