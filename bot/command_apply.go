package bot

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/engine"
)

// runApply commits blocks that exist already: in a preview, or in a comment. No model is asked.
func runApply(ctx context.Context, r *run) error {
	if r.inv.Offered {
		return runOffered(ctx, r)
	}
	source, err := record.Do(ctx, r.journal, record.SourceFound,
		func(ctx context.Context) (record.Source, error) { return findSource(ctx, r) })
	if err != nil {
		return err
	}
	c, err := findCandidates(ctx, r, source)
	if err != nil {
		return err
	}
	if c.preview != nil && r.ev.Kind == port.Ticked && c.preview.Answer.Comment != r.ev.Comment.ID {
		return nil // a copy of the preview
	}
	if c.Target, err = r.target(ctx); err != nil {
		return err
	}
	if c.preview != nil {
		if c.outcomes, c.sums, err = r.history().BlockOutcomes(ctx, *c.preview, c.Target); err != nil {
			return err
		}
	}
	if c.Choice, err = record.Do(ctx, r.journal, record.Chosen,
		func(context.Context) (record.Choice, error) { return chooseBlocks(r, c) }); err != nil {
		return err
	}
	if len(c.Numbers) == 0 { // all boxes that were ticked are of blocks that are committed
		return redraw(ctx, r, c, record.Committed{})
	}
	if c.Conversation, err = c.Conversation.Only(c.Numbers); err != nil {
		return err
	}
	c.seeEarlierCommits()
	return deliverChange(ctx, r, c.Target, applying(r, &c),
		func(s report.Summary) report.Summary { return applyWords(r, c, s) },
		func(ctx context.Context, made record.Committed, body string) error {
			return answerApply(ctx, r, c, made, body)
		})
}

// candidates are the blocks that an apply can choose from, and its choice.
type candidates struct {
	record.Source
	conversation.Job
	// preview shows the blocks; nil if they are those of a comment that is applied for the first time. outcomes are what
	// came of its blocks until now.
	preview  *history.Preview
	outcomes history.BlockOutcomes
	record.Choice
	// sums are the SHA-256 of the files that commits of the preview left, that of this run included once it is made.
	sums map[string]string
}

// findCandidates reads the blocks of a source.
func findCandidates(ctx context.Context, r *run, from record.Source) (candidates, error) {
	c := candidates{Source: from}
	if from.Preview == "" {
		c.Conversation = conversation.Pasted(from.Text)
	} else {
		v, err := r.history().PreviewOf(ctx, from.Preview)
		if err != nil {
			return candidates{}, err
		}
		c.preview, c.Job = &v, v.Job
		// The event of a button does not tell the title.
		r.ev.Thread.Title = cmp.Or(r.ev.Thread.Title, v.Target.Title)
		if v.Target.New { // it was made for the base that its command named
			r.inv.Options.Base = v.Target.Base
		}
	}
	for _, b := range c.Conversation.Blocks() { // so that they come with the commit
		if len(r.inv.Options.Files) < maxLikely && !slices.Contains(r.inv.Options.Files, b.Path) {
			r.inv.Options.Files = append(r.inv.Options.Files, b.Path)
		}
	}
	return c, nil
}

// chooseBlocks chooses the blocks that were named, or all that are left.
func chooseBlocks(r *run, c candidates) (record.Choice, error) {
	choice := record.Choice{Run: c.Preview}
	total := len(c.Conversation.Plan())
	var missing []int
	for n := 1; n <= markdown.MaxNumber; n++ {
		switch named := slices.Contains(r.inv.Numbers, n); {
		case named && n > total:
			missing = append(missing, n)
		case named && c.outcomes[n].Done():
			choice.Passed = append(choice.Passed, n)
		case named, r.inv.Numbers == nil && n <= total && c.isLeft(n, r.policy.WarnOnly):
			choice.Numbers = append(choice.Numbers, n)
		}
	}
	if c.isOld() {
		return record.Choice{}, c.oldError()
	}
	if r.ev.Kind == port.Ticked { // a line that somebody wrote like a box is none
		choice.Numbers = slices.DeleteFunc(choice.Numbers, func(n int) bool { return !c.boxed(n) })
		return choice, nil
	}
	unseen := c.unseen(choice.Numbers)
	switch {
	case len(missing) > 0:
		return record.Choice{}, sentence.NoSuchEdits(c.source(), total, missing)
	case len(choice.Numbers) == 0:
		return record.Choice{}, c.nothingLeft(choice.Passed)
	case len(unseen) > 0:
		return record.Choice{}, c.unseenError(unseen)
	}
	return choice, nil
}

// isLeft reports whether a block is taken when all are: not one whose whole diff is not beside a box, and not one
// after which its file does not parse, unless that is committed with a warning.
func (c candidates) isLeft(n int, warnOnly bool) bool {
	return c.preview == nil || c.fits(n) && c.boxed(n) && (warnOnly || !c.breaks(n))
}

// fits reports whether a block of a preview fits, and is not committed.
func (c candidates) fits(n int) bool { return c.preview.Fits(n) && !c.outcomes[n].Done() }

// breaks reports whether the file of a block is known not to parse after it.
func (c candidates) breaks(n int) bool {
	return c.preview != nil && (c.preview.Breaks(n) || c.outcomes[n].Breaks)
}

