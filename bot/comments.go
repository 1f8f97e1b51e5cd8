package bot

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the comments before the command that the model gets to read, in characters.
const (
	maxComments         = 20
	maxComment          = 4000
	maxStrangersComment = 500 // of somebody who may not write here
	maxCommentsTogether = 16_000
	// maxAskedAuthors is how many authors' permission is asked for; further ones count as strangers.
	maxAskedAuthors = 5
)

// comments are those of people before the command, newest last. One that was edited after the command was given is not
// among them: what the model reads must be what the person who gave the command could read.
//
// An issue's own text is the first of them, unless the command is in it.
func (p prompter) comments(ctx context.Context, t record.Target) ([]prompts.Remark, error) {
	all, err := p.github.Comments(ctx, p.ev.Repo, p.ev.Thread.Number, firstOfThread(p.ev))
	if err != nil {
		return nil, fmt.Errorf("reading the comments of #%d: %w", p.ev.Thread.Number, err)
	}
	authors := p.authors()
	var out []prompts.Remark
	room := maxCommentsTogether
	for i := len(all) - 1; i >= 0 && len(out) < maxComments; i-- {
		c := all[i]
		text := readable(c.Body)
		given := p.ev.Comment.Updated
		if c.ID == p.ev.Comment.ID || c.Author.Bot || text == "" || given.IsZero() || c.Updated.After(given) {
			continue
		}
		trusted, most := authors.mayWrite(ctx, c.Author), maxStrangersComment
		if trusted {
			most = maxComment
		}
		text = markdown.Clip(text, most)
		if room -= utf8.RuneCountInString(text); room < 0 {
			break
		}
		out = append([]prompts.Remark{{Author: markdown.OneLine(c.Author.Login), Text: text, Trusted: trusted}}, out...)
	}
	if about := readable(t.About); about != "" && p.ev.Comment.Kind != port.IssueBody {
		issue := prompts.Remark{
			Author: markdown.OneLine(t.Author.Login), Text: markdown.Clip(about, maxComment),
			Trusted: authors.mayWrite(ctx, t.Author),
		}
		out = append([]prompts.Remark{issue}, out...)
	}
	return out, nil
}

// readable returns a text as people can read it, without secrets.
func readable(body string) string { return strings.TrimSpace(secret.Redacted(markdown.Shown(body))) }

// authors remembers who may write here, by logins in lower case.
type authors struct {
	github port.GitHub
	repo   port.RepoRef
	known  map[string]bool
	asked  int
}

func (p prompter) authors() *authors {
	return &authors{github: p.github, repo: p.ev.Repo, known: map[string]bool{strings.ToLower(p.ev.Sender.Login): true}}
}

// mayWrite reports whether somebody may write here. Nobody may for whom GitHub cannot be asked.
func (a *authors) mayWrite(ctx context.Context, u port.User) bool {
	login := strings.ToLower(u.Login)
	trusted, known := a.known[login]
	if known || login == "" || a.asked == maxAskedAuthors {
		return trusted
	}
	a.asked++
	permission, err := a.github.Permission(ctx, a.repo, u.Login)
	a.known[login] = err == nil && permission.Allows(port.PermissionWrite)
	return a.known[login]
}
