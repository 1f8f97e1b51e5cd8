package gh

import (
	"context"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot"
)

const (
	// pageSize is the most that GitHub puts on a page.
	pageSize = 100
	// maxPullFiles is the port's bound; GitHub itself lists 3,000 files of a pull request.
	maxPullFiles = 300
	// maxFilePages bounds the pages of a pull request that deletes many files.
	maxFilePages = 6
)

// PullRequest asks for the state of a pull request. bot.ErrNotFound: there is none of this number.
func (c *Client) PullRequest(ctx context.Context, repo bot.RepoRef, number int) (bot.PullRequest, error) {
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return bot.PullRequest{}, err
	}
	pr, _, err := api.PullRequests.Get(ctx, repo.Owner, repo.Name, number)
	if err != nil {
		return bot.PullRequest{}, c.explain(err, "asking for pull request %s#%d", repo, number)
	}
	return bot.PullRequest{
		Number: pr.GetNumber(),
		Title:  pr.GetTitle(),
		State:  pr.GetState(),
		Merged: pr.GetMerged(),
		Locked: pr.GetLocked(),
		Draft:  pr.GetDraft(),
		Head:   bot.Head{Repo: headRepo(repo, pr), Branch: pr.GetHead().GetRef(), SHA: pr.GetHead().GetSHA()},
		Base:   pr.GetBase().GetRef(),
	}, nil
}

// headRepo is repo itself, or the fork; of a fork, the installation is not known here. Zero when the fork is gone.
func headRepo(repo bot.RepoRef, pr *github.PullRequest) bot.RepoRef {
	head := pr.GetHead().GetRepo()
	switch head.GetID() {
	case 0:
		return bot.RepoRef{}
	case repo.ID:
		return repo
	}
	return bot.RepoRef{
		ID:            head.GetID(),
		NodeID:        head.GetNodeID(),
		Owner:         head.GetOwner().GetLogin(),
		Name:          head.GetName(),
		DefaultBranch: head.GetDefaultBranch(),
		Archived:      head.GetArchived(),
	}
}

// PullFiles lists the paths that a pull request changes and does not delete, at most 300, in GitHub's order.
func (c *Client) PullFiles(ctx context.Context, repo bot.RepoRef, number int) ([]string, error) {
	api, err := c.inThread(repo, reading, number)
	if err != nil {
		return nil, err
	}
	var names []string
	for page := 1; page <= maxFilePages; page++ {
		files, resp, err := api.PullRequests.ListFiles(ctx, repo.Owner, repo.Name, number, &github.ListOptions{Page: page, PerPage: pageSize})
		if err != nil {
			return nil, c.explain(err, "listing the files of %s#%d", repo, number)
		}
		for _, f := range files {
			if f.GetStatus() != "removed" && len(names) < maxPullFiles {
				names = append(names, f.GetFilename())
			}
		}
		if resp.NextPage == 0 || len(names) == maxPullFiles {
			break
		}
	}
	return names, nil
}
