package bottest

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// The calls of the app: each is logged, may have a fault planted before or after it, and is one of internal/gh.

var _ port.GitHub = (*GitHub)(nil)

// found is what may be there.
type found[T any] struct {
	it T
	ok bool
}

// find makes a call that may find something.
func find[T any](ctx context.Context, f *faults, c Call, effect func() (T, bool, error)) (T, bool, error) {
	out, err := do(ctx, f, c, func() (out found[T], err error) {
		out.it, out.ok, err = effect()
		return out, err
	})
	return out.it, out.ok, err
}

// change makes a call that returns nothing.
func change(ctx context.Context, f *faults, c Call, effect func() error) error {
	_, err := do(ctx, f, c, func() (struct{}, error) { return struct{}{}, effect() })
	return err
}

// Prepare does nothing but to be among the calls: a token that is requested meanwhile would make the order of requests
// another one each time.
func (g *GitHub) Prepare(_ port.RepoRef, p port.Purpose) {
	names := map[port.Purpose]string{port.Answering: "answering", port.Committing: "committing"}
	_ = g.faults.begin(context.Background(), Call{Op: "Prepare", Text: names[p]})
}

// Permission is port.GitHub's.
func (g *GitHub) Permission(ctx context.Context, ref port.RepoRef, login string) (port.Permission, error) {
	may, err := do(ctx, g.faults, Call{Op: "Permission", Text: login}, func() (port.Permission, error) {
		return g.app().Permission(ctx, ref, login)
	})
	if err != nil {
		return port.PermissionNone, err
	}
	return may, nil
}

// Repository is port.GitHub's.
func (g *GitHub) Repository(ctx context.Context, ref port.RepoRef) (port.RepoRef, error) {
	return do(ctx, g.faults, Call{Op: "Repository", Text: ref.String()}, func() (port.RepoRef, error) {
		return g.app().Repository(ctx, ref)
	})
}

// Sibling is port.GitHub's.
func (g *GitHub) Sibling(ctx context.Context, ref port.RepoRef, name string) (port.RepoRef, error) {
	return do(ctx, g.faults, Call{Op: "Sibling", Text: name}, func() (port.RepoRef, error) {
		return g.app().Sibling(ctx, ref, name)
	})
}

// Issue is port.GitHub's.
func (g *GitHub) Issue(ctx context.Context, ref port.RepoRef, number int) (port.Issue, error) {
	return do(ctx, g.faults, Call{Op: "Issue", Text: fmt.Sprint(number)}, func() (port.Issue, error) {
		return g.app().Issue(ctx, ref, number)
	})
}

// Post is port.GitHub's.
func (g *GitHub) Post(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Post", Text: body, Write: true}, func() (port.Comment, error) {
		return g.app().Post(ctx, ref, at, body)
	})
}

// Announce is port.GitHub's.
func (g *GitHub) Announce(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Announce", Text: body, Write: true}, func() (port.Comment, error) {
		return g.app().Announce(ctx, ref, at, body)
	})
}

// Notify is port.GitHub's.
func (g *GitHub) Notify(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Notify", Text: body, Write: true}, func() (port.Comment, error) {
		return g.app().Notify(ctx, ref, at, body)
	})
}

// Edit is port.GitHub's.
func (g *GitHub) Edit(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return change(ctx, g.faults, Call{Op: "Edit", Text: body, Write: true}, func() error {
		return g.app().Edit(ctx, ref, number, what, body)
	})
}

// Progress is port.GitHub's.
func (g *GitHub) Progress(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return change(ctx, g.faults, Call{Op: "Progress", Text: body, Write: true}, func() error {
		return g.app().Progress(ctx, ref, number, what, body)
	})
}

// Comment is port.GitHub's.
func (g *GitHub) Comment(ctx context.Context, ref port.RepoRef, number int, what port.Comment) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Comment", Text: fmt.Sprint(what.ID)}, func() (port.Comment, error) {
		return g.app().Comment(ctx, ref, number, what)
	})
}

// FindComment is port.GitHub's.
func (g *GitHub) FindComment(ctx context.Context, ref port.RepoRef, at port.Place, marker string,
	since time.Time, but ...int64) (port.Comment, bool, error) {
	return find(ctx, g.faults, Call{Op: "FindComment", Text: marker}, func() (port.Comment, bool, error) {
		return g.app().FindComment(ctx, ref, at, marker, since, but...)
	})
}

