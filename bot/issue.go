package bot

import (
	"context"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// maxIssue bounds what is shown of the issue that a command is about, in characters. It is the same whoever wrote it: a
// problem whose description is cut short cannot be solved.
const maxIssue = 8000

// discussion returns the issue that the command is about and the comments before the command. Whether the issue's
// author may write here is asked first: only so many authors are asked about.
func (p prompter) discussion(ctx context.Context, t record.Target) (*prompts.Issue, []prompts.Remark, error) {
	authors := p.authors()
	issue := p.issue(ctx, t, authors)
	comments, err := p.comments(ctx, authors)
	return issue, comments, err
}

// issue returns the issue that a command was given on, or the pull request that a label was set on; nil for another
// command on a pull request.
func (p prompter) issue(ctx context.Context, t record.Target, authors *authors) *prompts.Issue {
	title, text, author := t.Title, t.About, t.Author
	switch {
	case p.given == port.IssueBody: // what follows the command is its task
		start, _, _ := command.Line(p.about.Body, p.slug)
		text, author = p.about.Body[:start], p.about.Author
	case !p.ev.Thread.Pull:
	case p.given == port.Labeled:
		title, text, author = p.ev.Thread.Title, p.about.Body, p.about.Author
	default:
		return nil
	}
	return &prompts.Issue{
		Pull: p.ev.Thread.Pull, Author: markdown.OneLine(author.Login), Trusted: authors.mayWrite(ctx, author),
		Title: secret.Redacted(markdown.Shown(title)), Text: markdown.Clip(readable(text), maxIssue),
	}
}
