package bottest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// CI is what continuous integration does on a commit of a repository. Every act takes a second. GitHub tells the app of
// a job or check run when all of its workflow, or of its app, on the commit have come to an end, and of every status.
// The methods return the receiver, so that acts can be listed.
type CI struct {
	r        *Repo
	sha      string
	workflow string       // the name of the file of the jobs, with ".yml"
	run      *workflowRun // the one that was dispatched; nil for those of a push
}

// CI is that of a commit, by GitHub Actions' workflow "ci", in the file ci.yml.
func (r *Repo) CI(sha string) *CI { return &CI{r: r, sha: sha, workflow: "ci.yml"} }

// CI is that of a commit of acme/lathe.
func (w *World) CI(sha string) *CI { return w.Repo.CI(sha) }

// In has the jobs that follow belong to another workflow, named by its file.
func (c *CI) In(workflow string) *CI {
	other := *c
	other.workflow, other.run = workflow, nil
	return &other
}

// Starts begins jobs, or runs them again.
func (c *CI) Starts(jobs ...string) *CI { return c.jobs("", "", jobs...) }

// Passes ends jobs with success.
func (c *CI) Passes(jobs ...string) *CI { return c.jobs("success", "", jobs...) }

// Fails ends a job with failure. Its log is what GitHub serves, with times if it has them.
func (c *CI) Fails(job, log string, notes ...port.Annotation) *CI {
	c.r.g.t.Helper()
	return c.act(func() { c.note(c.end(job, "failure", log), notes) })
}

// Ends ends a job with any of GitHub's conclusions, such as "cancelled" or "timed_out".
func (c *CI) Ends(job, conclusion string) *CI { return c.jobs(conclusion, "", job) }

// Reruns begins the failed jobs of the workflow again.
func (c *CI) Reruns() *CI {
	c.r.g.t.Helper()
	return c.act(func() {
		for _, j := range slices.Clone(c.workflowRun().jobs) {
			if j.Outcome == port.CheckFailed || j.Outcome == port.CheckCancelled {
				c.end(j.Name, "", "")
			}
		}
	})
}

// LosesLog has the log of a job expire.
func (c *CI) LosesLog(job string) *CI {
	c.r.g.t.Helper()
	return c.act(func() {
		if old := c.find(actions, job); old != nil {
			old.noLog = true
		}
	})
}

// Status sets a commit status: "pending", "success", "failure" or "error".
func (c *CI) Status(context, state, description string) *CI {
	c.r.g.t.Helper()
	return c.act(func() {
		made := port.CommitCheck{Name: context, Outcome: port.OutcomeOf(state), Said: description,
			Page: "https://ci.example/" + context}
		if made.Outcome != port.CheckPending {
			made.Conclusion = state
		}
		c.put(&ciCheck{CommitCheck: made})
		c.r.g.reported(c.r.repository, c.sha)
	})
}

// Check makes a check run of another app, or changes it. Without a conclusion it is in progress.
func (c *CI) Check(app, name, conclusion, said string, notes ...port.Annotation) *CI {
	c.r.g.t.Helper()
	return c.act(func() {
		id := c.r.g.id("check")
		c.put(&ciCheck{CommitCheck: port.CommitCheck{Name: name, Outcome: port.OutcomeOf(conclusion), Conclusion: conclusion,
			Said: said, Check: id, App: app, Notes: len(notes),
			Page: fmt.Sprintf("%s%s/runs/%d", site, c.r.fullName(), id)}, notes: notes})
		c.tell(app)
	})
}

// Reports has GitHub tell the app once more of what CI says of the commit.
func (c *CI) Reports() *CI {
	c.r.g.t.Helper()
	return c.act(func() { c.r.g.reported(c.r.repository, c.sha) })
}

func (c *CI) jobs(conclusion, log string, names ...string) *CI {
	c.r.g.t.Helper()
	return c.act(func() {
		for _, name := range names {
			c.end(name, conclusion, log)
		}
	})
}

func (c *CI) act(f func()) *CI {
	c.r.g.t.Helper()
	c.r.g.act(func() error {
		if c.r.git.objects[c.sha] == nil {
			return fmt.Errorf("there is no commit %q", c.sha)
		}
		f()
		return nil
	})
	return c
}

// end makes a job what it is now. An empty conclusion is that of one in progress.
func (c *CI) end(name, conclusion, log string) *ciCheck {
	run, id, now := c.workflowRun(), c.r.g.id("check"), c.r.g.now().Format(time.RFC3339)
	old := c.find(actions, name)
	if old != nil && old.run == run && old.Outcome == port.CheckPending {
		id = old.Check
	}
	page := fmt.Sprintf("%s/job/%d", c.r.runPage(run), id)
	job := port.Job{ID: id, Name: name, Conclusion: conclusion, Page: page}
	if conclusion != "" && conclusion != "skipped" {
		job.Steps = []port.JobStep{{Number: 1, Name: "Set up job", Conclusion: "success", Started: now, Completed: now},
			{Number: 2, Name: "Run " + name, Conclusion: conclusion, Started: now, Completed: now}}
	}
	made := &ciCheck{CommitCheck: port.CommitCheck{Name: name, Outcome: port.OutcomeOf(conclusion), Conclusion: conclusion,
		Page: page, Check: id, App: actions, WorkflowRun: run.id, Job: id}, run: run, job: job, log: log}
	run.jobs = append(slices.DeleteFunc(run.jobs, func(j *ciCheck) bool { return j.Name == name }), made)
	c.put(made)
	c.tell(actions)
	return made
}

