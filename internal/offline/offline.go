// Package offline is one issue or pull request of one repository without GitHub, for commands that are given at a
// terminal or in a measurement. What the bot writes there is kept, and its commit goes to a function.
package offline

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh/links"
)

// Thread is the issue or pull request that a command is about.
type Thread struct {
	Repo   port.RepoRef
	Number int
	// Pull is true for a pull request: its edits are committed to Branch. Those of an issue go to a branch of its own,
	// which the bot names.
	Pull        bool
	Title, Body string
	// Author wrote it. If it has a login, that is somebody who may write here; else its text is read as a stranger's.
	Author       port.User
	Branch, Base string
	// Changed is what a pull request changes.
	Changed []port.ChangedFile
}

// URL returns the page that the thread would have; nobody can open it.
func (t Thread) URL() string {
	return t.links().Thread(t.Number, t.Pull)
}

func (t Thread) links() port.Links { return links.On("https://github.com/", t.Repo.String()) }

// Commit makes the commit of a run and returns its id, 40 hex digits.
type Commit func(ctx context.Context, u port.Upload) (sha string, err error)

// World is a thread with its repository. GitHub and Repos are what the bot sees of it. Safe for concurrent use.
type World struct {
	thread Thread
	open   Open
	past   OpenPast
	commit Commit
	now    func() time.Time

	mu       sync.Mutex
	comments []port.Comment
	tips     map[string]string // of the branches that were committed to, by ref
	messages map[string]string // of the commits, by SHA
}

// New returns a world. open opens the repository, commit makes commits, now is the clock.
func New(t Thread, open Open, commit Commit, now func() time.Time) *World {
	return &World{thread: t, open: open, commit: commit, now: now, tips: map[string]string{},
		messages: map[string]string{}}
}

// Answers returns the comments of the bot as they are now, oldest first.
func (w *World) Answers() []port.Comment {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]port.Comment(nil), w.comments...)
}

// GitHub returns what the bot sees of GitHub.
func (w *World) GitHub() port.GitHub { return github{w} }

type github struct{ *World }

var _ port.GitHub = github{}

func (g github) Permission(context.Context, port.RepoRef, string) (port.Permission, error) {
	return port.PermissionAdmin, nil
}

func (g github) Prepare(port.RepoRef, port.Purpose) {}

func (g github) Repository(context.Context, port.RepoRef) (port.RepoRef, error) {
	return g.thread.Repo, nil
}

// Sibling finds none: the settings are those of the repository alone.
func (g github) Sibling(context.Context, port.RepoRef, string) (port.RepoRef, error) {
	return port.RepoRef{}, port.ErrNotFound
}

func (g github) Issue(context.Context, port.RepoRef, int) (port.Issue, error) {
	t := g.thread
	return port.Issue{Number: t.Number, Title: t.Title, Body: t.Body, State: "open", Author: t.Author,
		Repo: t.Repo.String(), URL: t.URL()}, nil
}

func (g github) Post(_ context.Context, _ port.RepoRef, at port.Place, body string) (port.Comment, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	id := int64(len(g.comments) + 1)
	c := port.Comment{Kind: at.Kind, ID: id, Body: body, URL: fmt.Sprintf("%s#issuecomment-%d", g.thread.URL(), id),
		Updated: g.now()}
	g.comments = append(g.comments, c)
	return c, nil
}

func (g github) Announce(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return g.Post(ctx, repo, at, body)
}

func (g github) Notify(ctx context.Context, repo port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return g.Post(ctx, repo, at, body)
}

func (g github) Edit(_ context.Context, _ port.RepoRef, _ int, c port.Comment, body string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.ID < 1 || c.ID > int64(len(g.comments)) {
		return port.ErrNotFound
	}
	g.comments[c.ID-1].Body, g.comments[c.ID-1].Updated = body, g.now()
	return nil
}

func (g github) Progress(ctx context.Context, repo port.RepoRef, number int, c port.Comment, body string) error {
	return g.Edit(ctx, repo, number, c, body)
}

