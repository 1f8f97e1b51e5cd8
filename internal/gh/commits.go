package gh

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// FindCommit looks for text in the messages of the newest commits of a branch (100 at most) and returns the newest that holds
// it; not ok where there is no such branch.
func (c *Client) FindCommit(ctx context.Context, repo port.RepoRef, branch, text string) (sha string, ok bool, err error) {
	if branch == "" || text == "" {
		return "", false, callerError("looking for a commit: the branch or the text is empty")
	}
	api, err := c.as(repo, reading)
	if err != nil {
		return "", false, err
	}
	commits, _, err := api.Repositories.ListCommits(ctx, repo.Owner, repo.Name, &github.CommitsListOptions{
		SHA: branch, ListOptions: github.ListOptions{PerPage: pageSize}})
	if noBranch(err) {
		return "", false, nil
	}
	if err != nil {
		return "", false, c.explain(err, "listing the commits of %s in %s", branch, repo)
	}
	for _, commit := range commits {
		if strings.Contains(commit.GetCommit().GetMessage(), text) {
			return commit.GetSHA(), true, nil
		}
	}
	return "", false, nil
}

// noBranch is GitHub's 404, and the 409 "Git Repository is empty."
func noBranch(err error) bool {
	var no *github.ErrorResponse
	return errors.As(err, &no) && (no.Response.StatusCode == http.StatusNotFound || no.Response.StatusCode == http.StatusConflict)
}
