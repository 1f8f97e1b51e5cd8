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
		func(ctx context.Context) (record.Source, error) { return r.sourceFinder().find(ctx) })
	if err != nil {
		return err
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

// candidates are the blocks that an apply can choose from, and its choice.
type candidates struct {
	record.Source
	conversation.Job
	// origin is the preview, or the answer, that shows the blocks; nil if they are those of a comment that is applied for
	// the first time. outcomes are what came of its blocks until now.
	origin   *history.Preview
	outcomes history.BlockOutcomes
	record.Choice
	// title is that of the thread when the preview was made, base the base branch that its command named, if the branch
	// was still to be made.
	title, base string
	// sums are the SHA-256 of the files that commits of the preview left, that of this run included once it is made.
	sums map[string]string
}

// findCandidates reads the blocks of a source.
func findCandidates(ctx context.Context, past history.Thread, from record.Source) (candidates, error) {
	c := candidates{Source: from}
	if from.Preview == "" {
		c.Conversation = conversation.Pasted(from.Text)
		return c, nil
	}
	v, err := past.PreviewOf(ctx, from.Preview)
	if err != nil {
		return candidates{}, err
	}
	c.origin, c.Job, c.title = &v, v.Job, v.Target.Title
	if v.Target.New {
		c.base = v.Target.Base
	}
	return c, nil
}

// paths are those of the files of the blocks.
func (c candidates) paths() (out []string) {
	for _, b := range c.Conversation.Blocks() {
		if !slices.Contains(out, b.Path) {
			out = append(out, b.Path)
		}
	}
	return out
}

// choose chooses the blocks that were named by their numbers, or whose boxes were ticked, or all that are left if there
// are no numbers. warnOnly reports whether those after which a file does not parse are among these.
func (c candidates) choose(numbers []int, ticked, warnOnly bool) (record.Choice, error) {
	choice := record.Choice{Run: c.Preview}
	total := len(c.Conversation.Plan())
	var missing []int
	for n := 1; n <= markdown.MaxNumber; n++ {
		switch named := slices.Contains(numbers, n); {
		case named && n > total:
			missing = append(missing, n)
		case named && c.outcomes[n].Done():
			choice.Passed = append(choice.Passed, n)
		case named, numbers == nil && n <= total && c.isLeft(n, warnOnly):
			choice.Numbers = append(choice.Numbers, n)
		}
	}
	if c.isOld() {
		return record.Choice{}, c.oldError()
	}
	if ticked { // a line that somebody wrote like a box is none
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
	return c.origin == nil || c.fits(n) && c.boxed(n) && (warnOnly || !c.breaks(n))
}

// fits reports whether a block of a preview fits, and is not committed.
func (c candidates) fits(n int) bool { return c.origin.Fits(n) && !c.outcomes[n].Done() }

// breaks reports whether the file of a block is known not to parse after it.
func (c candidates) breaks(n int) bool {
	return c.origin != nil && (c.origin.Breaks(n) || c.outcomes[n].Breaks)
}

// allows reports whether a file is committed although it does not parse: when its blocks were chosen, that had been
// shown.
func (c candidates) allows(path string) bool {
	return slices.ContainsFunc(c.Numbers, func(n int) bool {
		return c.breaks(n) && (c.origin.Breaks(n) || !c.outcomes[n].Unseen) && c.origin.Results[n-1].Path == path
	})
}

// leftOut returns the blocks that fit and that are only committed if they are named.
func (c candidates) leftOut() (out []int) {
	for n := 1; c.origin != nil && n <= len(c.origin.Results); n++ {
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
	case record.Count(c.origin.Results).Applied > 0:
		return sentence.AllCommittedAlready(c.source())
	}
	return sentence.NoEditFits(c.source())
}

// source is where the blocks are from.
func (c candidates) source() sentence.Source {
	if c.origin != nil {
		return sourceOf(*c.origin)
	}
	return sentence.Source{Noun: "comment", URL: c.URL}
}

// applying is the change that makes the chosen edits, under the rules of a fix: for what may be edited, and for how
// exactly a block must fit a file that the model saw, that changed since, or that it never saw.
func (m changer) applying(c *candidates) change {
	earlier := retrieve.Selection{Shown: c.sums}
	why := ""
	if c.origin != nil { // what a person pasted says more than why
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
			if c.origin != nil {
				base, err = changedSince(ctx, m.files, c.Target, versionsOf(c.origin.Job), c.Prompt.Selection, checkout,
					blocks)
			}
			if err != nil {
				return out, err
			}
			opts := commitOptions(p, m.files.masked, c.Prompt.Selection, base)
			opts.bound = c.binding(func(path string) bool {
				return slices.Contains(known, path) || slices.Contains(asLeft, path)
			})
			if opts.allow == nil {
				opts.allow = c.allows
			}
			out, err = applyBlocks(ctx, checkout, blocks, opts)
			if err == nil {
				c.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a record.Application) string { return m.messages.ofEdits(c.Conversation, why, a) },
		numbers: c.Numbers,
		apart: func(ctx context.Context, results []record.Result, p policy.Policy) (repo.Checkout, error) {
			if c.origin == nil {
				return nil, nil
			}
			return m.editsApart(ctx, c.Job, versionsOf(c.origin.Job), results, p)
		},
	}
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
