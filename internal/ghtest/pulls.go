package ghtest

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// pullOfPath returns the pull request in the path, or an error for the number of an issue.
func (c *call) pullOfPath() (*issue, error) {
	n, err := c.number("pull_number")
	if err != nil {
		return nil, err
	}
	if is := c.repo.issues[int(n)]; is != nil && is.pull != nil {
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
	files, err := c.pullFiles(is)
	if err != nil {
		return nil, err
	}
	return paged(c, files[:min(len(files), maxPullFiles)],
		func(f *git.FileDiff) object { return c.fileJSON(f, is.pull.headSHA) })
}

// fileJSON returns "diff-entry".
func (c *call) fileJSON(f *git.FileDiff, commit string) object {
	path := escapePath(f.Path)
	o := object{"sha": f.SHA, "filename": f.Path, "status": f.Status, "additions": f.Additions, "deletions": f.Deletions,
		"changes": f.Additions + f.Deletions, "blob_url": c.htmlRepoURL(c.repo) + "/blob/" + commit + "/" + path,
		"raw_url":      c.htmlRepoURL(c.repo) + "/raw/" + commit + "/" + path,
		"contents_url": c.repoURL() + "/contents/" + path + "?ref=" + commit}
	if f.Patch != "" {
		o["patch"] = f.Patch
	}
	if f.Previous != "" {
		o["previous_filename"] = f.Previous
	}
	return o
}

// pullFiles returns the diff of a pull request, which is cached by its two commits.
func (s *Server) pullFiles(is *issue) ([]*git.FileDiff, error) {
	key := is.pull.baseSHA + "..." + is.pull.headSHA
	if files, known := is.repo.diffs[key]; known {
		return files, nil
	}
	files, err := diffFromBase(is, is.pull.headSHA)
	if err != nil {
		return nil, fmt.Errorf("diffing %s#%d: %w", is.repo.fullName(), is.number, err)
	}
	is.repo.diffs[key] = files
	return files, nil
}

// diffFromBase returns the diff of a pull request up to a commit, from the one where it left its base.
func diffFromBase(is *issue, sha string) ([]*git.FileDiff, error) {
	base, err := is.repo.git.MergeBase(is.pull.baseSHA, sha)
	if err != nil {
		return nil, err
	}
	return is.repo.git.Diff(base, sha)
}

// pullCommits returns the commits of a pull request, newest first.
func (s *Server) pullCommits(is *issue) ([]git.Commit, error) {
	return is.repo.git.Log(is.pull.headSHA, git.Filter{Not: []string{is.pull.baseSHA}, Max: maxLog})
}

// countCommits returns the number of commits of a pull request.
func (s *Server) countCommits(is *issue) int {
	list, err := s.pullCommits(is)
	if err != nil {
		s.log.Error("counting commits", "error", err)
	}
	return len(list)
}
