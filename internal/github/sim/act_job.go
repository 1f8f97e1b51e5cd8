package sim

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Job acts as a job of a workflow on a commit.
type Job struct {
	ci   CI
	name string
}

// Job returns what acts as a job of the workflow's newest run. Without a run, or for one that was dispatched and has no
// jobs, it is its only job; name several in Starts before.
func (ci CI) Job(name string) Job { return Job{ci, name} }

// JobEnd is how a job ends.
type JobEnd struct {
	// Conclusion is GitHub's word: "success", "failure", "cancelled", "timed_out", "skipped", "neutral" or
	// "action_required".
	Conclusion string
	// Command is what its last step runs; empty means "make test". Output is what that prints; the log has it in GitHub's
	// form, with the other steps, a mark at the beginning and the time at each line.
	Command, Output string
	// Log, if not nil, opens the whole log as it is, of any size. It is called for each download.
	Log func() io.Reader
	// Annotations are those beside the one that GitHub makes of a failure.
	Annotations []Annotation
}

// Annotation is an annotation of a check run. EndLine is Line if it is 0; Level is "failure" if it is empty.
type Annotation struct {
	Path                              string
	Line, EndLine                     int
	Level, Message, Title, RawDetails string
}

// Passes ends the job with success.
func (j Job) Passes() error { return j.Ends(JobEnd{Conclusion: "success", Output: "ok\n"}) }

// Fails ends the job with failure, after its last step printed some output.
func (j Job) Fails(output string) error { return j.Ends(JobEnd{Conclusion: "failure", Output: output}) }

// Ends ends the job, and the run if it was the last one.
func (j Job) Ends(how JobEnd) error {
	return j.ci.act(func(r *model.Repository) error {
		if !slices.Contains(model.CheckConclusions, how.Conclusion) {
			return fmt.Errorf("no conclusion %q", how.Conclusion)
		}
		run := j.ci.newest(r)
		if run == nil || len(run.Jobs) == 0 {
			run = j.ci.start(r, run, []string{j.name})
		}
		found, err := j.of(run)
		switch {
		case err != nil:
			return err
		case found.Check.Status == "completed":
			return fmt.Errorf("job %q has ended: only Reruns or Starts begin it again", j.name)
		}
		j.ci.s.endJob(found, how)
		runs := func(other *model.Job) bool { return other.Check.Status != "completed" }
		if !slices.ContainsFunc(run.LatestJobs(), runs) {
			j.ci.s.EndRun(run, "")
		}
		return nil
	})
}

// of returns the newest job of the name.
func (j Job) of(run *model.WorkflowRun) (*model.Job, error) {
	if run != nil {
		for _, found := range run.LatestJobs() {
			if found.Check.Name == j.name {
				return found, nil
			}
		}
	}
	return nil, fmt.Errorf("%s has no job %q on the commit: name all jobs of a run in Starts", j.ci.file, j.name)
}

// LogExpires makes the log of the job that has ended be gone, as after 90 days.
func (j Job) LogExpires() error {
	return j.withLog(func(log *model.JobLog) { log.Expired = true })
}

// LogBreaksOff makes downloads of the job's log break off after n bytes.
func (j Job) LogBreaksOff(n int64) error {
	return j.withLog(func(log *model.JobLog) { log.Cut = n })
}

func (j Job) withLog(do func(*model.JobLog)) error {
	return j.ci.act(func(r *model.Repository) error {
		found, err := j.of(j.ci.newest(r))
		if err == nil {
			do(&found.Log)
		}
		return err
	})
}

// endJob ends a job: one that was skipped, or cancelled before its first step, has no log.
func (s actions) endJob(j *model.Job, how JobEnd) {
	now := s.Now()
	j.Check.Status, j.Check.Conclusion, j.Check.Completed = "completed", how.Conclusion, &now
	j.Check.Annotations = annotationsOf(how.Annotations)
	if how.Conclusion != "skipped" {
		j.Steps = stepsOf(j, how, now)
		text := githubLog(j, how)
		j.Log.Open = func() io.Reader { return strings.NewReader(text) }
	}
	if how.Log != nil {
		j.Log.Open = how.Log
	}
	if how.Conclusion == "failure" {
		j.Check.Annotations = append(j.Check.Annotations, annotationsOf([]Annotation{{Path: ".github", Line: 1,
			Message: exitCode}})...)
	}
	Checks(s).CheckCompleted(j.Check, j.Run.Suite.By)
	s.Events.EmitJob("completed", j)
}

const exitCode = "Process completed with exit code 1."

// command returns what the last step of a job runs.
func (e JobEnd) command() string { return model.OrElse(e.Command, "make test") }

// stepsOf returns the steps of a job that ends now; the last one but the cleaning decides.
func stepsOf(j *model.Job, how JobEnd, now time.Time) []model.Step {
	began := j.Check.Started
	quarter := began.Add(now.Sub(began) / 4).Truncate(time.Second)
	done := func(name, conclusion string, from, to time.Time) model.Step {
		return model.Step{Name: name, Conclusion: conclusion, Started: from, Completed: to}
	}
	return []model.Step{
		done("Set up job", "success", began, quarter), done("Run actions/checkout@v4", "success", quarter, quarter),
		done("Run "+how.command(), how.Conclusion, quarter, now), done("Post Run actions/checkout@v4", "success", now, now),
		done("Complete job", "success", now, now),
	}
}

// githubLog returns the log of a job in GitHub's form: a byte order mark, and the time before each line.
func githubLog(j *model.Job, how JobEnd) string {
	texts := []string{"Current runner version: '2.330.0'\n##[group]Runner Image\nImage: ubuntu-24.04\n##[endgroup]\n" +
		"Prepare all required actions\n",
		"##[group]Run actions/checkout@v4\nwith:\n  repository: " + j.Check.Repo.FullName() + "\n##[endgroup]\n",
		"##[group]Run " + how.command() + "\n\x1b[36;1m" + how.command() + "\x1b[0m\nshell: /usr/bin/bash -e {0}\n" +
			"##[endgroup]\n" + how.Output,
		"Post job cleanup.\n", "Cleaning up orphan processes\n"}
	if how.Conclusion == "failure" {
		texts[2] = strings.TrimSuffix(texts[2], "\n") + "\n##[error]" + exitCode + "\n"
	}
	var b strings.Builder
	b.WriteString("\ufeff")
	n := 0
	for i, text := range texts {
		for line := range strings.Lines(text) {
			n = min(n+1, 9_999_999)
			fmt.Fprintf(&b, "%s.%07dZ %s\n", j.Steps[i].Started.UTC().Format("2006-01-02T15:04:05"), n,
				strings.TrimSuffix(line, "\n"))
		}
	}
	return b.String()
}

func annotationsOf(list []Annotation) []model.Annotation {
	var all []model.Annotation
	for _, a := range list {
		a.EndLine = model.OrElse(a.EndLine, a.Line)
		all = append(all, model.Annotation{Path: &a.Path, StartLine: &a.Line, EndLine: &a.EndLine,
			Level: model.OrElse(a.Level, "failure"), Message: &a.Message, Title: a.Title, RawDetails: a.RawDetails})
	}
	return all
}