// OwnComments is port.GitHub's.
func (g *GitHub) OwnComments(ctx context.Context, ref port.RepoRef, number int, pull bool, text string) (
	[]port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "OwnComments", Text: fmt.Sprint(number)}, func() ([]port.Comment, error) {
		return g.app().OwnComments(ctx, ref, number, pull, text)
	})
}

// Comments is port.GitHub's.
func (g *GitHub) Comments(ctx context.Context, ref port.RepoRef, number int, replyTo *port.Comment) (
	[]port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Comments", Text: fmt.Sprint(number)}, func() ([]port.Comment, error) {
		return g.app().Comments(ctx, ref, number, replyTo)
	})
}

// React is port.GitHub's.
func (g *GitHub) React(ctx context.Context, ref port.RepoRef, to port.Comment, reaction port.Reaction) error {
	return change(ctx, g.faults, Call{Op: "React", Text: string(reaction), Write: true}, func() error {
		return g.app().React(ctx, ref, to, reaction)
	})
}

// PullRequest is port.GitHub's.
func (g *GitHub) PullRequest(ctx context.Context, ref port.RepoRef, number int) (port.PullRequest, error) {
	return do(ctx, g.faults, Call{Op: "PullRequest", Text: fmt.Sprint(number)}, func() (port.PullRequest, error) {
		return g.app().PullRequest(ctx, ref, number)
	})
}

// PullState is port.GitHub's.
func (g *GitHub) PullState(ctx context.Context, ref port.RepoRef, number int) (port.PullState, error) {
	return do(ctx, g.faults, Call{Op: "PullState", Text: fmt.Sprint(number)}, func() (port.PullState, error) {
		return g.app().PullState(ctx, ref, number)
	})
}

// ChangedFiles is port.GitHub's.
func (g *GitHub) ChangedFiles(ctx context.Context, ref port.RepoRef, number int) ([]port.ChangedFile, error) {
	return do(ctx, g.faults, Call{Op: "ChangedFiles", Text: fmt.Sprint(number)}, func() ([]port.ChangedFile, error) {
		return g.app().ChangedFiles(ctx, ref, number)
	})
}

// FindPull is port.GitHub's.
func (g *GitHub) FindPull(ctx context.Context, ref port.RepoRef, branch string) (port.PullRequest, bool, error) {
	return find(ctx, g.faults, Call{Op: "FindPull", Text: branch}, func() (port.PullRequest, bool, error) {
		return g.app().FindPull(ctx, ref, branch)
	})
}

// CreatePull is port.GitHub's.
func (g *GitHub) CreatePull(ctx context.Context, ref port.RepoRef, p port.NewPull) (port.PullRequest, error) {
	return do(ctx, g.faults, Call{Op: "CreatePull", Text: p.Head, Write: true}, func() (port.PullRequest, error) {
		return g.app().CreatePull(ctx, ref, p)
	})
}

// Describe is port.GitHub's.
func (g *GitHub) Describe(ctx context.Context, ref port.RepoRef, number int, body string) error {
	return change(ctx, g.faults, Call{Op: "Describe", Text: body, Write: true}, func() error {
		return g.app().Describe(ctx, ref, number, body)
	})
}

// MarkReady is port.GitHub's.
func (g *GitHub) MarkReady(ctx context.Context, ref port.RepoRef, p port.PullRequest) error {
	return change(ctx, g.faults, Call{Op: "MarkReady", Text: fmt.Sprint(p.Number), Write: true}, func() error {
		return g.app().MarkReady(ctx, ref, p)
	})
}

// UnresolvedThreads is port.GitHub's.
func (g *GitHub) UnresolvedThreads(ctx context.Context, ref port.RepoRef, number int) ([]port.ReviewThread, error) {
	return do(ctx, g.faults, Call{Op: "UnresolvedThreads", Text: fmt.Sprint(number)}, func() (
		[]port.ReviewThread, error) {
		return g.app().UnresolvedThreads(ctx, ref, number)
	})
}

// Suggest is port.GitHub's.
func (g *GitHub) Suggest(ctx context.Context, ref port.RepoRef, number int, sha, body string,
	notes []port.Suggestion) (port.Comment, error) {
	return do(ctx, g.faults, Call{Op: "Suggest", Text: body, Write: true}, func() (port.Comment, error) {
		return g.app().Suggest(ctx, ref, number, sha, body, notes)
	})
}

// CreateCheck is port.GitHub's.
func (g *GitHub) CreateCheck(ctx context.Context, ref port.RepoRef, c port.Check) (int64, error) {
	return do(ctx, g.faults, Call{Op: "CreateCheck", Text: c.Title, Write: true}, func() (int64, error) {
		return g.app().CreateCheck(ctx, ref, c)
	})
}

