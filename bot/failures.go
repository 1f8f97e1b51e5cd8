package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Bounds on what is read of the failures of one commit.
const (
	// maxFailures is how many failed checks a prompt can name, maxRead of how many the logs and annotations are read.
	maxFailures = 30
	maxRead     = 10
	// maxReaders is how many are read at the same time.
	maxReaders = 4
	// readPatience is how long all of that may take.
	readPatience = 2 * time.Minute
)

// ciReader reads what CI reports of the commits of a repository. Safe for concurrent use.
type ciReader struct {
	ci   port.CI
	repo port.RepoRef
	// logs bounds what is read of all logs in one attempt of a run.
	logs *ci.Reader
	log  *slog.Logger
}

// failures are what CI reports of a commit, and why checks failed if that was read. The zero value is of a commit whose
// checks nobody asked for. failures are values.
type failures struct {
	commit string
	// all are the checks of the commit; there are none if the failures are those of a workflow run.
	all port.CommitChecks
	// failed are those that failed, maxFailures at most, more counts the others.
	failed []failure
	more   int
	// read reports that logs and annotations were read, as far as that is possible.
	read bool
	// missing are the permissions without which something could not be read. unknown means that the checks could not be
	// read, and that it matters.
	missing []string
	unknown bool
	// task means that the failures are the task.
	task bool
}

// failure is a check that failed, or a job.
type failure struct {
	ci.Failure
	check port.CommitCheck
	log   record.LogState
}

// checks reads which checks of a commit failed, by one request.
func (c ciReader) checks(ctx context.Context, sha string) (failures, error) {
	all, err := c.ci.CommitChecks(ctx, c.repo, sha)
	if err != nil {
		return failures{}, fmt.Errorf("reading the checks of %s: %w", sha, err)
	}
	f := failures{commit: sha, all: all, missing: slices.Clone(all.Missing)}
	for _, check := range all.Checks {
		if check.Outcome == port.CheckFailed {
			f = f.with(check)
		}
	}
	return f, nil
}

// explain reads why checks failed: the logs of jobs of GitHub Actions, and the annotations of check runs. What cannot
// be read is missing in what it returns, and is an error only if the context ends.
func (c ciReader) explain(ctx context.Context, f failures) (failures, error) {
	within, end := context.WithTimeout(ctx, readPatience)
	defer end()
	return explaining{c, c.failedJobs(within, f)}.all(within, f), ctx.Err()
}

// ofWorkflow reads why a workflow run failed, as explain does: the failures are those of its jobs.
func (c ciReader) ofWorkflow(ctx context.Context, sha string, run int64) (failures, error) {
	f := failures{commit: sha, read: true}
	within, end := context.WithTimeout(ctx, readPatience)
	defer end()
	jobs, err := c.ci.FailedJobs(within, c.repo, run)
	if errors.Is(err, port.ErrDenied) {
		f.missing = []string{sentence.ActionsRead}
		return f, ctx.Err()
	}
	if err != nil {
		return f, fmt.Errorf("reading the failed jobs of workflow run %d: %w", run, err)
	}
	for _, job := range jobs {
		f = f.with(port.CommitCheck{Name: job.Name, Conclusion: job.Conclusion, Page: job.Page, WorkflowRun: run,
			Job: job.ID})
	}
	return explaining{c, map[int64]workflowJobs{run: {jobs: jobs}}}.all(within, f), ctx.Err()
}

// with returns the failures with one more.
func (f failures) with(check port.CommitCheck) failures {
	if len(f.failed) == maxFailures {
		f.more++
		return f
	}
	one := ci.Failure{Name: plainName(check.Name), Conclusion: plainName(check.Conclusion), Said: check.Said}
	f.failed = append(f.failed, failure{Failure: one, check: check})
	return f
}

// denied returns the failures with the permission that logs need, if one could not be read without it.
func (f failures) denied() failures {
	without := func(one failure) bool { return one.log == record.LogDenied }
	if slices.ContainsFunc(f.failed, without) && !slices.Contains(f.missing, sentence.ActionsRead) {
		f.missing = append(f.missing, sentence.ActionsRead)
	}
	return f
}

// fingerprint is equal for two commits if the same checks failed with the same errors; empty if the logs were not read,
// or nothing failed.
func (f failures) fingerprint() string {
	if !f.read {
		return ""
	}
	return ci.Fingerprint(f.details())
}

// details are what is known of each failure.
func (f failures) details() (out []ci.Failure) {
	for _, one := range f.failed {
		out = append(out, one.Failure)
	}
	return out
}

