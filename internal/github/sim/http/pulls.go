package simhttp

import (
	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// pullOfPath returns the pull request in the path, or an error for the number of an issue.
func (c named) pullOfPath() (*model.Issue, error) {
	n, err := c.number("pull_number")
	if err != nil {
		return nil, err
	}
	if is := c.repo.Issues[int(n)]; is != nil && is.Pull != nil {
		return is, nil
	}
	return nil, notFound()
}

func getPull(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	return ok(c.pullJSON(is, false))
}

// maxPullFiles: "Responses include a maximum of 3000 files."
const maxPullFiles = 3000

func listPullFiles(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	files, err := c.PullFiles(is)
	if err != nil {
		return nil, err
	}
	return paged(c, files[:min(len(files), maxPullFiles)],
		func(f *git.FileDiff) model.Object { return c.fileJSON(f, is.Pull.HeadSHA) })
}

// fileJSON returns "diff-entry".
func (c treeCalls) fileJSON(f *git.FileDiff, commit string) model.Object {
	path := escapePath(f.Path)
	o := model.Object{"sha": f.SHA, "filename": f.Path, "status": f.Status, "additions": f.Additions,
		"deletions": f.Deletions,
		"changes":   f.Additions + f.Deletions, "blob_url": c.HTMLRepoURL(c.repo) + "/blob/" + commit + "/" + path,
		"raw_url":      c.HTMLRepoURL(c.repo) + "/raw/" + commit + "/" + path,
		"contents_url": c.repoURL() + "/contents/" + path + "?ref=" + commit}
	if f.Patch != "" {
		o["patch"] = f.Patch
	}
	if f.Previous != "" {
		o["previous_filename"] = f.Previous
	}
	return o
}
