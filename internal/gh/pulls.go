package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// PullRequest returns a pull request. It returns port.ErrNotFound if there is none of this number.
func (c *Client) PullRequest(ctx context.Context, repo port.RepoRef, number int) (port.PullRequest, error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return port.PullRequest{}, err
	}
	pr, _, err := api.PullRequests.Get(ctx, repo.Owner, repo.Name, number)
	if err != nil {
		return port.PullRequest{}, c.explain(err, "asking for pull request %s#%d", repo, number)
	}
	return fromPull(repo, pr), nil
}

// pullState asks for no more than whether a commit may be made: 1 of the 5,000 points of an hour.
const pullState = `query($owner: String!, $name: String!, $number: Int!) {
  repository(owner: $owner, name: $name) {
    isArchived
    defaultBranchRef { name target { oid } }
    pullRequest(number: $number) { state locked baseRefName }
  }
}`

// PullState returns whether a pull request takes changes, its base, and the tip of the default branch. It returns
// port.ErrNotFound if there is none of this number.
func (c *Client) PullState(ctx context.Context, repo port.RepoRef, number int) (port.PullState, error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return port.PullState{}, err
	}
	var got struct {
		Repository struct {
			IsArchived       bool
			DefaultBranchRef struct {
				Name   string
				Target struct{ OID string }
			}
			PullRequest struct {
				State       string
				Locked      bool
				BaseRefName string
			}
		}
	}
	vars := map[string]any{"owner": repo.Owner, "name": repo.Name, "number": number}
	if err := c.graphQL(ctx, api, pullState, vars, &got); err != nil {
		return port.PullState{}, c.explain(err, "asking for the state of pull request %s#%d", repo, number)
	}
	pull, main := got.Repository.PullRequest, got.Repository.DefaultBranchRef
	state := port.PullState{
		State: "closed", Merged: pull.State == "MERGED", Locked: pull.Locked, Archived: got.Repository.IsArchived,
		Base: pull.BaseRefName, DefaultBranch: main.Name, Default: main.Target.OID,
	}
	if pull.State == "OPEN" {
		state.State = "open"
	}
	return state, nil
}

// FindPull returns the newest pull request from a branch of this repository, in any state.
func (c *Client) FindPull(ctx context.Context, repo port.RepoRef, branch string) (port.PullRequest, bool, error) {
	if branch == "" {
		return port.PullRequest{}, false, callerError("looking for a pull request: the branch is empty")
	}
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return port.PullRequest{}, false, err
	}
	list, _, err := api.PullRequests.List(ctx, repo.Owner, repo.Name, &github.PullRequestListOptions{
		State: "all", Head: repo.Owner + ":" + branch,
		Sort: "created", Direction: "desc", ListOptions: github.ListOptions{PerPage: pageSize},
	})
	if err != nil {
		return port.PullRequest{}, false, c.explain(err, "looking for a pull request from %s in %s", branch, repo)
	}
	for _, pr := range list {
		// The filter also matches a fork by the same owner, and GitHub ignores one that it does not understand.
		if head := pr.GetHead(); head.GetRef() == branch && head.GetRepo().GetID() == repo.ID {
			return fromPull(repo, pr), true, nil
		}
	}
	return port.PullRequest{}, false, nil
}

// CreatePull opens a pull request between two branches of the repository. A draft is opened as an ordinary pull request
// if the repository's plan has no drafts.
func (c *Client) CreatePull(ctx context.Context, repo port.RepoRef, p port.NewPull) (port.PullRequest, error) {
	api, err := c.forRepo(repo, answering)
	if err != nil {
		return port.PullRequest{}, err
	}
	req := &github.NewPullRequest{Title: &p.Title, Body: &p.Body, Head: &p.Head, Base: &p.Base, Draft: &p.Draft}
	made, _, err := api.PullRequests.Create(ctx, repo.Owner, repo.Name, req)
	if p.Draft && isInvalid(err, noDrafts) {
		req.Draft = github.Bool(false)
		made, _, err = api.PullRequests.Create(ctx, repo.Owner, repo.Name, req)
	}
	if isInvalid(err, pullExists) {
		return port.PullRequest{}, fmt.Errorf("%w (%w)",
			c.explain(err, "opening a pull request from %s in %s", p.Head, repo), port.ErrExists)
	}
	if err != nil {
		return port.PullRequest{}, c.explain(err, "opening a pull request from %s in %s", p.Head, repo)
	}
	return fromPull(repo, made), nil
}

// Describe replaces the description of a pull request, and leaves its title alone. It never waits: near GitHub's limits
// it returns an error with RetryAfter(). For a description of more than 65,536 characters, it returns an error and
// sends nothing.
func (c *Client) Describe(ctx context.Context, repo port.RepoRef, number int, body string) error {
	if err := checkBody(body); err != nil {
		return err
	}
	api, err := c.forThreadInClass(repo, answering, number, optional)
	if err != nil {
		return err
	}
	change := &github.PullRequest{Body: &body}
	if _, _, err := api.PullRequests.Edit(ctx, repo.Owner, repo.Name, number, change); err != nil {
		return c.explain(err, "describing pull request %s#%d", repo, number)
	}
	return nil
}

