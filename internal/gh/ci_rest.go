package gh

import (
	"context"
	"fmt"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// maxContexts is how many check runs and statuses one request returns at most.
const maxContexts = 100

// readCheckRuns reads the newest check runs of a commit by REST.
func (c *Client) readCheckRuns(ctx context.Context, repo port.RepoRef, sha string, list *checkList) error {
	api, err := c.forRepoInClass(repo, checking, reads)
	if err != nil {
		return err
	}
	got, _, err := api.Checks.ListCheckRunsForRef(ctx, repo.Owner, repo.Name, sha, &github.ListCheckRunsOptions{
		Filter: github.String("latest"), ListOptions: github.ListOptions{PerPage: maxContexts}})
	if err != nil {
		return unknownCommit(err)
	}
	for _, r := range got.CheckRuns {
		list.addRun(checkFound{id: r.GetID(), app: r.GetApp().GetSlug(), name: r.GetName(), conclusion: r.GetConclusion(),
			details: r.GetDetailsURL(), page: r.GetHTMLURL(), title: r.GetOutput().GetTitle(),
			summary: r.GetOutput().GetSummary(), notes: r.GetOutput().GetAnnotationsCount(),
			ran: span{r.GetStartedAt().Time, r.GetCompletedAt().Time}})
	}
	list.More = list.More || got.GetTotal() > len(got.CheckRuns)
	return nil
}

// readStatuses reads the newest status of each context of a commit by REST.
func (c *Client) readStatuses(ctx context.Context, repo port.RepoRef, sha string, s scope, list *checkList) error {
	api, err := c.forRepoInClass(repo, s, reads)
	if err != nil {
		return err
	}
	got, _, err := api.Repositories.GetCombinedStatus(ctx, repo.Owner, repo.Name, sha,
		&github.ListOptions{PerPage: maxContexts})
	if err != nil {
		return unknownCommit(err)
	}
	for _, st := range got.Statuses {
		list.addStatus(st.GetContext(), st.GetState(), st.GetDescription(), st.GetTargetURL())
	}
	list.More = list.More || got.GetTotalCount() > len(got.Statuses)
	if len(list.Checks) > maxContexts {
		list.Checks, list.More = list.Checks[:maxContexts], true
	}
	return nil
}

// unknownCommit returns port.ErrNotFound for a commit that GitHub does not know.
func unknownCommit(err error) error {
	if isNoCommit(err) {
		return fmt.Errorf("GitHub does not know the commit: %w", port.ErrNotFound)
	}
	return err
}
