package bottest

import (
	"io"
	"slices"
	"strings"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
)

// CI is what continuous integration does on a commit of a repository. Every act takes a second. GitHub tells the app of
// a job or check run when all of its workflow, or of its app, on the commit have come to an end, and of every status
// that is not pending. The methods return the receiver, so that acts can be listed.
type CI struct {
	r        *Repo
	sha      string
	workflow string // the name of the file of the jobs, with ".yml"
}

// CI is that of a commit, by GitHub Actions' workflow "ci", in the file ci.yml.
func (r *Repo) CI(sha string) *CI { return &CI{r: r, sha: sha, workflow: "ci.yml"} }

// CI is that of a commit of acme/lathe.
func (w *World) CI(sha string) *CI { return w.Repo.CI(sha) }

// In has the jobs that follow belong to another workflow, named by its file.
func (c *CI) In(workflow string) *CI {
	other := *c
	other.workflow = workflow
	return &other
}

// acting is GitHub.acting for the jobs of a commit.
func (c *CI) acting() sim.CI { return c.r.g.acting().CI(c.r.name, c.sha).Workflow(c.workflow) }

func (c *CI) allows(err error) *CI {
	c.r.g.allows(err)
	return c
}

// Starts begins jobs: those of the last run of the workflow again, others in one that was dispatched or in a new one.
func (c *CI) Starts(jobs ...string) *CI { return c.allows(c.start(c.acting(), jobs...)) }

func (c *CI) start(ci sim.CI, jobs ...string) error {
	run, is := c.run()
	has := func(name string) bool { return run.Jobs[name] != 0 }
	if is && run.Status == "completed" && slices.ContainsFunc(jobs, has) {
		return ci.Reruns(jobs...)
	}
	return ci.Starts(jobs...)
}

// Passes ends jobs with success.
func (c *CI) Passes(jobs ...string) *CI { return c.end(sim.JobEnd{Conclusion: "success"}, jobs...) }

// Fails ends a job with failure. Its log is what GitHub serves, with times if it has them.
func (c *CI) Fails(job, log string, notes ...port.Annotation) *CI {
	return c.end(sim.JobEnd{Conclusion: "failure", Log: func() io.Reader { return strings.NewReader(log) },
		Annotations: annotations(notes)}, job)
}

// Ends ends a job with any of GitHub's conclusions, such as "cancelled" or "timed_out".
func (c *CI) Ends(job, conclusion string) *CI { return c.end(sim.JobEnd{Conclusion: conclusion}, job) }

// end ends jobs, which begin before if they do not run.
func (c *CI) end(end sim.JobEnd, jobs ...string) *CI {
	ci := c.acting()
	if run, is := c.run(); !is || run.Status == "completed" || len(run.Jobs) == 0 {
		if end.Conclusion == "startup_failure" {
			return c.allows(ci.CannotStart())
		}
		c.allows(c.start(ci, jobs...))
	}
	for _, name := range jobs {
		end.Command = name
		c.allows(ci.Job(name).Ends(end))
	}
	return c
}

// run returns the newest run of the workflow on the commit.
func (c *CI) run() (newest sim.WorkflowRun, is bool) {
	for _, w := range must(c.r.g.server.WorkflowRuns(c.r.name))(c.r.g.t) {
		if w.SHA == c.sha && w.File == c.workflow {
			newest, is = w, true
		}
	}
	return newest, is
}

func annotations(notes []port.Annotation) (list []sim.Annotation) {
	for _, n := range notes {
		list = append(list, sim.Annotation{Path: n.Path, Line: n.StartLine, EndLine: n.EndLine, Level: n.Level,
			Title: n.Title, Message: n.Message})
	}
	return list
}

// Reruns begins the failed jobs of the workflow again.
func (c *CI) Reruns() *CI { return c.allows(c.acting().Reruns()) }

// LosesLog has the log of a job expire.
func (c *CI) LosesLog(job string) *CI { return c.allows(c.acting().Job(job).LogExpires()) }

// Status sets a commit status: "pending", "success", "failure" or "error".
func (c *CI) Status(context, state, description string) *CI {
	return c.allows(c.acting().Status(context, state, description, "https://ci.example/"+context))
}

// Check makes a check run of another app, or changes it. Without a conclusion it is in progress.
func (c *CI) Check(app, name, conclusion, said string, notes ...port.Annotation) *CI {
	check := sim.Check{App: app, Name: name, Conclusion: conclusion, Title: said, Annotations: annotations(notes)}
	return c.allows(c.acting().Check(check))
}

// Reports has GitHub tell the app once more of what CI says of the commit.
func (c *CI) Reports() *CI {
	c.acting()
	c.r.g.reported(c.r.Ref().ID, c.sha)
	return c
}

// scratch is what the names of the branches begin with on which edits are verified.
const scratch = "tenon/verify-"

// CIWill sets what CI does for the next commits that the app makes on a branch, but for those that are only verified:
// one after the other, when the queue is idle.
func (r *Repo) CIWill(plays ...func(*CI)) {
	id := r.Ref().ID
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	r.g.pushed[id] = append(r.g.pushed[id], plays...)
}

// Workflow adds a workflow that can be started to all branches, and sets what its next runs do, one after the other,
// when the queue is idle. A run for which nothing is set stays in progress.
func (r *Repo) Workflow(file string, plays ...func(*CI)) {
	for _, branch := range r.Branches("") {
		r.Push(branch, map[string]string{".github/workflows/" + file: "on: workflow_dispatch\n"})
	}
	key := startedWorkflow{r.Ref().ID, file}
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	r.g.started[key] = append(r.g.started[key], plays...)
}

// EndWorkflow ends the newest run of a workflow that was started on a commit, whose only job is "verify".
func (r *Repo) EndWorkflow(sha, file, conclusion string) {
	ci := r.CI(sha).In(file)
	_, is := ci.run()
	require.True(r.g.t, is, "%s was not started on %s", file, sha)
	ci.allows(ci.acting().Job("verify").Ends(sim.JobEnd{Conclusion: conclusion}))
}

// Mute has GitHub tell the app nothing of CI, or tell it again.
func (r *Repo) Mute(yes bool) {
	id := r.Ref().ID
	r.g.acting()
	r.g.mu.Lock()
	defer r.g.mu.Unlock()
	r.g.muted[id] = yes
}

// reported tells the app that CI reported about a commit.
func (g *GitHub) reported(repo int64, sha string) {
	g.mu.Lock()
	muted := g.muted[repo]
	g.mu.Unlock()
	if g.report != nil && !muted {
		g.report(repo, sha)
	}
}

// pushedTo has CI begin with a commit of the app.
func (g *GitHub) pushedTo(ref port.RepoRef, branch, sha string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if plays := g.pushed[ref.ID]; len(plays) > 0 && !strings.HasPrefix(branch, scratch) {
		g.pushed[ref.ID] = plays[1:]
		g.plays = append(g.plays, func() { plays[0]((&Repo{g, ref.String()}).CI(sha)) })
	}
}

// startedOn has CI play a run that the app started.
func (g *GitHub) startedOn(ref port.RepoRef, file, branch string) {
	r, key := &Repo{g, ref.String()}, startedWorkflow{ref.ID, file}
	sha := r.Branch(branch)
	g.mu.Lock()
	defer g.mu.Unlock()
	if plays := g.started[key]; len(plays) > 0 {
		g.started[key] = plays[1:]
		g.plays = append(g.plays, func() { plays[0](r.CI(sha).In(file)) })
	}
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
