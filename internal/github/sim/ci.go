package sim

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// CI acts as the continuous integration of a commit: workflows of GitHub Actions, check runs of other Apps, and
// statuses. Its methods return after the responses to the deliveries.
type CI struct {
	s         actions
	repo, sha string
	file      string
}

// defaultWorkflow is the file of the workflow that CI acts as unless a test names one.
const defaultWorkflow = "ci.yml"

// CI returns what acts as the continuous integration of a commit, by its full SHA. Its workflow is ci.yml.
func (s actions) CI(repo, sha string) CI { return CI{s, repo, sha, defaultWorkflow} }

// Workflow is CI for the workflow of another file in .github/workflows, which need not exist.
func (ci CI) Workflow(file string) CI {
	ci.file = path.Base(file)
	return ci
}

// act does something about the commit, and waits for the responses to its deliveries.
func (ci CI) act(do func(r *entity.Repository) error) error {
	s := ci.s
	s.Mu.Lock()
	before := s.Events.Delivered()
	err := func() error {
		r, err := s.State.Repo(ci.repo)
		if err != nil {
			return err
		}
		if r.Git.Kind(ci.sha) != git.KindCommit {
			return fmt.Errorf("no commit %q in %s", ci.sha, ci.repo)
		}
		return do(r)
	}()
	s.Mu.Unlock()
	s.Events.WaitSince(before)
	if err != nil {
		return fmt.Errorf("acting as the CI of %s: %w", ci.repo, err)
	}
	return nil
}

// Starts starts the jobs of the workflow: of the run that was dispatched on the commit and has none yet, or else of a
// new run. The run ends with the last of its jobs.
func (ci CI) Starts(jobs ...string) error {
	return ci.act(func(r *entity.Repository) error {
		run := ci.newest(r)
		if run != nil && run.Status != "completed" && len(run.Jobs) > 0 {
			return fmt.Errorf("%s runs already", ci.file)
		}
		ci.start(r, run, jobs)
		return nil
	})
}

// newest returns the newest run of the workflow on the commit, or nil.
func (ci CI) newest(r *entity.Repository) *entity.WorkflowRun {
	runs := SortedByID(ci.s.State.CI.Runs, func(run *entity.WorkflowRun) bool {
		return run.Suite.Repo == r && run.Suite.SHA == ci.sha && path.Base(run.Workflow.Path) == ci.file
	})
	if len(runs) == 0 {
		return nil
	}
	return runs[len(runs)-1]
}

// start starts jobs of a run, or of a new one if it is nil or has ended.
func (ci CI) start(r *entity.Repository, run *entity.WorkflowRun, jobs []string) *entity.WorkflowRun {
	s := ci.s
	if run == nil || run.Status == "completed" {
		run = s.NewRun(s.WorkflowOf(r, ci.file), ci.sha, "push", suites(s).pusherOf(r, ci.sha))
		s.Events.EmitWorkflowRun("requested", run)
	}
	run.Status, run.Updated = "in_progress", s.Now()
	s.Events.EmitWorkflowRun("in_progress", run)
	for _, name := range jobs {
		s.newJob(run, name)
	}
	return run
}

// Cancels cancels the workflow's run on the commit, as somebody on GitHub.
func (ci CI) Cancels() error {
	return ci.act(func(r *entity.Repository) error {
		run := ci.newest(r)
		if run == nil || run.Status == "completed" {
			return fmt.Errorf("%s does not run", ci.file)
		}
		ci.s.EndRun(run, "cancelled")
		return nil
	})
}

// CannotStart ends a run of the workflow without a job, as of a file that GitHub cannot read: the run that was
// dispatched on the commit and has none yet, or else a new one.
func (ci CI) CannotStart() error {
	return ci.act(func(r *entity.Repository) error {
		run := ci.newest(r)
		if run != nil && len(run.Jobs) > 0 {
			run = nil
		}
		run = ci.start(r, run, nil)
		ci.s.EndRun(run, "startup_failure")
		return nil
	})
}

// Reruns starts jobs of the workflow's newest run on the commit once more, as its next attempt: "Re-run job", or
// without names "Re-run failed jobs". "The requested activity type does not occur when a workflow is re-run."
func (ci CI) Reruns(jobs ...string) error {
	return ci.act(func(r *entity.Repository) error {
		s, run := ci.s, ci.newest(r)
		if run == nil || run.Status != "completed" {
			return fmt.Errorf("%s has no run that ended", ci.file)
		}
		var again []string
		for _, j := range run.LatestJobs() {
			failed := !slices.Contains([]string{"success", "neutral", "skipped"}, j.Check.Conclusion)
			if failed && len(jobs) == 0 || slices.Contains(jobs, j.Check.Name) {
				again = append(again, j.Check.Name)
			}
		}
		if len(again) == 0 || len(again) < len(jobs) {
			return errors.New("no job failed, or the run has none of this name")
		}
		run.Attempt++
		run.Status, run.Conclusion, run.Started = "queued", "", s.Now()
		ci.start(r, run, again)
		return nil
	})
}
