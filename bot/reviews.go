package bot

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the review threads of one command, in characters, but for hunks, in bytes; the others wait for another
// command.
const (
	maxReviews         = 30
	maxReviewComments  = 10
	maxReviewComment   = 2000
	maxReviewHunk      = 1000
	maxReviewsTogether = 40_000
)

// reviews reads the unresolved review threads. Those that tenon began, its suggestions, are not among them.
func (p prompter) reviews(ctx context.Context) (reviews, error) {
	all, err := p.github.UnresolvedThreads(ctx, p.ev.Repo, p.ev.Thread.Number)
	if err != nil {
		return reviews{}, fmt.Errorf("reading the review threads of #%d: %w", p.ev.Thread.Number, err)
	}
	var out reviews
	room := maxReviewsTogether
	for _, t := range all {
		comments := p.reviewComments(ctx, t, p.people, room)
		if len(comments) == 0 {
			continue
		}
		if len(out.recorded) == maxReviews || room == 0 {
			out.more++
			continue
		}
		for _, c := range comments {
			room = max(0, room-utf8.RuneCountInString(c.Text))
		}
		first := t.Comments[0]
		if secret.InPath(t.Path) {
			t.Path, first.Hunk = secret.Path(t.Path), ""
		}
		r := record.ReviewThread{Number: len(out.recorded) + 1, Comment: first.ID, URL: first.URL, Path: t.Path, Line: t.Line}
		out.recorded = append(out.recorded, r)
		out.hunks = append(out.hunks, first.Hunk)
		out.shown = append(out.shown, prompts.ReviewThread{Number: r.Number, Place: reviewPlace(t), Remarks: comments})
	}
	if len(out.recorded) == 0 {
		return reviews{}, sentence.NothingToAddress()
	}
	return out, nil
}

// reviewComments are the newest comments of a thread, in at most room characters, oldest first: what the person who
// gave the command could read. There are none if tenon began the thread.
func (p prompter) reviewComments(ctx context.Context, t port.ReviewThread, authors *authors,
	room int) (out []prompts.Remark) {
	if len(t.Comments) == 0 || p.isOwn(t.Comments[0].Author) {
		return nil
	}
	for i := len(t.Comments) - 1; i >= 0 && len(out) < maxReviewComments; i-- {
		c := t.Comments[i]
		own := c.ID == p.ev.Comment.ID && p.ev.Comment.Kind == port.ReviewComment
		if own || !p.wasThere(c) && !p.cameWith(c) || readable(c.Body) == "" {
			continue
		}
		trusted := authors.mayWrite(ctx, c.Author)
		text := quote(c.Body, trusted, maxReviewComment)
		if room -= utf8.RuneCountInString(text); room < 0 && len(out) > 0 {
			break
		}
		out = append([]prompts.Remark{{Author: markdown.OneLine(c.Author.Login), Text: text, Trusted: trusted}}, out...)
	}
	return out
}

// reviewPlace names the place of a thread.
func reviewPlace(t port.ReviewThread) string {
	text := markdown.OneLine(markdown.Clip(t.Path, markdown.MaxCell))
	switch {
	case t.Outdated:
		text += ", outdated"
	case t.Line > 0:
		text += fmt.Sprintf(", line %d", t.Line)
	}
	return text
}

// size returns about how many bytes the threads take in a prompt.
func (r reviews) size() int { return quoted(r.texts()) + r.around() }

// texts are those of all remarks.
func (r reviews) texts() (texts []string) {
	for _, t := range r.shown {
		texts = append(texts, remarkTexts(t.Remarks)...)
	}
	return texts
}

// around returns about how many bytes there are around the remarks: hunks, and the place of each remark.
func (r reviews) around() (n int) {
	for _, t := range r.shown {
		n += len(t.Remarks) * len(t.Place)
		if t.Hunk != "" {
			n += len(t.Hunk) + quoteBytes
		}
	}
	return n
}

// within returns the threads cut to so many bytes, with all their remarks if that leaves enough of each. Else the hunks
// are left out first, then the last threads, which wait for another command, then the oldest answers in the only thread
// that is left; its first remark stays.
func (r reviews) within(room int) reviews {
	out := reviews{shown: slices.Clone(r.shown), recorded: slices.Clone(r.recorded), more: r.more}
	for {
		share, ok := quoteShare(out.texts(), room-out.around())
		switch last := len(out.shown) - 1; {
		case last < 0:
			return out
		case ok || last == 0 && out.shown[0].Hunk == "" && len(out.shown[0].Remarks) == 1:
			for i := range out.shown {
				out.shown[i].Remarks = cutRemarks(out.shown[i].Remarks, max(share, minQuote))
			}
			return out
		case slices.ContainsFunc(out.shown, func(t prompts.ReviewThread) bool { return t.Hunk != "" }):
			for i := range out.shown {
				out.shown[i].Hunk = ""
			}
		case last > 0:
			out.shown, out.recorded = out.shown[:last], out.recorded[:last]
			out.more++
		default:
			out.shown[0].Remarks = slices.Delete(slices.Clone(out.shown[0].Remarks), 1, 2)
		}
	}
}
