package bottest

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// door is port.GitHub at a GitHub: each call is logged, may have a fault planted before or after it, and is one of
// internal/gh.
type door struct{ g *GitHub }

var _ port.GitHub = door{}

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
func (d door) Prepare(_ port.RepoRef, p port.Purpose) {
	names := map[port.Purpose]string{port.Answering: "answering", port.Committing: "committing"}
	_ = d.g.faults.begin(context.Background(), Call{Op: "Prepare", Text: names[p]})
}

func (d door) Permission(ctx context.Context, ref port.RepoRef, login string) (port.Permission, error) {
	may, err := do(ctx, d.g.faults, Call{Op: "Permission", Text: login}, func() (port.Permission, error) {
		return d.g.app().Permission(ctx, ref, login)
	})
	if err != nil {
		return port.PermissionNone, err
	}
	return may, nil
}

func (d door) Repository(ctx context.Context, ref port.RepoRef) (port.RepoRef, error) {
	return do(ctx, d.g.faults, Call{Op: "Repository", Text: ref.String()}, func() (port.RepoRef, error) {
		return d.g.app().Repository(ctx, ref)
	})
}

func (d door) Sibling(ctx context.Context, ref port.RepoRef, name string) (port.RepoRef, error) {
	return do(ctx, d.g.faults, Call{Op: "Sibling", Text: name}, func() (port.RepoRef, error) {
		return d.g.app().Sibling(ctx, ref, name)
	})
}

func (d door) Issue(ctx context.Context, ref port.RepoRef, number int) (port.Issue, error) {
	return do(ctx, d.g.faults, Call{Op: "Issue", Text: fmt.Sprint(number)}, func() (port.Issue, error) {
		return d.g.app().Issue(ctx, ref, number)
	})
}

func (d door) Post(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Post", Text: body, Write: true}, func() (port.Comment, error) {
		return d.g.app().Post(ctx, ref, at, body)
	})
}

func (d door) Announce(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Announce", Text: body, Write: true}, func() (port.Comment, error) {
		return d.g.app().Announce(ctx, ref, at, body)
	})
}

func (d door) Notify(ctx context.Context, ref port.RepoRef, at port.Place, body string) (port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Notify", Text: body, Write: true}, func() (port.Comment, error) {
		return d.g.app().Notify(ctx, ref, at, body)
	})
}

func (d door) Edit(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return change(ctx, d.g.faults, Call{Op: "Edit", Text: body, Write: true}, func() error {
		return d.g.app().Edit(ctx, ref, number, what, body)
	})
}

func (d door) Progress(ctx context.Context, ref port.RepoRef, number int, what port.Comment, body string) error {
	return change(ctx, d.g.faults, Call{Op: "Progress", Text: body, Write: true}, func() error {
		return d.g.app().Progress(ctx, ref, number, what, body)
	})
}

func (d door) Comment(ctx context.Context, ref port.RepoRef, number int, what port.Comment) (port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Comment", Text: fmt.Sprint(what.ID)}, func() (port.Comment, error) {
		return d.g.app().Comment(ctx, ref, number, what)
	})
}

func (d door) FindComment(ctx context.Context, ref port.RepoRef, at port.Place, marker string,
	since time.Time, but ...int64) (port.Comment, bool, error) {
	return find(ctx, d.g.faults, Call{Op: "FindComment", Text: marker}, func() (port.Comment, bool, error) {
		return d.g.app().FindComment(ctx, ref, at, marker, since, but...)
	})
}

func (d door) OwnComments(ctx context.Context, ref port.RepoRef, number int, pull bool, text string) (
	[]port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "OwnComments", Text: fmt.Sprint(number)}, func() ([]port.Comment, error) {
		return d.g.app().OwnComments(ctx, ref, number, pull, text)
	})
}

func (d door) Comments(ctx context.Context, ref port.RepoRef, number int, replyTo *port.Comment) (
	[]port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Comments", Text: fmt.Sprint(number)}, func() ([]port.Comment, error) {
		return d.g.app().Comments(ctx, ref, number, replyTo)
	})
}

func (d door) React(ctx context.Context, ref port.RepoRef, to port.Comment, reaction port.Reaction) error {
	return change(ctx, d.g.faults, Call{Op: "React", Text: string(reaction), Write: true}, func() error {
		return d.g.app().React(ctx, ref, to, reaction)
	})
}

