package gh

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// FindCommit returns the newest commit of a branch, among the newest 100, whose message contains text. ok is false if
// there is none, or no such branch.
func (c *Client) FindCommit(ctx context.Context, repo port.RepoRef, branch, text string) (sha string, ok bool,
	err error) {
	if branch == "" || text == "" {
		return "", false, callerError("looking for a commit: the branch or the text is empty")
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return "", false, err
	}
	commits, _, err := api.Repositories.ListCommits(ctx, repo.Owner, repo.Name, &github.CommitsListOptions{
		SHA: branch, ListOptions: github.ListOptions{PerPage: pageSize}})
	if isNoBranch(err) {
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

// isNoBranch reports whether an error is GitHub's 404, or the 409 "Git Repository is empty."
func isNoBranch(err error) bool {
	var failed *github.ErrorResponse
	if !errors.As(err, &failed) {
		return false
	}
	return failed.Response.StatusCode == http.StatusNotFound || failed.Response.StatusCode == http.StatusConflict
}