// markReady: REST has no operation for it. Besides write permission for pull requests, GitHub wants that for contents.
const markReady = `mutation($pull: ID!) {
  markPullRequestReadyForReview(input: {pullRequestId: $pull}) { clientMutationId }
}`

// MarkReady makes a draft a pull request that is ready for review; it may be one already.
func (c *Client) MarkReady(ctx context.Context, repo port.RepoRef, p port.PullRequest) error {
	if p.NodeID == "" {
		return callerError(fmt.Sprintf("pull request %s#%d has no id", repo, p.Number))
	}
	api, err := c.forThread(repo, readying, p.Number)
	if err != nil {
		return err
	}
	if err := c.graphQL(repeatable(ctx), api, markReady, map[string]any{"pull": p.NodeID}, nil); err != nil {
		return c.explain(err, "marking pull request %s#%d as ready", repo, p.Number)
	}
	return nil
}

// The beginnings of messages with which GitHub refuses to open a pull request.
const (
	noDrafts   = "Draft pull requests are not supported"
	pullExists = "A pull request already exists for"
)

// isInvalid reports whether an error is GitHub's 422 with a message.
func isInvalid(err error, message string) bool {
	var refused *github.ErrorResponse
	return errors.As(err, &refused) && refused.Response.StatusCode == http.StatusUnprocessableEntity &&
		strings.Contains(messages(refused), message)
}

// fromPull also uses merged_at, because pull requests in lists have no merged.
func fromPull(repo port.RepoRef, pr *github.PullRequest) port.PullRequest {
	head := pr.GetHead()
	return port.PullRequest{
		Number: pr.GetNumber(),
		NodeID: pr.GetNodeID(),
		Title:  pr.GetTitle(),
		Body:   pr.GetBody(),
		Author: fromUser(pr.GetUser()),
		State:  pr.GetState(),
		Merged: pr.GetMerged() || pr.MergedAt != nil,
		Locked: pr.GetLocked(),
		Draft:  pr.GetDraft(),
		Head: port.Head{
			Repo: headRepo(repo, pr), User: head.GetRepo().GetOwner().GetType() == "User",
			Exposed: readers(head.GetRepo()) > readers(pr.GetBase().GetRepo()),
			Branch:  head.GetRef(), SHA: head.GetSHA(),
		},
		Base:          pr.GetBase().GetRef(),
		MergeCommit:   pr.GetMergeCommitSHA(),
		Maintainable:  pr.GetMaintainerCanModify(),
		Archived:      pr.GetBase().GetRepo().GetArchived(),
		DefaultBranch: pr.GetBase().GetRepo().GetDefaultBranch(),
		URL:           pr.GetHTMLURL(),
	}
}

// readers ranks by who can read a repository: those who have access to it, also all members of its enterprise, or
// everybody.
func readers(r *github.Repository) int {
	switch {
	case r.GetVisibility() == "internal":
		return 1
	case r.GetPrivate() || r == nil:
		return 0
	}
	return 2
}

// headRepo returns repo or the fork, whose installation is not known here. Zero if the fork was deleted.
func headRepo(repo port.RepoRef, pr *github.PullRequest) port.RepoRef {
	head := pr.GetHead().GetRepo()
	switch head.GetID() {
	case 0:
		return port.RepoRef{}
	case repo.ID:
		return repo
	}
	return fromRepo(0, head)
}

const (
	// maxPullFiles is the limit of port.Pulls; GitHub lists up to 3,000 files of a pull request.
	maxPullFiles = 300
	// maxFilePages bounds the pages to read of a pull request that deletes many files.
	maxFilePages = 6
)

// ChangedFiles returns the files that a pull request changes and does not delete, at most 300, in GitHub's order.
func (c *Client) ChangedFiles(ctx context.Context, repo port.RepoRef, number int) ([]port.ChangedFile, error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	var list []port.ChangedFile
	for page := 1; page <= maxFilePages; page++ {
		opts := &github.ListOptions{Page: page, PerPage: pageSize}
		files, resp, err := api.PullRequests.ListFiles(ctx, repo.Owner, repo.Name, number, opts)
		if err != nil {
			return nil, c.explain(err, "listing the files of %s#%d", repo, number)
		}
		for _, f := range files {
			if f.GetStatus() != "removed" && len(list) < maxPullFiles {
				list = append(list, port.ChangedFile{Path: f.GetFilename(), Patch: f.GetPatch()})
			}
		}
		if resp.NextPage == 0 || len(list) == maxPullFiles {
			break
		}
	}
	return list, nil
}

// maxCommitPages is how many pages the commits of a pull request have: GitHub lists at most 250.
const maxCommitPages = 3

// PullCommits returns the commits of a pull request, oldest first, at most 250.
func (c *Client) PullCommits(ctx context.Context, repo port.RepoRef, number int) (list []port.LoggedCommit, err error) {
	api, err := c.forThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	for page := 1; page <= maxCommitPages; page++ {
		opts := &github.ListOptions{Page: page, PerPage: pageSize}
		commits, resp, err := api.PullRequests.ListCommits(ctx, repo.Owner, repo.Name, number, opts)
		if err != nil {
			return nil, c.explain(err, "listing the commits of %s#%d", repo, number)
		}
		list = append(list, fromCommits(commits)...)
		if resp.NextPage == 0 {
			break
		}
	}
	return list, nil
}