func (d door) PullRequest(ctx context.Context, ref port.RepoRef, number int) (port.PullRequest, error) {
	return do(ctx, d.g.faults, Call{Op: "PullRequest", Text: fmt.Sprint(number)}, func() (port.PullRequest, error) {
		return d.g.app().PullRequest(ctx, ref, number)
	})
}

func (d door) PullState(ctx context.Context, ref port.RepoRef, number int) (port.PullState, error) {
	return do(ctx, d.g.faults, Call{Op: "PullState", Text: fmt.Sprint(number)}, func() (port.PullState, error) {
		return d.g.app().PullState(ctx, ref, number)
	})
}

func (d door) ChangedFiles(ctx context.Context, ref port.RepoRef, number int) ([]port.ChangedFile, error) {
	return do(ctx, d.g.faults, Call{Op: "ChangedFiles", Text: fmt.Sprint(number)}, func() ([]port.ChangedFile, error) {
		return d.g.app().ChangedFiles(ctx, ref, number)
	})
}

func (d door) FindPull(ctx context.Context, ref port.RepoRef, branch string) (port.PullRequest, bool, error) {
	return find(ctx, d.g.faults, Call{Op: "FindPull", Text: branch}, func() (port.PullRequest, bool, error) {
		return d.g.app().FindPull(ctx, ref, branch)
	})
}

func (d door) CreatePull(ctx context.Context, ref port.RepoRef, p port.NewPull) (port.PullRequest, error) {
	return do(ctx, d.g.faults, Call{Op: "CreatePull", Text: p.Head, Write: true}, func() (port.PullRequest, error) {
		return d.g.app().CreatePull(ctx, ref, p)
	})
}

func (d door) Describe(ctx context.Context, ref port.RepoRef, number int, body string) error {
	return change(ctx, d.g.faults, Call{Op: "Describe", Text: body, Write: true}, func() error {
		return d.g.app().Describe(ctx, ref, number, body)
	})
}

func (d door) MarkReady(ctx context.Context, ref port.RepoRef, p port.PullRequest) error {
	return change(ctx, d.g.faults, Call{Op: "MarkReady", Text: fmt.Sprint(p.Number), Write: true}, func() error {
		return d.g.app().MarkReady(ctx, ref, p)
	})
}

func (d door) UnresolvedThreads(ctx context.Context, ref port.RepoRef, number int) ([]port.ReviewThread, error) {
	return do(ctx, d.g.faults, Call{Op: "UnresolvedThreads", Text: fmt.Sprint(number)}, func() (
		[]port.ReviewThread, error) {
		return d.g.app().UnresolvedThreads(ctx, ref, number)
	})
}

func (d door) Suggest(ctx context.Context, ref port.RepoRef, number int, sha, body string,
	notes []port.Suggestion) (port.Comment, error) {
	return do(ctx, d.g.faults, Call{Op: "Suggest", Text: body, Write: true}, func() (port.Comment, error) {
		return d.g.app().Suggest(ctx, ref, number, sha, body, notes)
	})
}

func (d door) CreateCheck(ctx context.Context, ref port.RepoRef, c port.Check) (int64, error) {
	return do(ctx, d.g.faults, Call{Op: "CreateCheck", Text: c.Title, Write: true}, func() (int64, error) {
		return d.g.app().CreateCheck(ctx, ref, c)
	})
}

func (d door) UpdateCheck(ctx context.Context, ref port.RepoRef, id int64, c port.Check) error {
	return change(ctx, d.g.faults, Call{Op: "UpdateCheck", Text: c.Title, Write: true}, func() error {
		return d.g.app().UpdateCheck(ctx, ref, id, c)
	})
}

func (d door) FindCommit(ctx context.Context, ref port.RepoRef, sha, text string) (string, bool, error) {
	return find(ctx, d.g.faults, Call{Op: "FindCommit", Text: sha}, func() (string, bool, error) {
		return d.g.app().FindCommit(ctx, ref, sha, text)
	})
}

func (d door) Logs(ctx context.Context, ref port.RepoRef, a, b string) (logA, logB []port.LoggedCommit, err error) {
	both, err := do(ctx, d.g.faults, Call{Op: "Logs", Text: a + " " + b}, func() ([2][]port.LoggedCommit, error) {
		logA, logB, err := d.g.app().Logs(ctx, ref, a, b)
		return [2][]port.LoggedCommit{logA, logB}, err
	})
	return both[0], both[1], err
}

func (d door) MergeBase(ctx context.Context, ref port.RepoRef, a, b string) (string, error) {
	return do(ctx, d.g.faults, Call{Op: "MergeBase", Text: a + " " + b}, func() (string, error) {
		return d.g.app().MergeBase(ctx, ref, a, b)
	})
}

