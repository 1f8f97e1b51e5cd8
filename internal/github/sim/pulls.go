package sim

import (
	"fmt"
	"net/http"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// PullRequests opens, changes and shows pull requests.
type PullRequests struct{ *entity.Core }

// PullResource is what GitHub's errors call a pull request.
const PullResource = "PullRequest"

// PullRefused returns the 422 of pull requests with a sentence.
func PullRefused(why string) *entity.APIError {
	return &entity.APIError{Status: http.StatusUnprocessableEntity, Message: "Validation Failed",
		Errors: []any{entity.Object{"resource": PullResource, "code": "custom", "message": why}}}
}

// openPullOf returns the open pull request with the same head and base, or nil.
func (s PullRequests) openPullOf(r *entity.Repository, p *entity.Pull) *entity.Issue {
	for _, other := range r.Issues {
		if o := other.Pull; o != nil && other.Open && o.HeadRepo == p.HeadRepo && o.HeadRef == p.HeadRef &&
			o.BaseRef == p.BaseRef {
			return other
		}
	}
	return nil
}

// PullFiles returns the diff of a pull request, which is cached by its two commits.
func (s PullRequests) PullFiles(is *entity.Issue) ([]*git.FileDiff, error) {
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
func diffFromBase(is *entity.Issue, sha string) ([]*git.FileDiff, error) {
	base, err := is.Repo.Git.MergeBase(is.Pull.BaseSHA, sha)
	if err != nil {
		return nil, err
	}
	return is.Repo.Git.Diff(base, sha)
}

// PullCommits returns the commits of a pull request, newest first.
func (s PullRequests) PullCommits(is *entity.Issue) ([]git.Commit, error) {
	return is.Repo.Git.Log(is.Pull.HeadSHA, git.Filter{Not: []string{is.Pull.BaseSHA}, Max: MaxLog})
}

// CountCommits returns the number of commits of a pull request.
func (s PullRequests) CountCommits(is *entity.Issue) int {
	list, err := s.PullCommits(is)
	if err != nil {
		s.Log.Error("counting commits", "error", err)
	}
	return len(list)
}

// PullState is a pull request as everybody can read it.
type PullState struct {
	Number            int
	Title, Body, User string
	// Head is "owner:branch", SHA its commit; Base is a branch.
	Head, SHA, Base string
	Draft, Open     bool
}

// Pulls returns the pull requests of a repository, oldest first.
func (s PullRequests) Pulls(repo string) ([]PullState, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	var list []PullState
	for _, is := range r.Issues {
		if p := is.Pull; p != nil {
			list = append(list, PullState{
				Number: is.Number, Title: is.Title, Body: is.Body, User: is.User.Login,
				Head: p.HeadLabel, SHA: p.HeadSHA, Base: p.BaseRef, Draft: p.Draft, Open: is.Open,
			})
		}
	}
	slices.SortFunc(list, func(a, b PullState) int { return a.Number - b.Number })
	return list, nil
}
