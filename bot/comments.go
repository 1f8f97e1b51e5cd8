package bot

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the comments before the command that the model gets to read, in characters.
const (
	maxComments         = 20
	maxComment          = 4000
	maxStrangersComment = 500 // of somebody who may not write here
	maxCommentsTogether = 16_000
)

// comments are those of people before the command, newest last. One that was edited after the command was given is not
// among them: what the model reads must be what the person who gave the command could read.
func (p prompter) comments(ctx context.Context, authors *authors) ([]prompts.Remark, error) {
	all, err := p.github.Comments(ctx, p.ev.Repo, p.ev.Thread.Number, firstOfThread(p.ev))
	if err != nil {
		return nil, fmt.Errorf("reading the comments of #%d: %w", p.ev.Thread.Number, err)
	}
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
	return out, nil
}

// readable returns a text as people can read it, without secrets.
func readable(body string) string { return strings.TrimSpace(secret.Redacted(markdown.Shown(body))) }
