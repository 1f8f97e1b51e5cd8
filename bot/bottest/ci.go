package bottest

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	maxChecks   = 100
	maxJobs     = 30
	maxReadNote = 50
	maxSaid     = 4000
	// actions is the name of GitHub Actions among the apps that make check runs.
	actions = "github-actions"
)

// repositoryCI is the CI of a repository.
type repositoryCI struct {
	checks map[string][]*ciCheck // by commit, in the order in which they were made
	runs   []*workflowRun
	// pushed are what CI does for the next commits of the app, dispatched what it does for the next runs of a workflow.
	pushed     []func(*CI)
	dispatched map[string][]func(*CI)
	silent     bool // the app is told nothing
}

// workflowRun is a run of a workflow on a commit.
type workflowRun struct {
	id         int64
	file       string // in .github/workflows
	sha        string
	dispatched bool
	jobs       []*ciCheck
}

// conclusion is what a run came to: empty as long as a job is pending, or it has none. A job that failed decides, then
// one that was cancelled, then one that passed.
func (w *workflowRun) conclusion() string {
	weight := func(j *ciCheck) int {
		switch {
		case j.Outcome == port.CheckFailed:
			return 3
		case j.Outcome == port.CheckCancelled:
			return 2
		case j.Conclusion == "success":
			return 1
		}
		return 0
	}
	isPending := func(j *ciCheck) bool { return j.Outcome == port.CheckPending }
	if len(w.jobs) == 0 || slices.ContainsFunc(w.jobs, isPending) {
		return ""
	}
	return slices.MaxFunc(w.jobs, func(a, b *ciCheck) int { return cmp.Compare(weight(a), weight(b)) }).Conclusion
}

// ciCheck is a check run of another app, with its job if that is GitHub Actions, or a status.
type ciCheck struct {
	port.CommitCheck
	run   *workflowRun
	job   port.Job
	log   string
	noLog bool
	notes []port.Annotation
}

// CommitChecks lists what CI says of a commit.
func (g *GitHub) CommitChecks(ctx context.Context, ref port.RepoRef, sha string) (port.CommitChecks, error) {
	return do(ctx, g.faults, Call{Op: "CommitChecks", Text: sha}, func() (out port.CommitChecks, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref)
		if err != nil {
			return out, err
		}
		if !isSHA(sha) {
			return out, callerError("%q is not the name of a commit", sha)
		}
		if r.git.objects[sha] == nil || !r.hasCaughtUpWith(sha) {
			return out, notFound()
		}
		checks, statuses := g.installation(ref).may("checks:read"), g.installation(ref).may("statuses:read")
		if !checks {
			out.Missing = append(out.Missing, "checks: read")
		}
		if !statuses {
			out.Missing = append(out.Missing, "statuses: read")
		}
		for _, c := range r.ci.checks[sha] {
			if c.isStatus() && statuses || !c.isStatus() && checks {
				out.Checks = append(out.Checks, c.CommitCheck)
			}
		}
		if len(out.Checks) > maxChecks {
			out.Checks, out.More = out.Checks[:maxChecks], true
		}
		return out, nil
	})
}

func (c *ciCheck) isStatus() bool { return c.Check == 0 }

func isSHA(sha string) bool { return len(sha) == 40 && strings.Trim(sha, "0123456789abcdef") == "" }

// FailedJobs lists the jobs of a workflow run that failed.
func (g *GitHub) FailedJobs(ctx context.Context, ref port.RepoRef, run int64) ([]port.Job, error) {
	return do(ctx, g.faults, Call{Op: "FailedJobs", Text: fmt.Sprint(run)}, func() (list []port.Job, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, "actions:read")
		if err != nil {
			return nil, err
		}
		w := r.workflowRun(run)
		if w == nil {
			return nil, notFound()
		}
		for _, j := range w.jobs {
			if j.Outcome == port.CheckFailed && len(list) < maxJobs {
				list = append(list, j.job)
			}
		}
		return list, nil
	})
}

func (r *repository) workflowRun(id int64) *workflowRun {
	for _, w := range r.ci.runs {
		if w.id == id {
			return w
		}
	}
	return nil
}

// check finds a check run of another app by its id, which is also that of its job.
func (r *repository) check(id int64) *ciCheck {
	for _, list := range r.ci.checks {
		for _, c := range list {
			if c.Check == id && id != 0 {
				return c
			}
		}
	}
	return nil
}

// JobLog opens the log of a job.
func (g *GitHub) JobLog(ctx context.Context, ref port.RepoRef, job int64) (io.ReadCloser, error) {
	return do(ctx, g.faults, Call{Op: "JobLog", Text: fmt.Sprint(job)}, func() (io.ReadCloser, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, "actions:read")
		if err != nil {
			return nil, err
		}
		c := r.check(job)
		switch {
		case c == nil || c.Job == 0 || c.Outcome == port.CheckPending:
			return nil, notFound()
		case c.noLog:
			return nil, &statusError{410, "Server Error", port.ErrNotFound}
		}
		return io.NopCloser(strings.NewReader(c.log)), nil
	})
}

// CheckAnnotations lists the annotations of a check run.
func (g *GitHub) CheckAnnotations(ctx context.Context, ref port.RepoRef, check int64) ([]port.Annotation, error) {
	call := Call{Op: "CheckAnnotations", Text: fmt.Sprint(check)}
	return do(ctx, g.faults, call, func() ([]port.Annotation, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.reach(ref, "checks:read")
		if err != nil {
			return nil, err
		}
		c := r.check(check)
		if c == nil {
			return nil, notFound()
		}
		return slices.Clone(c.notes[:min(len(c.notes), maxReadNote)]), nil
	})
}

// reported notes that CI reported about a commit, for the app, if it is installed there.
func (g *GitHub) reported(r *repository, sha string) {
	if in := g.installationOf(r); in != nil && !in.suspended && !r.ci.silent {
		g.reports = append(g.reports, ciReport{r.id, sha})
	}
}

// ciReport is a webhook of CI about a commit.
type ciReport struct {
	repo int64
	sha  string
}
