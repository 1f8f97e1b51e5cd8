package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// task is what the model is asked for.
type task struct {
	// text is what to do, in the words of whoever gave the command; empty if it is what the issue says.
	text string
	// files are those that the task is about, besides those that its text names.
	files []retrieve.TaskFile
	// kind is what the model is first asked for, write writes that prompt.
	kind  record.TurnKind
	write func(prompts.Input) (system, user string)
	// retry is what is left of an earlier run, reviews are review threads to address.
	retry   *prompts.Retry
	reviews reviews
}

// taskOf returns what a command asks for.
func taskOf(inv command.Invocation) task {
	return task{text: inv.Text, kind: record.TurnFix, write: prompts.Fix}
}

// prompter builds prompts: it selects files, and reads the thread and the project's conventions.
type prompter struct {
	github port.GitHub
	repos  repo.Repos
	files  *workspace
	// documents are what is known of files from earlier commands; nil keeps nothing.
	documents *lexical.Cache
	ev        port.Event
	about     port.Comment
	// given is how the command was given that about is part of; slug is the app's name in it.
	given   port.EventKind
	slug    string
	options command.Options
	policy  policy.Policy
	// isOwn reports whether a user is the app itself.
	isOwn func(port.User) bool
}

// build selects the files for a task and writes the first prompt for a model.
func (p prompter) build(ctx context.Context, head record.Target, what task, model port.ModelInfo) (record.Prompt,
	error) {
	var checkout repo.Checkout
	var changed []port.ChangedFile
	var conventions []prompts.Convention
	var issue *prompts.Issue
	var comments []prompts.Remark
	baseTip := p.files.baseTip(head)
	// None needs another's answer, and each waits for GitHub.
	err := together(
		func() (err error) { checkout, err = p.files.target(ctx, head); return err },
		func() (err error) { changed, err = changedFiles(ctx, p.github, p.ev.Repo, head.Pull); return err },
		func() (err error) {
			conventions, err = retrieve.Conventions(ctx, p.repos, p.ev.Repo, head.Base, baseTip, p.policy)
			return err
		},
		func() (err error) { issue, comments, err = p.discussion(ctx, head); return err },
	)
	if err != nil {
		return record.Prompt{}, err
	}
	title := secret.Redacted(markdown.Shown(head.Title))
	if issue != nil {
		title = "" // it is the issue's
	}
	in := prompts.Input{
		Format:      cmp.Or(p.options.Format, p.policy.Format, model.Format, prompts.FormatFor(model.Name)),
		Conventions: conventions,
		Issue:       issue,
		Thread:      comments,
		Title:       title,
		Task:        secret.Redacted(markdown.Shown(what.text)),
		Place:       p.place(),
		Hunk:        p.hunk(),
		Retry:       what.retry,
		Nonce:       newKey(),
	}
	room, err := fit(&in, &what, model, p.policy.Bounds)
	if err != nil {
		return record.Prompt{}, err
	}
	found, err := retrieve.Select(ctx, checkout, p.query(head, what, changed),
		retrieve.Room{Code: room.Code, Names: room.Names})
	if err != nil {
		return record.Prompt{}, err
	}
	in.Files, in.Project, in.Paths, in.LeftOutPaths = found.Files, found.Project, found.Paths, found.Unlisted
	in.Listings, in.Missing = clipNames(found.Listings, found.Missing, room.Names)
	out := record.Prompt{
		Kind: what.kind, Base: checkout.SHA(), Selection: found.Selection, Reviews: what.reviews.recorded,
		MoreReviews: what.reviews.more, Format: in.Format, Key: in.Nonce,
	}
	system, user := what.write(in)
	out.Request = port.Request{Model: model.Name, System: system, Messages: []port.Message{{Role: "user", Text: user}}}
	return out, nil
}

// query is what files are selected for.
func (p prompter) query(head record.Target, what task, changed []port.ChangedFile) retrieve.Query {
	command := p.about.Body
	if command == head.About {
		command = "" // it is in the issue, which is described at length rather than named
	}
	return retrieve.Query{
		Repos: p.repos, Repo: p.ev.Repo, Branch: head.Branch, Policy: p.policy, Comment: p.about, Page: p.ev.Thread.URL,
		Options: p.options.Files, Task: what.files, Command: command, Title: head.Title, About: head.About,
		Changed: changed, Documents: p.documents,
	}
}

// newKey returns a new key for the delimiters of a prompt: 12 lower-case letters and digits, 60 random bits. The run's
// id would not do. It is public as soon as there is an answer, or a notice that the command waits, and then who writes
// a file or a title that is read later could imitate the delimiters.
func newKey() string { return strings.ToLower(rand.Text()[:12]) }

// asksFor is what a model asks to be shown, and how much it may be shown.
type asksFor struct {
	// key is in the delimiters of the first prompt.
	key  string
	asks []retrieve.Ask
	// said is the reply that asks.
	said string
	// seen is what the model was shown before.
	seen retrieve.Seen
	// room is how many bytes it may be shown.
	room int
	// roundsAfter returns how often it may ask again when it has been told a text.
	roundsAfter func(told string) int
	// question says that it is to answer a question, not to edit.
	question bool
}

// requested answers what a model asks for. It returns what was shown, what came of each ask, and the prompt.
func (p prompter) requested(
	ctx context.Context, head record.Target, a asksFor,
) (*record.Prompt, []retrieve.Given, string, error) {
	checkout, err := p.files.target(ctx, head)
	if err != nil {
		return nil, nil, "", err
	}
	query := p.query(head, task{}, nil)
	query.Command = a.said + "\n" + query.Command // by its words, parts of large files are chosen
	query.Seen = a.seen
	answers, err := retrieve.Answer(ctx, checkout, query, a.asks, a.room)
	if err != nil {
		return nil, nil, "", err
	}
	in := answers.Prompt
	in.Nonce, in.Asked = a.key, a.question
	in.Rounds = a.roundsAfter(prompts.Need(in))
	return &record.Prompt{Selection: answers.Selection}, answers.Given, prompts.Need(in), nil
}

// changedFiles lists the files of a pull request, none if there is no pull request.
func changedFiles(ctx context.Context, github port.GitHub, repo port.RepoRef, pull int) ([]port.ChangedFile, error) {
	if pull == 0 {
		return nil, nil
	}
	changed, err := github.ChangedFiles(ctx, repo, pull)
	if err != nil {
		return nil, fmt.Errorf("listing the files of pull request %d: %w", pull, err)
	}
	return changed, nil
}

// place names, for a comment on a line of the diff, that place as it was when the comment was written.
func (p prompter) place() string {
	c := p.about
	switch {
	case c.Path == "" || markdown.Unprintable(c.Path):
		return ""
	case c.Line == 0:
		return c.Path
	case c.StartLine != 0 && c.StartLine != c.Line:
		return fmt.Sprintf("%s, lines %d to %d", c.Path, c.StartLine, c.Line)
	default:
		return fmt.Sprintf("%s, line %d", c.Path, c.Line)
	}
}

// maxHunk bounds what is shown of the diff above a comment, in bytes: its last lines, which are commented on.
const maxHunk = 3000

func (p prompter) hunk() string {
	if retrieve.Withheld(p.policy, p.about.Path) != "" {
		return ""
	}
	return lastBytes(secret.Redacted(p.about.Hunk), maxHunk)
}

// lastBytes returns the end of a text, at most n bytes.
func lastBytes(text string, n int) string { return strings.ToValidUTF8(text[max(0, len(text)-n):], "") }
