package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

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

// runApply commits blocks that exist already: in a preview, or in a comment. No model is asked.
func runApply(ctx context.Context, r *run) error {
	source, err := record.Do(ctx, r.journal, record.SourceFound,
		func() (record.Source, error) { return findSource(ctx, r) })
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
		func() (record.Choice, error) { return chooseBlocks(r, c) }); err != nil {
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
		func(s report.Summary) (title, body string) { return applyWords(r, c, s) },
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
	switch {
	case r.ev.Kind == port.Ticked:
		return choice, nil
	case len(missing) > 0:
		return record.Choice{}, &port.UserError{Text: fmt.Sprintf("%s has %d %s, so there is no %s. Nothing was committed.",
			c.link(true), total, english.PluralWord(total, "edit", ""), command.FormatNumbers(missing))}
	case len(choice.Numbers) == 0:
		return record.Choice{}, &port.UserError{Text: c.nothingLeft(choice.Passed)}
	}
	return choice, nil
}

// isLeft reports whether a block is taken when all are: not one after which its file does not parse, unless that is
// committed with a warning.
func (c candidates) isLeft(n int, warnOnly bool) bool {
	return c.preview == nil || c.fits(n) && (warnOnly || !c.breaks(n))
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

// leftOutWords says which blocks are only committed if they are named.
func leftOutWords(numbers []int) string {
	edits, after := "Edits", "them"
	if len(numbers) == 1 {
		edits, after = "Edit", "it"
	}
	return fmt.Sprintf("%s %s %s left out, because a file does not parse after %s: "+
		"`/tenon apply %s` commits %s all the same.",
		edits, command.FormatNumbers(numbers), english.PluralWord(len(numbers), "is", "are"), after,
		strings.ReplaceAll(command.FormatNumbers(numbers), " ", ""), after)
}

func (c candidates) nothingLeft(passed []int) string {
	leftOut := c.leftOut()
	switch {
	case len(leftOut) > 0 && len(passed) == 0:
		return fmt.Sprintf("No other edit of %s is left to commit. %s", c.link(false), leftOutWords(leftOut))
	case len(passed) > 0:
		return fmt.Sprintf("%s %s of %s: committed already, or in the file without that. Nothing was left to do.",
			english.PluralWord(len(passed), "Edit", ""), command.FormatNumbers(passed), c.link(false))
	case record.Count(c.preview.Results).Applied > 0:
		return fmt.Sprintf("All edits of %s that fit are committed already. Nothing was left to do.", c.link(false))
	}
	return fmt.Sprintf("No edit of %s fits, so there is nothing to commit. Name those that you want tried all the same,"+
		" as in `/tenon apply 1`.",
		c.link(false))
}

// link links to where the blocks are from; at a sentence's start it begins with a capital.
func (c candidates) link(capital bool) string {
	text, url := "the comment", c.URL
	if c.preview != nil {
		text, url = "the "+answerNoun(*c.preview), c.preview.Answer.URL
	}
	if capital {
		text = "T" + text[1:]
	}
	return fmt.Sprintf("[%s](%s)", text, url)
}

// applying is the change that makes the chosen edits, under the rules of a fix: for what may be edited, and for how
// exactly a block must fit a file that the model saw, that changed since, or that it never saw.
func applying(r *run, c *candidates) change {
	return change{
		stage: func(ctx context.Context, checkout repo.Checkout) (out engine.Outcome, err error) {
			blocks := c.Conversation.Blocks()
			known, err := filesAsShown(ctx, checkout, c.Prompt.Selection, blocks)
			if err != nil {
				return out, err
			}
			var base shownAt
			if c.preview != nil {
				base, err = changedSince(ctx, r, c.Target, c.preview.Prompt, c.Prompt.Selection, checkout, blocks)
			}
			if err != nil {
				return out, err
			}
			how := commitOptions(r.policy, c.Prompt.Selection, base)
			if how.allow == nil {
				how.allow = c.allows
			}
			out, err = applyBlocks(ctx, checkout, blocks, how)
			if err == nil {
				c.sums, err = sumsOf(checkout, known)
			}
			return out, err
		},
		message: func(a record.Application) string { return r.messages().ofEdits(c.Conversation, a) },
		numbers: c.Numbers,
	}
}

// applyWords makes the title of the check run, and the answer, of an apply.
func applyWords(r *run, c candidates, s report.Summary) (title, body string) {
	s.Source = c.sourceWords(r.policy.WarnOnly || r.inv.Numbers != nil || r.ev.Kind == port.Ticked)
	if c.preview == nil {
		s.Reply.Problems = c.Conversation.Problems()
	}
	return s.CheckTitle(), s.Body()
}

// sourceWords says where the blocks are from, and whose they are; named reports whether people chose them.
func (c candidates) sourceWords(named bool) string {
	if c.preview == nil {
		from := fmt.Sprintf("%s of %s; no model was asked.", c.link(false), markdown.PlainLogin(c.Author))
		if total := len(c.Conversation.Replies[0].Blocks); len(c.Numbers) < total {
			return fmt.Sprintf("%s %s of the %d in %s", english.PluralWord(len(c.Numbers), "Edit", ""),
				command.FormatNumbers(c.Numbers), total, from)
		}
		return "The edits are from " + from
	}
	text := fmt.Sprintf("%s %s of %s.", english.PluralWord(len(c.Numbers), "Edit", ""), command.FormatNumbers(c.Numbers),
		c.link(false))
	if len(c.Passed) > 0 {
		was := "were"
		if len(c.Passed) == 1 {
			was = "was"
		}
		text += fmt.Sprintf(" %s %s %s passed over: committed already.", english.PluralWord(len(c.Passed), "Edit", ""),
			command.FormatNumbers(c.Passed), was)
	}
	if !named {
		if numbers := c.leftOut(); len(numbers) > 0 {
			text += " " + leftOutWords(numbers)
		}
	}
	return text
}

// answerApply answers, and shows in the preview what came of its blocks. If a box was ticked, the preview is the
// answer.
func answerApply(ctx context.Context, r *run, c candidates, made record.Committed, body string) error {
	a := r.answers()
	if c.preview != nil && made.SHA != "" {
		if _, err := record.Do(ctx, r.journal, record.SumsTaken,
			func() (map[string]string, error) { return c.sums, nil }); err != nil {
			return err
		}
	}
	if r.ev.Kind == port.Ticked && made.Unpushed == "" {
		_, err := record.Do(ctx, r.journal, record.Reported, func() (record.AnswerComment, error) {
			answer := c.preview.Answer
			answer.At = a.now() // what it says now
			err := redraw(ctx, r, c, made)
			if errors.Is(err, port.ErrNotFound) { // somebody deleted it; people must be told what was done all the same
				return a.post(ctx, a.place(), body)
			}
			return answer, err
		})
		return err
	}
	if _, err := a.finish(ctx, a.place(), body); err != nil || c.preview == nil || c.preview.Made != nil {
		return err
	}
	if err := redraw(ctx, r, c, made); err != nil {
		r.log.WarnContext(ctx, "preview not brought up to date", "error", err)
	}
	return nil
}
