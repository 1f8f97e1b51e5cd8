package gh

import (
	"context"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// maxJobs and maxReadNotes are limits of port.CI; maxJobPages bounds the search for failed jobs among the others.
	maxJobs      = 30
	maxReadNotes = 50
	maxJobPages  = 5
)

// FailedJobs returns the jobs of the newest attempt of a workflow run that failed: at most 30, of the first 500.
func (c *Client) FailedJobs(ctx context.Context, repo port.RepoRef, workflowRun int64) ([]port.Job, error) {
	api, err := c.forRepo(repo, inspecting)
	if err != nil {
		return nil, err
	}
	var failed []port.Job
	opts := &github.ListWorkflowJobsOptions{Filter: "latest", ListOptions: github.ListOptions{PerPage: pageSize}}
	for range maxJobPages {
		got, resp, err := api.Actions.ListWorkflowJobs(ctx, repo.Owner, repo.Name, workflowRun, opts)
		if err != nil {
			return nil, c.explain(err, "asking for the jobs of run %d of %s", workflowRun, repo)
		}
		for _, j := range got.Jobs {
			if port.OutcomeOf(j.GetConclusion()) == port.CheckFailed && len(failed) < maxJobs {
				failed = append(failed, fromJob(j))
			}
		}
		if opts.Page = resp.NextPage; opts.Page == 0 || len(failed) == maxJobs {
			break
		}
	}
	return failed, nil
}

func fromJob(j *github.WorkflowJob) port.Job {
	out := port.Job{ID: j.GetID(), Name: j.GetName(), Conclusion: j.GetConclusion(), Page: webPage(j.GetHTMLURL())}
	for _, s := range j.Steps {
		out.Steps = append(out.Steps, port.JobStep{Number: int(s.GetNumber()), Name: s.GetName(),
			Conclusion: s.GetConclusion(), Started: stamp(s.StartedAt), Completed: stamp(s.CompletedAt)})
	}
	return out
}

// stamp returns a time as RFC 3339, "" for none.
func stamp(t *github.Timestamp) string {
	if t == nil || t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// CheckAnnotations returns the first 50 annotations of a check run.
func (c *Client) CheckAnnotations(ctx context.Context, repo port.RepoRef, check int64) ([]port.Annotation, error) {
	api, err := c.forRepoInClass(repo, checking, reads)
	if err != nil {
		return nil, err
	}
	got, _, err := api.Checks.ListCheckRunAnnotations(ctx, repo.Owner, repo.Name, check,
		&github.ListOptions{PerPage: maxReadNotes})
	if err != nil {
		return nil, c.explain(err, "asking for the annotations of check run %d of %s", check, repo)
	}
	var list []port.Annotation
	for _, a := range got[:min(len(got), maxReadNotes)] {
		list = append(list, port.Annotation{Path: a.GetPath(), StartLine: a.GetStartLine(), EndLine: a.GetEndLine(),
			Level: a.GetAnnotationLevel(), Title: a.GetTitle(), Message: a.GetMessage()})
	}
	return list, nil
}