// UpdateCheck is port.GitHub's.
func (g *GitHub) UpdateCheck(ctx context.Context, ref port.RepoRef, id int64, c port.Check) error {
	return change(ctx, g.faults, Call{Op: "UpdateCheck", Text: c.Title, Write: true}, func() error {
		return g.app().UpdateCheck(ctx, ref, id, c)
	})
}

// FindCommit is port.GitHub's.
func (g *GitHub) FindCommit(ctx context.Context, ref port.RepoRef, sha, text string) (string, bool, error) {
	return find(ctx, g.faults, Call{Op: "FindCommit", Text: sha}, func() (string, bool, error) {
		return g.app().FindCommit(ctx, ref, sha, text)
	})
}

// Upload is port.GitHub's.
func (g *GitHub) Upload(ctx context.Context, ref port.RepoRef, u port.Upload) (string, error) {
	return do(ctx, g.faults, Call{Op: "Upload", Text: u.Branch, Write: true}, func() (string, error) {
		out, err := g.app().Upload(ctx, ref, u)
		if err == nil {
			g.pushedTo(ref, u.Branch, out)
		}
		return out, err
	})
}

// CommitChecks is port.GitHub's.
func (g *GitHub) CommitChecks(ctx context.Context, ref port.RepoRef, sha string) (port.CommitChecks, error) {
	return do(ctx, g.faults, Call{Op: "CommitChecks", Text: sha}, func() (port.CommitChecks, error) {
		return g.app().CommitChecks(ctx, ref, sha)
	})
}

// FailedJobs is port.GitHub's.
func (g *GitHub) FailedJobs(ctx context.Context, ref port.RepoRef, run int64) ([]port.Job, error) {
	return do(ctx, g.faults, Call{Op: "FailedJobs", Text: fmt.Sprint(run)}, func() ([]port.Job, error) {
		return g.app().FailedJobs(ctx, ref, run)
	})
}

// JobLog is port.GitHub's.
func (g *GitHub) JobLog(ctx context.Context, ref port.RepoRef, job int64) (io.ReadCloser, error) {
	return do(ctx, g.faults, Call{Op: "JobLog", Text: fmt.Sprint(job)}, func() (io.ReadCloser, error) {
		return g.app().JobLog(ctx, ref, job)
	})
}

// CheckAnnotations is port.GitHub's.
func (g *GitHub) CheckAnnotations(ctx context.Context, ref port.RepoRef, check int64) ([]port.Annotation, error) {
	return do(ctx, g.faults, Call{Op: "CheckAnnotations", Text: fmt.Sprint(check)}, func() ([]port.Annotation, error) {
		return g.app().CheckAnnotations(ctx, ref, check)
	})
}

// StartWorkflow is port.GitHub's.
func (g *GitHub) StartWorkflow(ctx context.Context, ref port.RepoRef, workflow, branch string) error {
	return change(ctx, g.faults, Call{Op: "StartWorkflow", Text: workflow, Write: true}, func() error {
		err := g.app().StartWorkflow(ctx, ref, workflow, branch)
		if err == nil {
			g.startedOn(ref, workflow, branch)
		}
		return err
	})
}

// WorkflowRun is port.GitHub's.
func (g *GitHub) WorkflowRun(ctx context.Context, ref port.RepoRef, workflow, sha string) (port.WorkflowRun,
	bool, error) {
	return find(ctx, g.faults, Call{Op: "WorkflowRun", Text: workflow}, func() (port.WorkflowRun, bool, error) {
		return g.app().WorkflowRun(ctx, ref, workflow, sha)
	})
}

// MoveBranch is port.GitHub's.
func (g *GitHub) MoveBranch(ctx context.Context, ref port.RepoRef, branch, from, to string) error {
	return change(ctx, g.faults, Call{Op: "MoveBranch", Text: branch, Write: true}, func() error {
		err := g.app().MoveBranch(ctx, ref, branch, from, to)
		if err == nil {
			g.pushedTo(ref, branch, to)
		}
		return err
	})
}

// DeleteBranch is port.GitHub's.
func (g *GitHub) DeleteBranch(ctx context.Context, ref port.RepoRef, branch string) error {
	return change(ctx, g.faults, Call{Op: "DeleteBranch", Text: branch, Write: true}, func() error {
		return g.app().DeleteBranch(ctx, ref, branch)
	})
}