// named are the names of the checks with an outcome, as they may be shown.
func (f failures) named(outcome port.CheckOutcome) (names []string) {
	for _, check := range f.all.Checks {
		if check.Outcome == outcome {
			names = append(names, plainName(check.Name))
		}
	}
	return names
}

// workflowJobs are the failed jobs of a workflow run, or why they could not be read.
type workflowJobs struct {
	jobs []port.Job
	err  error
}

// failedJobs reads the failed jobs, with their steps, of the workflow runs of failures.
func (c ciReader) failedJobs(ctx context.Context, f failures) map[int64]workflowJobs {
	var runs []int64
	for _, one := range f.failed[:min(len(f.failed), maxRead)] {
		if id := one.check.WorkflowRun; id != 0 && !slices.Contains(runs, id) {
			runs = append(runs, id)
		}
	}
	found := make([]workflowJobs, len(runs))
	var reads []func() error
	for i, id := range runs {
		reads = append(reads, func() error {
			found[i].jobs, found[i].err = c.ci.FailedJobs(ctx, c.repo, id)
			return nil
		})
	}
	_ = port.Together(ctx, reads...) // each error is kept with its run
	out := map[int64]workflowJobs{}
	for i, id := range runs {
		if err := found[i].err; err != nil {
			c.log.InfoContext(ctx, "failed jobs not read", "workflow_run", id, "error", err)
		}
		out[id] = found[i]
	}
	return out
}

// explaining reads why the checks of one commit failed. Safe for concurrent use.
type explaining struct {
	ciReader
	jobs map[int64]workflowJobs
}

// all returns failures with why they failed.
func (e explaining) all(ctx context.Context, f failures) failures {
	f.failed, f.missing, f.read = slices.Clone(f.failed), slices.Clone(f.missing), true
	readers := make(chan struct{}, maxReaders)
	var reads []func() error
	for i := range f.failed[:min(len(f.failed), maxRead)] {
		reads = append(reads, func() error {
			port.Waiting(ctx, func() { readers <- struct{}{} })
			defer func() { <-readers }()
			e.one(ctx, &f.failed[i])
			return nil
		})
	}
	_ = port.Together(ctx, reads...)
	return f.denied()
}

func (e explaining) one(ctx context.Context, f *failure) {
	if run := f.check.WorkflowRun; run != 0 {
		if errors.Is(e.jobs[run].err, port.ErrDenied) {
			f.log = record.LogDenied
		} else {
			f.Log, f.log = e.jobLog(ctx, e.job(f.check))
		}
	}
	if f.check.Notes == 0 || f.check.Check == 0 {
		return
	}
	var err error
	if f.Annotations, err = e.ci.CheckAnnotations(ctx, e.repo, f.check.Check); err != nil {
		e.log.InfoContext(ctx, "annotations not read", "check", f.check.Check, "error", err)
	}
}

// job returns the job of a check, with its steps if they are known. The newest attempt of a job has an id of its own,
// which its check may not have.
func (e explaining) job(check port.CommitCheck) port.Job {
	jobs := e.jobs[check.WorkflowRun].jobs
	for _, same := range []func(port.Job) bool{
		func(j port.Job) bool { return j.ID == check.Job },
		func(j port.Job) bool { return j.Name == check.Name },
	} {
		if i := slices.IndexFunc(jobs, same); i >= 0 {
			return jobs[i]
		}
	}
	return port.Job{ID: check.Job, Name: check.Name, Conclusion: check.Conclusion, Page: check.Page}
}

// jobLog reads the log of a job. An error is for the log of the program; the state says what people are told.
func (c ciReader) jobLog(ctx context.Context, job port.Job) (ci.Log, record.LogState) {
	if job.ID == 0 {
		return ci.Log{}, ""
	}
	stream, err := c.ci.JobLog(ctx, c.repo, job.ID)
	var read ci.Log
	if err == nil {
		read, err = c.logs.Read(stream, job)
		_ = stream.Close()
	}
	switch {
	case err == nil:
		return read, record.LogRead
	case errors.Is(err, port.ErrDenied):
		return ci.Log{}, record.LogDenied
	case errors.Is(err, port.ErrNotFound):
		return ci.Log{}, record.LogGone
	}
	c.log.InfoContext(ctx, "log of a job not read to its end", "job", job.ID, "error", err)
	if read.Bytes > 0 {
		return read, record.LogRead
	}
	return ci.Log{}, record.LogUnread
}

// maxCheckName bounds the names of a check and of a step, in characters.
const maxCheckName = 100

// plainName returns a name that a workflow or another app chose, as it may be shown: one line, without secrets.
func plainName(name string) string {
	return markdown.Clip(markdown.OneLine(secret.Redacted(name)), maxCheckName)
}
