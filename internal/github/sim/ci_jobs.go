package sim

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Job acts as a job of a workflow on a commit.
type Job struct {
	ci   CI
	name string
}

// Job returns what acts as a job of the workflow's newest run. Without a run, or for one that was dispatched and has no
// jobs, it is its only job; name several in Starts before.
func (ci CI) Job(name string) Job { return Job{ci, name} }

// Passes ends the job with success.
func (j Job) Passes() error { return j.Ends(JobEnd{Conclusion: "success", Output: "ok\n"}) }

// Fails ends the job with failure, after its last step printed some output.
func (j Job) Fails(output string) error { return j.Ends(JobEnd{Conclusion: "failure", Output: output}) }

// Ends ends the job, and the run if it was the last one.
func (j Job) Ends(end JobEnd) error {
	return j.ci.act(func(r *entity.Repository) error {
		if !slices.Contains(entity.CheckConclusions, end.Conclusion) {
			return fmt.Errorf("no conclusion %q", end.Conclusion)
		}
		run := j.ci.newest(r)
		if run == nil || len(run.Jobs) == 0 {
			run = j.ci.start(r, run, []string{j.name})
		}
		found, err := j.find(run)
		switch {
		case err != nil:
			return err
		case found.Check.Status == "completed":
			return fmt.Errorf("job %q has ended: only Reruns or Starts begin it again", j.name)
		}
		j.ci.s.endJob(found, end)
		runs := func(other *entity.Job) bool { return other.Check.Status != "completed" }
		if !slices.ContainsFunc(run.LatestJobs(), runs) {
			j.ci.s.EndRun(run, "")
		}
		return nil
	})
}

// find returns the newest job of the name.
func (j Job) find(run *entity.WorkflowRun) (*entity.Job, error) {
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
	return j.withLog(func(log *entity.JobLog) { log.Expired = true })
}

// LogBreaksOff makes downloads of the job's log break off after n bytes.
func (j Job) LogBreaksOff(n int64) error {
	return j.withLog(func(log *entity.JobLog) { log.Cut = n })
}

// withLog calls do with the log of the newest job of the name.
func (j Job) withLog(do func(*entity.JobLog)) error {
	return j.ci.act(func(r *entity.Repository) error {
		found, err := j.find(j.ci.newest(r))
		if err == nil {
			do(&found.Log)
		}
		return err
	})
}