func (c *CI) note(check *ciCheck, notes []port.Annotation) {
	check.notes, check.Notes = notes, len(notes)
}

// workflowRun is the run that the jobs are of.
func (c *CI) workflowRun() *workflowRun {
	if c.run != nil {
		return c.run
	}
	for _, w := range c.r.ci.runs {
		if w.sha == c.sha && w.file == c.workflow && !w.dispatched {
			return w
		}
	}
	w := &workflowRun{id: c.r.g.id("workflow run"), file: c.workflow, sha: c.sha}
	c.r.ci.runs = append(c.r.ci.runs, w)
	return w
}

// find returns the check run of an app and a name, or the status of a context.
func (c *CI) find(app, name string) *ciCheck {
	for _, old := range c.r.ci.checks[c.sha] {
		if old.App == app && old.Name == name && (app != actions || old.run == c.workflowRun()) {
			return old
		}
	}
	return nil
}

// put adds a check run or status in the place of the one before it.
func (c *CI) put(check *ciCheck) {
	if c.r.ci.checks == nil {
		c.r.ci.checks = map[string][]*ciCheck{}
	}
	list := c.r.ci.checks[c.sha]
	if old := c.find(check.App, check.Name); old != nil {
		list[slices.Index(list, old)] = check
		return
	}
	c.r.ci.checks[c.sha] = append(list, check)
}

// tell tells the app when all check runs of a suite have come to an end.
func (c *CI) tell(app string) {
	for _, check := range c.r.ci.checks[c.sha] {
		if check.App == app && check.Outcome == port.CheckPending && (app != actions || check.run == c.workflowRun()) {
			return
		}
	}
	c.r.g.reported(c.r.repository, c.sha)
}

// scratch is what the names of the branches begin with on which edits are verified.
const scratch = "tenon/verify-"

// CIWill sets what CI does for the next commits that the app makes on a branch, but for those that are only verified:
// one after the other, when the queue is idle.
func (r *Repo) CIWill(plays ...func(*CI)) {
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	r.ci.pushed = append(r.ci.pushed, plays...)
}

// Workflow adds a workflow that can be started to all branches, and sets what its next runs do, one after the other,
// when the queue is idle. A run for which nothing is set stays in progress.
func (r *Repo) Workflow(file string, plays ...func(*CI)) {
	r.g.t.Helper()
	for _, branch := range r.Branches("") {
		r.Push(branch, map[string]string{".github/workflows/" + file: "on: workflow_dispatch\n"})
	}
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	if r.ci.dispatched == nil {
		r.ci.dispatched = map[string][]func(*CI){}
	}
	r.ci.dispatched[file] = append(r.ci.dispatched[file], plays...)
}

// EndWorkflow ends the newest run of a workflow that was started on a commit, whose only job is "verify".
func (r *Repo) EndWorkflow(sha, file, conclusion string) {
	r.g.t.Helper()
	r.g.act(func() error {
		for _, w := range slices.Backward(r.ci.runs) {
			if w.dispatched && w.sha == sha && w.file == file {
				(&CI{r: r, sha: sha, workflow: file, run: w}).end("verify", conclusion, "")
				return nil
			}
		}
		return fmt.Errorf("%s was not started on %s", file, sha)
	})
}

// Mute has GitHub tell the app nothing of CI, or tell it again.
func (r *Repo) Mute(yes bool) { r.change(func() { r.ci.silent = yes }) }

// pushed has CI begin with a commit of the app.
func (g *GitHub) pushed(r *repository, branch, sha string) {
	if len(r.ci.pushed) == 0 || strings.HasPrefix(branch, scratch) {
		return
	}
	play := r.ci.pushed[0]
	r.ci.pushed = r.ci.pushed[1:]
	g.plays = append(g.plays, func() { play((&Repo{r, g}).CI(sha)) })
}

// plan has CI play a run that was started.
func (g *GitHub) plan(r *repository, sha string, run *workflowRun, plays map[string][]func(*CI), workflow string) {
	if len(plays[workflow]) == 0 {
		return
	}
	play := plays[workflow][0]
	plays[workflow] = plays[workflow][1:]
	g.plays = append(g.plays, func() { play(&CI{r: &Repo{r, g}, sha: sha, workflow: workflow, run: run}) })
}

// playNext lets CI do the next of what was set; false if there is nothing.
func (g *GitHub) playNext() bool {
	g.mu.Lock()
	if len(g.plays) == 0 {
		g.mu.Unlock()
		return false
	}
	play := g.plays[0]
	g.plays = g.plays[1:]
	g.mu.Unlock()
	play()
	return true
}
