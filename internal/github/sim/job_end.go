package sim

import (
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

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

// command returns what the last step of a job runs.
func (e JobEnd) command() string { return entity.OrElse(e.Command, "make test") }

// endJob ends a job: one that was skipped, or cancelled before its first step, has no log.
func (s actions) endJob(j *entity.Job, end JobEnd) {
	now := s.Now()
	j.Check.Status, j.Check.Conclusion, j.Check.Completed = "completed", end.Conclusion, &now
	j.Check.Annotations = annotationsOf(end.Annotations)
	if end.Conclusion != "skipped" {
		j.Steps = stepsOf(j, end, now)
		text := githubLog(j, end)
		j.Log.Open = func() io.Reader { return strings.NewReader(text) }
	}
	if end.Log != nil {
		j.Log.Open = end.Log
	}
	if end.Conclusion == "failure" {
		j.Check.Annotations = append(j.Check.Annotations, annotationsOf([]Annotation{{Path: ".github", Line: 1,
			Message: exitCode}})...)
	}
	Checks(s).CheckCompleted(j.Check, j.Run.Suite.By)
	s.Events.EmitJob("completed", j)
}

// exitCode is what the log and the annotation of a job that failed say.
const exitCode = "Process completed with exit code 1."

// stepsOf returns the steps of a job that ends now; the last one but the cleaning decides.
func stepsOf(j *entity.Job, end JobEnd, now time.Time) []entity.Step {
	began := j.Check.Started
	quarter := began.Add(now.Sub(began) / 4).Truncate(time.Second)
	done := func(name, conclusion string, from, to time.Time) entity.Step {
		return entity.Step{Name: name, Conclusion: conclusion, Started: from, Completed: to}
	}
	return []entity.Step{
		done("Set up job", "success", began, quarter), done("Run actions/checkout@v4", "success", quarter, quarter),
		done("Run "+end.command(), end.Conclusion, quarter, now), done("Post Run actions/checkout@v4", "success", now, now),
		done("Complete job", "success", now, now),
	}
}

// githubLog returns the log of a job in GitHub's form: a byte order mark, and the time before each line.
func githubLog(j *entity.Job, end JobEnd) string {
	texts := []string{"Current runner version: '2.330.0'\n##[group]Runner Image\nImage: ubuntu-24.04\n##[endgroup]\n" +
		"Prepare all required actions\n",
		"##[group]Run actions/checkout@v4\nwith:\n  repository: " + j.Check.Repo.FullName() + "\n##[endgroup]\n",
		"##[group]Run " + end.command() + "\n\x1b[36;1m" + end.command() + "\x1b[0m\nshell: /usr/bin/bash -e {0}\n" +
			"##[endgroup]\n" + end.Output,
		"Post job cleanup.\n", "Cleaning up orphan processes\n"}
	if end.Conclusion == "failure" {
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
