package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the review threads of one command: the rest waits for another. Lengths are in characters, of hunks in bytes.
const (
	maxReviews         = 30
	maxReviewRemarks   = 10
	maxReviewRemark    = 2000
	maxReviewHunk      = 1000
	maxReviewsTogether = 40_000
)

// reviews reads the threads that nobody has resolved. Those that tenon began, its suggestions, are not among them.
func (s *session) reviews(ctx context.Context) (reviews, error) {
	all, err := s.GitHub.UnresolvedThreads(ctx, s.ev.Repo, s.ev.Thread.Number)
	if err != nil {
		return reviews{}, fmt.Errorf("reading the review threads of #%d: %w", s.ev.Thread.Number, err)
	}
	trust := authors{s: s, known: map[string]bool{strings.ToLower(s.ev.Sender.Login): true}}
	var out reviews
	room := maxReviewsTogether
	for _, t := range all {
		remarks := s.reviewRemarks(ctx, t, &trust, room)
		if len(remarks) == 0 {
			continue
		}
		if len(out.kept) == maxReviews || room == 0 {
			out.more++
			continue
		}
		for _, r := range remarks {
			room = max(0, room-len(r.Text))
		}
		first := t.Comments[0]
		k := record.ReviewThread{Number: len(out.kept) + 1, Comment: first.ID, URL: first.URL, Path: t.Path, Line: t.Line}
		out.kept = append(out.kept, k)
		out.shown = append(out.shown, prompts.ReviewThread{Number: k.Number, Place: reviewWords(t), Hunk: s.reviewHunk(t), Remarks: remarks})
	}
	if len(out.kept) == 0 {
		return reviews{}, &port.UserError{Text: "This pull request has no unresolved review threads, so there is nothing to address."}
	}
	return out, nil
}

// reviewRemarks are the newest comments of a thread, in at most room bytes, oldest first: what the person who gave the command
// could read. They are none where tenon began the thread.
func (s *session) reviewRemarks(ctx context.Context, t port.ReviewThread, trust *authors, room int) (out []prompts.Remark) {
	if len(t.Comments) == 0 || strings.EqualFold(t.Comments[0].Author.Login, s.Slug+"[bot]") {
		return nil
	}
	asked := s.ev.Comment.Updated
	if asked.IsZero() { // a button
		asked = s.ev.Received
	}
	for i := len(t.Comments) - 1; i >= 0 && len(out) < maxReviewRemarks; i-- {
		c := t.Comments[i]
		text := strings.TrimSpace(secret.Redacted(markdown.Shown(c.Body)))
		if c.ID == s.ev.Comment.ID && s.ev.Comment.Kind == port.ReviewComment || text == "" || c.Updated.After(asked) {
			continue
		}
		trusted, most := !c.Author.Bot && trust.has(ctx, c.Author), maxStrangeRemark
		if trusted {
			most = maxReviewRemark
		}
		text = markdown.Clip(text, most)
		if room -= len(text); room < 0 && len(out) > 0 {
			break
		}
		out = append([]prompts.Remark{{Author: markdown.OneLine(c.Author.Login), Text: text, Trusted: trusted}}, out...)
	}
	return out
}

// reviewWords says where a thread stands.
func reviewWords(t port.ReviewThread) string {
	text := markdown.OneLine(markdown.Clip(t.Path, markdown.MaxCell))
	switch {
	case t.Outdated:
		text += ", outdated"
	case t.Line > 0:
		text += fmt.Sprintf(", line %d", t.Line)
	}
	return text
}

// reviewHunk is the end of the diff above a thread.
func (s *session) reviewHunk(t port.ReviewThread) string {
	if retrieve.Hides(s.policy, t.Path) != "" {
		return ""
	}
	hunk := t.Comments[0].Hunk
	return secret.Redacted(strings.ToValidUTF8(hunk[max(0, len(hunk)-maxReviewHunk):], ""))
}

// answerThread posts what was done about a thread, unless it stands already; nothing where the thread is gone.
func (s *session) answerThread(ctx context.Context, r report.Summary, a conversation.Addressed) (record.AnswerComment, error) {
	marker := fmt.Sprintf("<!-- tenon:run=%s thread=%d -->", s.Run.ID, a.Comment)
	at := port.Place{Number: s.ev.Thread.Number, Kind: port.ReviewComment, To: &port.Comment{Kind: port.ReviewComment, ID: a.Comment}}
	if s.resumed() {
		c, stands, err := s.GitHub.FindComment(ctx, s.ev.Repo, at, marker, s.ev.Received.Add(-clockSkew))
		if err != nil && !errors.Is(err, port.ErrNotFound) {
			return record.AnswerComment{}, fmt.Errorf("looking for the answer in thread %d: %w", a.Number, err)
		}
		if stands {
			return record.AnswerComment{Kind: c.Kind, Comment: c.ID, URL: c.URL}, nil
		}
	}
	c, err := s.GitHub.Post(ctx, s.ev.Repo, at, report.ThreadBody(a, r)+"\n\n<sub>run "+s.Run.ID+"</sub>\n\n"+marker)
	if errors.Is(err, port.ErrNotFound) {
		return record.AnswerComment{}, nil
	}
	if err != nil {
		return record.AnswerComment{}, fmt.Errorf("answering in thread %d: %w", a.Number, err)
	}
	return record.AnswerComment{Kind: c.Kind, Comment: c.ID, URL: c.URL}, nil
}
