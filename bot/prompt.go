package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// build selects the files for a task and writes the first prompt for a model. Once it knows all else, it does something
// else while the files are fetched. If choose is not nil, a model chooses them if it is not certain which are meant.
func (p prompter) build(ctx context.Context, head record.Target, task task, model port.ModelInfo, choose *chooser,
	meanwhile func() error) (record.Prompt, error) {
	var checkout repo.Checkout
	var changed []port.ChangedFile
	var conventions []prompts.Convention
	var issue *prompts.Issue
	var comments []prompts.Remark
	baseTip := p.files.baseTip(head)
	// None needs another's answer, and each waits for GitHub.
	err := port.Together(ctx,
		func() (err error) { checkout, err = p.files.target(ctx, head); return err },
		func() (err error) { changed, err = changedFiles(ctx, p.github, p.ev.Repo, head.Pull); return err },
		func() (err error) {
			conventions, err = retrieve.Conventions(ctx, p.repos, p.ev.Repo, head.Base, baseTip, p.policy)
			return err
		},
		func() (err error) { issue, comments, err = p.discussion(ctx, head); return err },
		func() (err error) { task.failures, err = p.failures(ctx, head, task); return err },
	)
	if err != nil {
		return record.Prompt{}, err
	}
	title := quoteTitle(head.Title)
	if issue != nil {
		title = "" // it is the issue's
	}
	format, err := p.format(ctx, model)
	if err != nil {
		return record.Prompt{}, err
	}
	in := prompts.Input{
		Format:      format,
		Conventions: conventions,
		Issue:       issue,
		Thread:      comments,
		Title:       title,
		Task:        task.words(),
		Place:       p.place(),
		Retry:       task.retry,
	}
	if in.Hunk, err = p.hunks(ctx, checkout, &task.reviews); err != nil {
		return record.Prompt{}, err
	}
	room, shown, err := fit(&in, &task, model, p.policy.Bounds)
	if err != nil {
		return record.Prompt{}, err
	}
	query := p.query(head, task, changed)
	query.Output = shown.output()
	if query.Along, err = alongForPull(checkout, p.ev, head); err != nil {
		return record.Prompt{}, err
	}
	var found retrieve.Found
	err = port.Together(ctx, meanwhile, func() (err error) {
		found, err = p.find(ctx, choose, search{checkout: checkout, query: query,
			room: retrieve.Room{Code: room.Code, Names: room.Names}, in: in}, task)
		return err
	})
	if err != nil {
		return record.Prompt{}, err
	}
	in.Files, in.Project, in.Paths, in.LeftOutPaths = found.Files, found.Project, found.Paths, found.Unlisted
	in.Listings, in.Missing = clipNames(found.Listings, p.readNames(in, found.Missing), room.Names)
	out := record.Prompt{
		Kind: task.kind, Base: checkout.SHA(), Selection: found.Selection, Reviews: task.reviews.recorded,
		MoreReviews: task.reviews.more, CI: shown.recorded, Format: in.Format, Key: p.newKey(),
	}
	var system string
	user, err := sealed(out.Key, func(key string) (user string) {
		in.Nonce = key
		system, user = task.write(in)
		return user
	})
	if err != nil {
		return record.Prompt{}, err
	}
	out.Request = port.Request{Model: model.Name, System: system, Messages: []port.Message{{Role: "user", Text: user}}}
	return out, nil
}

// answer returns what a model asks for.
func (p prompter) answer(ctx context.Context, checkout repo.Checkout, query retrieve.Query, a asksFor) (
	answers retrieve.Answers, err error,
) {
	err = p.admitted(ctx, checkout, func() (err error) {
		answers, err = retrieve.Answer(ctx, checkout, query, a.asks, a.room)
		return err
	})
	return answers, err
}

