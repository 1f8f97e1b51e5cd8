package sim

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
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
func (ci CI) act(do func(r *model.Repository) error) error {
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
	return ci.act(func(r *model.Repository) error {
		run := ci.newest(r)
		if run != nil && run.Status != "completed" && len(run.Jobs) > 0 {
			return fmt.Errorf("%s runs already", ci.file)
		}
		ci.start(r, run, jobs)
		return nil
	})
}

// newest returns the newest run of the workflow on the commit, or nil.
func (ci CI) newest(r *model.Repository) *model.WorkflowRun {
	runs := SortedByID(ci.s.State.CI.Runs, func(run *model.WorkflowRun) bool {
		return run.Suite.Repo == r && run.Suite.SHA == ci.sha && path.Base(run.Workflow.Path) == ci.file
	})
	if len(runs) == 0 {
		return nil
	}
	return runs[len(runs)-1]
}

func (ci CI) start(r *model.Repository, run *model.WorkflowRun, jobs []string) *model.WorkflowRun {
	s := ci.s
	if run == nil || run.Status == "completed" {
		run = s.NewRun(s.WorkflowOf(r, ci.file), ci.sha, "push", Checks(s).pusherOf(r, ci.sha))
		s.Events.EmitWorkflowRun("requested", run)
	}
	run.Status, run.Updated = "in_progress", s.Now()
	s.Events.EmitWorkflowRun("in_progress", run)
	for _, name := range jobs {
		s.newJob(run, name)
	}
	return run
}

func (s actions) newJob(run *model.WorkflowRun, name string) {
	now := s.Now()
	check := &model.CheckRun{Repo: run.Suite.Repo, HeadSHA: run.Suite.SHA, Name: name, Status: "in_progress", Started: now}
	Checks(s).AddCheck(check, run.Suite)
	j := &model.Job{Check: check, Run: run, Attempt: run.Attempt, Created: now}
	run.Jobs = append(run.Jobs, j)
	s.State.CI.Jobs[check.ID] = j
	s.Events.EmitJob("in_progress", j)
}

// endRun ends a run whose jobs have ended, or with a conclusion that cancels those that have not.
func (s actions) EndRun(run *model.WorkflowRun, conclusion string) {
	for _, j := range run.LatestJobs() {
		if j.Check.Status != "completed" {
			s.endJob(j, JobEnd{Conclusion: conclusion})
		}
		conclusion = worse(conclusion, j.Check.Conclusion)
	}
	run.Status, run.Conclusion, run.Updated = "completed", conclusion, s.Now()
	run.Suite.Updated = run.Updated
	s.Events.EmitWorkflowRun("completed", run)
	s.Events.EmitSuite("completed", run.Suite, run.Suite.By)
}

// Cancels cancels the workflow's run on the commit, as somebody on GitHub.
func (ci CI) Cancels() error {
	return ci.act(func(r *model.Repository) error {
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
	return ci.act(func(r *model.Repository) error {
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
	return ci.act(func(r *model.Repository) error {
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

// Status sets a status of the commit, as another service: "pending", "success", "failure" or "error".
func (ci CI) Status(context, state, description, target string) error {
	return ci.act(func(r *model.Repository) error {
		if !slices.Contains([]string{"pending", "success", "failure", "error"}, state) {
			return fmt.Errorf("no state %q", state)
		}
		s := ci.s
		st := &model.CommitStatus{ID: s.State.ID("status"), Repo: r, SHA: ci.sha, State: state, Context: context,
			Description: description, Target: target, Creator: people(s).AdminOf(r.Owner), Created: s.Now()}
		s.State.CI.Statuses = append(s.State.CI.Statuses, st)
		s.Events.EmitStatus(st)
		return nil
	})
}

// Check is a check run of another App to make. Without a conclusion, it is in progress.
type Check struct {
	// App is its name in URLs.
	App, Name, Conclusion string
	// Page is where it links to; empty means GitHub's page.
	Page                 string
	Title, Summary, Text string
	Annotations          []Annotation
}

// Check makes a check run of another App on the commit, or changes the newest one of the same name.
func (ci CI) Check(in Check) error {
	return ci.act(func(r *model.Repository) error {
		s := ci.s
		suite := Checks(s).SuiteFor(r, ci.sha, Checks(s).IntegrationOf(in.App))
		var run *model.CheckRun
		for _, old := range (Checks(s)).LatestOf(suite) {
			if old.Name == in.Name && old.Status != "completed" {
				run = old
			}
		}
		now, isNew := s.Now(), run == nil
		if isNew {
			run = &model.CheckRun{Repo: r, HeadSHA: ci.sha, Name: in.Name, Status: "in_progress", Started: now}
		}
		if in.Conclusion != "" {
			run.Status, run.Conclusion, run.Completed = "completed", in.Conclusion, &now
		}
		run.Details, run.Title, run.Annotations = in.Page, in.Title, annotationsOf(in.Annotations)
		run.Summary, run.Text = textOrNil(in.Summary), textOrNil(in.Text)
		if isNew {
			Checks(s).AddCheck(run, suite)
		}
		if run.Status == "completed" {
			Checks(s).CheckCompleted(run, suite.By)
		}
		return nil
	})
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