func (d door) Log(ctx context.Context, ref port.RepoRef, sha string) ([]port.LoggedCommit, error) {
	return do(ctx, d.g.faults, Call{Op: "Log", Text: sha}, func() ([]port.LoggedCommit, error) {
		return d.g.app().Log(ctx, ref, sha)
	})
}

func (d door) PullCommits(ctx context.Context, ref port.RepoRef, number int) ([]port.LoggedCommit, error) {
	return do(ctx, d.g.faults, Call{Op: "PullCommits", Text: fmt.Sprint(number)}, func() ([]port.LoggedCommit, error) {
		return d.g.app().PullCommits(ctx, ref, number)
	})
}

func (d door) MakeCommit(ctx context.Context, ref port.RepoRef, u port.Upload) (string, error) {
	return do(ctx, d.g.faults, Call{Op: "MakeCommit", Text: u.Parent, Write: true}, func() (string, error) {
		return d.g.app().MakeCommit(ctx, ref, u)
	})
}

func (d door) Upload(ctx context.Context, ref port.RepoRef, u port.Upload) (string, error) {
	return do(ctx, d.g.faults, Call{Op: "Upload", Text: u.Branch, Write: true}, func() (string, error) {
		out, err := d.g.app().Upload(ctx, ref, u)
		if err == nil {
			d.g.pushedTo(ref, u.Branch, out)
		}
		return out, err
	})
}

func (d door) CommitChecks(ctx context.Context, ref port.RepoRef, sha string) (port.CommitChecks, error) {
	return do(ctx, d.g.faults, Call{Op: "CommitChecks", Text: sha}, func() (port.CommitChecks, error) {
		return d.g.app().CommitChecks(ctx, ref, sha)
	})
}

func (d door) FailedJobs(ctx context.Context, ref port.RepoRef, run int64) ([]port.Job, error) {
	return do(ctx, d.g.faults, Call{Op: "FailedJobs", Text: fmt.Sprint(run)}, func() ([]port.Job, error) {
		return d.g.app().FailedJobs(ctx, ref, run)
	})
}

func (d door) JobLog(ctx context.Context, ref port.RepoRef, job int64) (io.ReadCloser, error) {
	return do(ctx, d.g.faults, Call{Op: "JobLog", Text: fmt.Sprint(job)}, func() (io.ReadCloser, error) {
		return d.g.app().JobLog(ctx, ref, job)
	})
}

func (d door) CheckAnnotations(ctx context.Context, ref port.RepoRef, check int64) ([]port.Annotation, error) {
	return do(ctx, d.g.faults, Call{Op: "CheckAnnotations", Text: fmt.Sprint(check)}, func() ([]port.Annotation, error) {
		return d.g.app().CheckAnnotations(ctx, ref, check)
	})
}

func (d door) StartWorkflow(ctx context.Context, ref port.RepoRef, workflow, branch string) error {
	return change(ctx, d.g.faults, Call{Op: "StartWorkflow", Text: workflow, Write: true}, func() error {
		err := d.g.app().StartWorkflow(ctx, ref, workflow, branch)
		if err == nil {
			d.g.startedOn(ref, workflow, branch)
		}
		return err
	})
}

func (d door) WorkflowRun(ctx context.Context, ref port.RepoRef, workflow, sha string) (port.WorkflowRun,
	bool, error) {
	return find(ctx, d.g.faults, Call{Op: "WorkflowRun", Text: workflow}, func() (port.WorkflowRun, bool, error) {
		return d.g.app().WorkflowRun(ctx, ref, workflow, sha)
	})
}

func (d door) MoveBranch(ctx context.Context, ref port.RepoRef, branch, from, to string) error {
	return change(ctx, d.g.faults, Call{Op: "MoveBranch", Text: branch, Write: true}, func() error {
		err := d.g.app().MoveBranch(ctx, ref, branch, from, to)
		if err == nil {
			d.g.pushedTo(ref, branch, to)
		}
		return err
	})
}

func (d door) DeleteBranch(ctx context.Context, ref port.RepoRef, branch string) error {
	return change(ctx, d.g.faults, Call{Op: "DeleteBranch", Text: branch, Write: true}, func() error {
		return d.g.app().DeleteBranch(ctx, ref, branch)
	})
}

func (d door) Links(t port.Thread) port.Links { return d.g.app().Links(t) }

func (d door) Has(f port.Feature) bool { return d.g.app().Has(f) }
