package ghtest

import (
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// CI acts as the continuous integration of a commit: workflows of GitHub Actions, check runs of other Apps, and
// statuses. Its methods return after the responses to the deliveries.
type CI struct {
	s         *Server
	repo, sha string
	file      string
}

// defaultWorkflow is the file of the workflow that CI acts as unless a test names one.
const defaultWorkflow = "ci.yml"

// CI returns what acts as the continuous integration of a commit, by its full SHA. Its workflow is ci.yml.
func (s *Server) CI(repo, sha string) CI { return CI{s, repo, sha, defaultWorkflow} }

// Workflow is CI for the workflow of another file in .github/workflows, which need not exist.
func (ci CI) Workflow(file string) CI {
	ci.file = path.Base(file)
	return ci
}

// act does something about the commit, and waits for the responses to its deliveries.
func (ci CI) act(do func(r *repository) error) error {
	s := ci.s
	s.mu.Lock()
	before := len(s.state.deliveries)
	err := func() error {
		r, err := s.state.repo(ci.repo)
		if err != nil {
			return err
		}
		if r.git.Kind(ci.sha) != git.KindCommit {
			return fmt.Errorf("no commit %q in %s", ci.sha, ci.repo)
		}
		return do(r)
	}()
	mine := slices.Clone(s.state.deliveries[before:])
	s.mu.Unlock()
	for _, d := range mine {
		s.wait(d)
	}
	if err != nil {
		return fmt.Errorf("acting as the CI of %s: %w", ci.repo, err)
	}
	return nil
}

// Starts starts the jobs of the workflow: of the run that was dispatched on the commit and has none yet, or else of a
// new run. The run ends with the last of its jobs.
func (ci CI) Starts(jobs ...string) error {
	return ci.act(func(r *repository) error {
		run := ci.newest(r)
		if run != nil && run.status != "completed" && len(run.jobs) > 0 {
			return fmt.Errorf("%s runs already", ci.file)
		}
		ci.start(r, run, jobs)
		return nil
	})
}

// newest returns the newest run of the workflow on the commit, or nil.
func (ci CI) newest(r *repository) *workflowRun {
	runs := sortedByID(ci.s.state.ci.runs, func(run *workflowRun) bool {
		return run.suite.repo == r && run.suite.sha == ci.sha && path.Base(run.workflow.path) == ci.file
	})
	if len(runs) == 0 {
		return nil
	}
	return runs[len(runs)-1]
}

func (ci CI) start(r *repository, run *workflowRun, jobs []string) *workflowRun {
	s := ci.s
	if run == nil || run.status == "completed" {
		run = s.newRun(s.workflowOf(r, ci.file), ci.sha, "push", s.pusherOf(r, ci.sha))
		s.emitWorkflowRun("requested", run)
	}
	run.status, run.updated = "in_progress", s.now()
	s.emitWorkflowRun("in_progress", run)
	for _, name := range jobs {
		s.newJob(run, name)
	}
	return run
}

func (s *Server) newJob(run *workflowRun, name string) {
	now := s.now()
	check := &checkRun{repo: run.suite.repo, headSHA: run.suite.sha, name: name, status: "in_progress", started: now}
	s.addCheck(check, run.suite)
	j := &job{check: check, run: run, attempt: run.attempt, created: now}
	run.jobs = append(run.jobs, j)
	s.state.ci.jobs[check.id] = j
	s.emitJob("in_progress", j)
}

// endRun ends a run whose jobs have ended, or with a conclusion that cancels those that have not.
func (s *Server) endRun(run *workflowRun, conclusion string) {
	for _, j := range run.latestJobs() {
		if j.check.status != "completed" {
			s.endJob(j, JobEnd{Conclusion: conclusion})
		}
		conclusion = worse(conclusion, j.check.conclusion)
	}
	run.status, run.conclusion, run.updated = "completed", conclusion, s.now()
	run.suite.updated = run.updated
	s.emitWorkflowRun("completed", run)
	s.emitSuite("completed", run.suite, run.suite.by)
}

// Cancels cancels the workflow's run on the commit, as somebody on GitHub.
func (ci CI) Cancels() error {
	return ci.act(func(r *repository) error {
		run := ci.newest(r)
		if run == nil || run.status == "completed" {
			return fmt.Errorf("%s does not run", ci.file)
		}
		ci.s.endRun(run, "cancelled")
		return nil
	})
}

// CannotStart ends a run of the workflow without a job, as of a file that GitHub cannot read: the run that was
// dispatched on the commit and has none yet, or else a new one.
func (ci CI) CannotStart() error {
	return ci.act(func(r *repository) error {
		run := ci.newest(r)
		if run != nil && len(run.jobs) > 0 {
			run = nil
		}
		run = ci.start(r, run, nil)
		ci.s.endRun(run, "startup_failure")
		return nil
	})
}

// Reruns starts jobs of the workflow's newest run on the commit once more, as its next attempt: "Re-run job", or
// without names "Re-run failed jobs". "The requested activity type does not occur when a workflow is re-run."
func (ci CI) Reruns(jobs ...string) error {
	return ci.act(func(r *repository) error {
		s, run := ci.s, ci.newest(r)
		if run == nil || run.status != "completed" {
			return fmt.Errorf("%s has no run that ended", ci.file)
		}
		var again []string
		for _, j := range run.latestJobs() {
			failed := !slices.Contains([]string{"success", "neutral", "skipped"}, j.check.conclusion)
			if failed && len(jobs) == 0 || slices.Contains(jobs, j.check.name) {
				again = append(again, j.check.name)
			}
		}
		if len(again) == 0 || len(again) < len(jobs) {
			return errors.New("no job failed, or the run has none of this name")
		}
		run.attempt++
		run.status, run.conclusion, run.started = "queued", "", s.now()
		ci.start(r, run, again)
		return nil
	})
}

// Status sets a status of the commit, as another service: "pending", "success", "failure" or "error".
func (ci CI) Status(context, state, description, target string) error {
	return ci.act(func(r *repository) error {
		if !slices.Contains([]string{"pending", "success", "failure", "error"}, state) {
			return fmt.Errorf("no state %q", state)
		}
		s := ci.s
		st := &commitStatus{id: s.state.id("status"), repo: r, sha: ci.sha, state: state, context: context,
			description: description, target: target, creator: s.adminOf(r.owner), created: s.now()}
		s.state.ci.statuses = append(s.state.ci.statuses, st)
		s.emitStatus(st)
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
	return ci.act(func(r *repository) error {
		s := ci.s
		suite := s.suiteFor(r, ci.sha, s.integrationOf(in.App))
		var run *checkRun
		for _, old := range s.latestOf(suite) {
			if old.name == in.Name && old.status != "completed" {
				run = old
			}
		}
		now, isNew := s.now(), run == nil
		if isNew {
			run = &checkRun{repo: r, headSHA: ci.sha, name: in.Name, status: "in_progress", started: now}
		}
		if in.Conclusion != "" {
			run.status, run.conclusion, run.completed = "completed", in.Conclusion, &now
		}
		run.details, run.title, run.annotations = in.Page, in.Title, annotationsOf(in.Annotations)
		run.summary, run.text = textOrNil(in.Summary), textOrNil(in.Text)
		if isNew {
			s.addCheck(run, suite)
		}
		if run.status == "completed" {
			s.checkCompleted(run, suite.by)
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