// query is what files are selected for.
func (p prompter) query(head record.Target, task task, changed []port.ChangedFile) retrieve.Query {
	command, about := secret.Redacted(p.trigger.Body), secret.Redacted(head.About)
	if command == about {
		command = "" // it is in the issue, which is described at length rather than named
	}
	return retrieve.Query{
		Repos: p.repos, Repo: p.ev.Repo, Branch: head.Branch, Policy: p.policy, Comment: p.trigger, Page: p.ev.Thread.URL,
		Options: p.options.Files, Task: task.files, Command: command, Title: secret.Redacted(head.Title), About: about,
		Changed: changed, Documents: p.documents, Masked: p.files.masked,
	}
}

// asksFor is what a model asks to be shown, and how much it may be shown.
type asksFor struct {
	// key is for the delimiters of the answer.
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
	// question reports whether it is to answer a question, not to edit.
	question bool
}

// requested answers what a model asks for. It returns what was shown, the result of each ask, and the prompt.
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
	answers, err := p.answer(ctx, checkout, query, a)
	if err != nil {
		return nil, nil, "", err
	}
	in := answers.Prompt
	in.Nonce, in.Asked = a.key, a.question
	in.Rounds = a.roundsAfter(prompts.Need(in))
	told, err := sealed(a.key, func(key string) string {
		in.Nonce = key
		return prompts.Need(in)
	})
	return &record.Prompt{Selection: answers.Selection, Key: a.key}, answers.Given, told, err
}

// moved shows files that changed while the model was writing, as they are at the target, and asks again for their
// edits. The prompt is nil if none of them can be shown.
func (p prompter) moved(ctx context.Context, head record.Target, a asksFor) (*record.Prompt, string, error) {
	checkout, err := p.files.at(ctx, head)
	if err != nil {
		return nil, "", err
	}
	query := p.query(head, task{}, nil)
	query.Command = a.said + "\n" + query.Command
	answers, err := p.answer(ctx, checkout, query, a)
	if err != nil || len(answers.Prompt.Files) == 0 {
		return nil, "", err
	}
	in := answers.Prompt
	told, err := sealed(a.key, func(key string) string {
		in.Nonce = key
		return prompts.Moved(in)
	})
	return &record.Prompt{Selection: answers.Selection, Key: a.key, Base: checkout.SHA()}, told, err
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
	c := p.trigger
	c.Path = secret.Path(c.Path)
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

// hunks returns what is shown of the diff above the comment, and sets that of review threads. GitHub has cut them, so
// they are masked by the files that they are about, as a checkout has these.
func (p prompter) hunks(ctx context.Context, checkout repo.Checkout, r *reviews) (hunk string, err error) {
	var paths []string
	shown := func(path, hunk string) bool { return hunk != "" && retrieve.Withheld(p.policy, path) == "" }
	if shown(p.trigger.Path, p.trigger.Hunk) {
		paths = append(paths, p.trigger.Path)
	}
	for i, t := range r.recorded {
		if shown(t.Path, r.hunks[i]) {
			paths = append(paths, t.Path)
		}
	}
	paths = slices.DeleteFunc(paths, func(path string) bool {
		kind, err := checkout.Kind(path)
		return err != nil || kind != engine.File
	})
	slices.Sort(paths)
	paths = slices.Compact(paths)
	if err := checkout.Load(ctx, paths...); err != nil {
		return "", fmt.Errorf("loading %d files of comments: %w", len(paths), err)
	}
	masked := func(path, hunk string, most int) string {
		if !shown(path, hunk) {
			return ""
		}
		var file []byte
		_, known := slices.BinarySearch(paths, path)
		if known {
			file, err = checkout.ReadFile(path)
			known = err == nil
		}
		return lastBytes(p.files.masked.Hunk(hunk, file, known), most)
	}
	for i, t := range r.recorded {
		r.shown[i].Hunk = masked(t.Path, r.hunks[i], maxReviewHunk)
	}
	return masked(p.trigger.Path, p.trigger.Hunk, maxHunk), nil
}

// lastBytes returns the end of a text, at most n bytes.
func lastBytes(text string, n int) string { return strings.ToValidUTF8(text[max(0, len(text)-n):], "") }