func (g github) Comment(_ context.Context, _ port.RepoRef, _ int, c port.Comment) (port.Comment, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if c.ID < 1 || c.ID > int64(len(g.comments)) {
		return port.Comment{}, port.ErrNotFound
	}
	return g.comments[c.ID-1], nil
}

func (g github) FindComment(context.Context, port.RepoRef, port.Place, string, time.Time, ...int64) (port.Comment, bool,
	error) {
	return port.Comment{}, false, nil // each command has a world of its own
}

func (g github) Comments(context.Context, port.RepoRef, int, *port.Comment) ([]port.Comment, error) {
	return nil, nil
}

func (g github) React(context.Context, port.RepoRef, port.Comment, port.Reaction) error { return nil }

func (g github) PullRequest(context.Context, port.RepoRef, int) (port.PullRequest, error) {
	t := g.thread
	return port.PullRequest{Number: t.Number, Title: t.Title, Body: t.Body, State: "open", Author: t.Author,
		Head: port.Head{Repo: t.Repo, Branch: t.Branch}, Base: t.Base, URL: t.URL()}, nil
}

func (g github) PullState(context.Context, port.RepoRef, int) (port.PullState, error) {
	return port.PullState{State: "open"}, nil
}

func (g github) ChangedFiles(context.Context, port.RepoRef, int) ([]port.ChangedFile, error) {
	return g.thread.Changed, nil
}

func (g github) FindPull(context.Context, port.RepoRef, string) (port.PullRequest, bool, error) {
	return port.PullRequest{}, false, nil
}

func (g github) CreatePull(_ context.Context, _ port.RepoRef, p port.NewPull) (port.PullRequest, error) {
	t := g.thread
	return port.PullRequest{Number: t.Number + 1, Title: p.Title, Body: p.Body, State: "open", Draft: p.Draft,
		Head: port.Head{Repo: t.Repo, Branch: p.Head}, Base: p.Base,
		URL: t.links().Thread(t.Number+1, true)}, nil
}

func (g github) Describe(context.Context, port.RepoRef, int, string) error { return nil }

func (g github) MarkReady(context.Context, port.RepoRef, port.PullRequest) error { return nil }

func (g github) UnresolvedThreads(context.Context, port.RepoRef, int) ([]port.ReviewThread, error) {
	return nil, nil
}

func (g github) Suggest(_ context.Context, _ port.RepoRef, _ int, _, _ string, _ []port.Suggestion) (port.Comment,
	error) {
	return port.Comment{}, port.ErrDenied
}

func (g github) CreateCheck(context.Context, port.RepoRef, port.Check) (int64, error) { return 1, nil }

func (g github) UpdateCheck(context.Context, port.RepoRef, int64, port.Check) error { return nil }

func (g github) CommitChecks(context.Context, port.RepoRef, string) (port.CommitChecks, error) {
	return port.CommitChecks{}, nil
}

func (g github) FailedJobs(context.Context, port.RepoRef, int64) ([]port.Job, error) { return nil, nil }

func (g github) JobLog(context.Context, port.RepoRef, int64) (io.ReadCloser, error) {
	return nil, port.ErrNotFound
}

func (g github) CheckAnnotations(context.Context, port.RepoRef, int64) ([]port.Annotation, error) {
	return nil, nil
}

// StartWorkflow is denied: nothing can run one.
func (g github) StartWorkflow(context.Context, port.RepoRef, string, string) error {
	return port.ErrDenied
}

func (g github) WorkflowRun(context.Context, port.RepoRef, string, string) (port.WorkflowRun, bool, error) {
	return port.WorkflowRun{}, false, nil
}

func (g github) MoveBranch(context.Context, port.RepoRef, string, string, string) error {
	return port.ErrDenied
}

func (g github) DeleteBranch(context.Context, port.RepoRef, string) error { return nil }

func (g github) Links(port.Thread) port.Links { return g.thread.links() }

// Has reports whether there is a feature: only commits.
func (g github) Has(f port.Feature) bool { return f == port.FeatureVerifiedCommits }
