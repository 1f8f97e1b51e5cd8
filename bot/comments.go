package bot

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on the comments before the command that the model gets to read, in characters.
const (
	maxComments         = 20
	maxComment          = 4000
	maxCommentsTogether = 16_000
)

// comments are those of people before the command, newest last. One that was made or edited after the command was given
// is not among them: what the model reads must be what the person who gave the command could read.
func (p prompter) comments(ctx context.Context, authors *authors) ([]prompts.Remark, error) {
	all, err := p.github.Comments(ctx, p.ev.Repo, p.ev.Thread.Number, firstOfThread(p.ev))
	if err != nil {
		return nil, fmt.Errorf("reading the comments of #%d: %w", p.ev.Thread.Number, err)
	}
	var out []prompts.Remark
	room := maxCommentsTogether
	for i := len(all) - 1; i >= 0 && len(out) < maxComments; i-- {
		c := all[i]
		if c.ID == p.ev.Comment.ID || c.Author.Bot || !p.wasThere(c) {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if readable(c.Body) == "" {
			continue
		}
		trusted := authors.mayWrite(ctx, c.Author)
		text := quote(c.Body, trusted, maxComment)
		if room -= utf8.RuneCountInString(text); room < 0 {
			break
		}
		out = append([]prompts.Remark{{Author: markdown.OneLine(c.Author.Login), Text: text, Trusted: trusted}}, out...)
	}
	return out, nil
}

// wasThere reports whether a comment was there, as it is, before the command. GitHub counts seconds: what happened in
// that of the command may have happened after it.
func (p prompter) wasThere(c port.Comment) bool { return c.Updated.Before(p.askedAt()) }

// cameWith reports whether a comment on the diff is part of the review that gives the command: both are of one person,
// and were submitted at once.
func (p prompter) cameWith(c port.Comment) bool {
	return p.ev.Kind == port.Review && c.Updated.Equal(p.askedAt()) && strings.EqualFold(c.Author.Login, p.ev.Sender.Login)
}

// askedAt returns when the command was given, by GitHub's clock; zero if GitHub did not say so. A button that was
// pressed has no time, and means what the command said that it takes up.
func (p prompter) askedAt() time.Time {
	if p.ev.Comment.Updated.IsZero() {
		return p.trigger.Updated
	}
	return p.ev.Comment.Updated
}
