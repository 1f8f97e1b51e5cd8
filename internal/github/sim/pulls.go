package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// PullFiles returns the diff of a pull request, which is cached by its two commits.
func (s PullRequests) PullFiles(is *model.Issue) ([]*git.FileDiff, error) {
	key := is.Pull.BaseSHA + "..." + is.Pull.HeadSHA
	if files, known := is.Repo.Diffs[key]; known {
		return files, nil
	}
	files, err := diffFromBase(is, is.Pull.HeadSHA)
	if err != nil {
		return nil, fmt.Errorf("diffing %s#%d: %w", is.Repo.FullName(), is.Number, err)
	}
	is.Repo.Diffs[key] = files
	return files, nil
}

// diffFromBase returns the diff of a pull request up to a commit, from the one where it left its base.
func diffFromBase(is *model.Issue, sha string) ([]*git.FileDiff, error) {
	base, err := is.Repo.Git.MergeBase(is.Pull.BaseSHA, sha)
	if err != nil {
		return nil, err
	}
	return is.Repo.Git.Diff(base, sha)
}

// PullCommits returns the commits of a pull request, newest first.
func (s PullRequests) PullCommits(is *model.Issue) ([]git.Commit, error) {
	return is.Repo.Git.Log(is.Pull.HeadSHA, git.Filter{Not: []string{is.Pull.BaseSHA}, Max: MaxLog})
}

// CountCommits returns the number of commits of a pull request.
func (s PullRequests) CountCommits(is *model.Issue) int {
	list, err := s.PullCommits(is)
	if err != nil {
		s.Log.Error("counting commits", "error", err)
	}
	return len(list)
}