// allows reports whether a file is committed although it does not parse: when its blocks were chosen, that had been
// shown.
func (c candidates) allows(path string) bool {
	return slices.ContainsFunc(c.Numbers, func(n int) bool {
		return c.breaks(n) && (c.preview.Breaks(n) || !c.outcomes[n].Unseen) && c.preview.Results[n-1].Path == path
	})
}

// leftOut returns the blocks that fit and that are only committed if they are named.
func (c candidates) leftOut() (out []int) {
	for n := 1; c.preview != nil && n <= len(c.preview.Results); n++ {
		if c.fits(n) && c.breaks(n) && !slices.Contains(c.Numbers, n) {
			out = append(out, n)
		}
	}
	return out
}

func (c candidates) nothingLeft(passed []int) *port.UserError {
	leftOut, unboxed := c.leftOut(), c.unboxed()
	switch {
	case len(unboxed) > 0 && len(passed) == 0:
		return sentence.NoOtherEdit(c.source(), c.unboxedWords(unboxed))
	case len(leftOut) > 0 && len(passed) == 0:
		return sentence.NoOtherEdit(c.source(), sentence.LeftOut(leftOut))
	case len(passed) > 0:
		return sentence.CommittedAlready(c.source(), passed)
	case record.Count(c.preview.Results).Applied > 0:
		return sentence.AllCommittedAlready(c.source())
	}
	return sentence.NoEditFits(c.source())
}

// source is where the blocks are from.
func (c candidates) source() sentence.Source {
	if c.preview != nil {
		return sourceOf(*c.preview)
	}
	return sentence.Source{Noun: "comment", URL: c.URL}
}

// applying is the change that makes the chosen edits, under the rules of a fix: for what may be edited, and for how
// exactly a block must fit a file that the model saw, that changed since, or that it never saw.
func applying(r *run, c *candidates) change {
	earlier := retrieve.Selection{Shown: c.sums}
	why := ""
	if c.preview != nil { // what a person pasted says more than why
		why = c.Conversation.Reply().Explanation
	}
	return change{
		stage: func(ctx context.Context, checkout repo.Checkout, p policy.Policy) (out engine.Outcome, err error) {
			blocks := c.Conversation.Blocks()
			known, err := filesAsShown(ctx, checkout, c.Prompt.Selection, blocks)
			if err != nil {
				return out, err
			}
			asLeft, err := filesAsShown(ctx, checkout, earlier, blocks)
			if err != nil {
				return out, err
			}
			var base shownAt
			if c.preview != nil {
				base, err = changedSince(ctx, r.files, c.Target, versionsOf(c.preview.Job), c.Prompt.Selection, checkout,
					blocks)
			}
			if err != nil {
				return out, err
			}
			how := commitOptions(p, r.files.masked, c.Prompt.Selection, base)
			how.bound = c.binding(func(path string) bool {
				return slices.Contains(known, path) || slices.Contains(asLeft, path)
			})
			if how.allow == nil {
				how.allow = c.allows
			}
			out, err = applyBlocks(ctx, checkout, blocks, how)
			if err == nil {
				c.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a record.Application) string { return r.messages().ofEdits(c.Conversation, why, a) },
		numbers: c.Numbers,
		apart: func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error) {
			if c.preview == nil {
				return nil, nil
			}
			return editsApart(ctx, r, c.Job, versionsOf(c.preview.Job), results, p)
		},
	}
}

// applyWords says where the edits of an apply are from.
func applyWords(r *run, c candidates, s report.Summary) report.Summary {
	s.Source = c.sourceWords(r.inv.Numbers != nil || r.ev.Kind == port.Ticked, r.policy.WarnOnly)
	if c.preview == nil {
		s.Reply.Problems = c.Conversation.Problems()
	} else {
		s.Reply.Explanation = c.Conversation.Reply().Explanation
	}
	return s
}

// sourceWords says where the blocks are from, and whose they are; named reports whether people chose them, warnOnly
// whether those after which a file does not parse are taken as well.
func (c candidates) sourceWords(named, warnOnly bool) string {
	if c.preview == nil {
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

// answerApply answers, and shows in the preview the result of its blocks. If a box was ticked, the preview is the
// answer.
func answerApply(ctx context.Context, r *run, c candidates, made record.Committed, body string) error {
	a := r.answers()
	if r.ev.Kind != port.Ticked {
		if err := recordSeen(ctx, r, made, body, ""); err != nil {
			return err
		}
	}
	if c.preview != nil && made.SHA != "" {
		if _, err := record.Do(ctx, r.journal, record.SumsTaken,
			func(context.Context) (map[string]string, error) { return c.sums, nil }); err != nil {
			return err
		}
	}
	if r.ev.Kind == port.Ticked && made.Unpushed == "" {
		_, err := record.Do(ctx, r.journal, record.Reported, func(ctx context.Context) (record.AnswerComment, error) {
			answer := c.preview.Answer
			answer.At = a.now() // what it says now
			err := redraw(ctx, r, c, made)
			if err == nil && r.journal.Record().Waiting != nil { // a comment says that the run waits
				return a.createOrEdit(ctx, a.place(), a.signed(body))
			}
			if errors.Is(err, port.ErrNotFound) { // somebody deleted it; people must be told what was done anyway
				return a.post(ctx, a.place(), a.signed(body))
			}
			return answer, err
		})
		return err
	}
	if _, err := a.finish(ctx, a.place(), body); err != nil || c.preview == nil || c.preview.Made != nil {
		return err
	}
	if err := redraw(ctx, r, c, made); err != nil {
		r.log.WarnContext(ctx, "preview not updated", "error", err)
	}
	return nil
}
