package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the comments before the command that the model gets to read, in characters.
const (
	maxRemarks         = 20
	maxRemark          = 4000
	maxStrangeRemark   = 500 // of somebody who may not write here
	maxRemarksTogether = 16_000
	// maxAskedAuthors is how many authors' permission is asked for; further ones count as strangers.
	maxAskedAuthors = 5
)

// remarks are the comments of people before the command, newest last. One that was edited after the command was given is
// not among them: what the model reads must be what the person who gave it could read.
//
// An issue's own text is the first of them, unless the command stands in it.
func (s *session) comments(ctx context.Context, t record.Target) ([]prompts.Remark, error) {
	all, err := s.GitHub.Comments(ctx, s.ev.Repo, s.ev.Thread.Number, s.thread())
	if err != nil {
		return nil, fmt.Errorf("reading the comments of #%d: %w", s.ev.Thread.Number, err)
	}
	trust := authors{s: s, known: map[string]bool{strings.ToLower(s.ev.Sender.Login): true}}
	var out []prompts.Remark
	room := maxRemarksTogether
	for i := len(all) - 1; i >= 0 && len(out) < maxRemarks; i-- {
		c := all[i]
		text := strings.TrimSpace(secret.Redacted(markdown.Shown(c.Body)))
		if c.ID == s.ev.Comment.ID || c.Author.Bot || text == "" || s.ev.Comment.Updated.IsZero() || c.Updated.After(s.ev.Comment.Updated) {
			continue
		}
		trusted, most := trust.has(ctx, c.Author), maxStrangeRemark
		if trusted {
			most = maxRemark
		}
		text = markdown.Clip(text, most)
		if room -= len(text); room < 0 {
			break
		}
		out = append([]prompts.Remark{{Author: markdown.OneLine(c.Author.Login), Text: text, Trusted: trusted}}, out...)
	}
	if about := strings.TrimSpace(secret.Redacted(markdown.Shown(t.About))); about != "" && s.ev.Comment.Kind != port.IssueBody {
		out = append([]prompts.Remark{{Author: markdown.OneLine(t.Author.Login), Text: markdown.Clip(about, maxRemark), Trusted: trust.has(ctx, t.Author)}}, out...)
	}
	return out, nil
}

// authors remembers who may write here, by logins in lower case.
type authors struct {
	s     *session
	known map[string]bool
	asked int
}

// has says whether somebody may write here; who cannot be asked for may not.
func (a *authors) has(ctx context.Context, u port.User) bool {
	login := strings.ToLower(u.Login)
	trusted, known := a.known[login]
	if known || login == "" || a.asked == maxAskedAuthors {
		return trusted
	}
	a.asked++
	p, err := a.s.GitHub.Permission(ctx, a.s.ev.Repo, u.Login)
	a.known[login] = err == nil && p.Allows(port.PermissionWrite)
	return a.known[login]
}
