package bot

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what is shown of the issue that a command is about, in characters. Of a stranger's it is maxStrangers.
const (
	maxIssue = 8000
	maxTitle = 500
)

// discussion returns the issue that the command is about and the comments before the command. Whether the issue's
// author may write here is asked first: only so many authors are asked about.
func (p prompter) discussion(ctx context.Context, t record.Target) (*prompts.Issue, []prompts.Remark, error) {
	issue := p.issue(ctx, t, p.people)
	comments, err := p.comments(ctx, p.people)
	return issue, comments, err
}

// issue returns the issue that a command was given on, or the pull request that a label was set on; nil for another
// command on a pull request.
func (p prompter) issue(ctx context.Context, t record.Target, authors *authors) *prompts.Issue {
	title, text, author, ok := p.subject(t)
	if !ok {
		return nil
	}
	trusted := authors.mayWrite(ctx, author)
	return &prompts.Issue{
		Pull: p.ev.Thread.Pull, Author: markdown.OneLine(author.Login), Trusted: trusted,
		Title: quoteTitle(title), Text: quote(text, trusted, maxIssue),
	}
}

// subject returns the title, the text and the author of what issue returns.
func (p prompter) subject(t record.Target) (title, text string, author port.User, ok bool) {
	switch {
	case p.triggerKind == port.IssueBody: // what follows the command is its task
		start, _, _ := command.Line(p.trigger.Body, p.slug)
		return t.Title, p.trigger.Body[:start], p.trigger.Author, true
	case !p.ev.Thread.Pull:
		return t.Title, t.About, t.Author, true
	case p.triggerKind == port.Labeled:
		return p.ev.Thread.Title, p.trigger.Body, p.trigger.Author, true
	}
	return "", "", port.User{}, false
}

// cutsIssue reports whether the model gets to read only the beginning of the issue, because its author may not write
// here.
func (p prompter) cutsIssue(ctx context.Context, t record.Target) bool {
	_, text, author, ok := p.subject(t)
	if !ok || utf8.RuneCountInString(text) <= maxStrangers {
		return false
	}
	return quote(text, true, maxIssue) != quote(text, false, maxIssue) && !p.people.mayWrite(ctx, author)
}

// readNames returns the names that no file has, without those of a stranger's issue that the model does not get to
// read: the whole text counts when files are looked for, and nothing of what is cut off is shown.
func (p prompter) readNames(in prompts.Input, missing []string) []string {
	if in.Issue == nil || in.Issue.Trusted {
		return missing
	}
	read := strings.Join(append([]string{in.Issue.Title, in.Issue.Text, in.Task}, p.options.Files...), "\n")
	if p.triggerKind != port.Labeled {
		read += "\n" + p.trigger.Body
	}
	return slices.DeleteFunc(slices.Clone(missing), func(name string) bool { return !strings.Contains(read, name) })
}

// quoteTitle returns a title as people can read it, without secrets, cut as that of a stranger.
func quoteTitle(title string) string {
	return markdown.Clip(secret.Redacted(markdown.ShownTitle(secret.Redacted(title))), maxTitle)
}
