package sim

import (
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// branches moves branches, and has pull requests and check suites follow them.
type branches struct{ *entity.Core }

// Branch creates a branch at the tip of another one; an empty from means the default branch.
func (s branches) Branch(repo, name, from string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.Writable(repo)
	if err != nil {
		return err
	}
	sha := r.Git.Branch(entity.OrElse(from, r.DefaultBranch))
	if sha == "" {
		return fmt.Errorf("no branch %q in %s", from, repo)
	}
	if !git.ValidRef("refs/heads/"+name) || strings.HasPrefix(name, "-") {
		return fmt.Errorf("git allows no branch %q", name)
	}
	if err := r.Git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.RefsMoved(r, s.AdminOf(r.Owner))
}

// SetBranch makes a branch point to a commit of the repository, by force.
func (s branches) SetBranch(repo, name, sha string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.Writable(repo)
	if err != nil {
		return err
	}
	if err := r.Git.SetBranch(name, sha); err != nil {
		return err
	}
	return s.RefsMoved(r, s.AdminOf(r.Owner))
}

// DeleteBranch deletes a branch; its open pull requests are closed.
func (s branches) DeleteBranch(repo, name string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.Writable(repo)
	if err != nil {
		return err
	}
	if r.Git.Branch(name) == "" {
		return fmt.Errorf("no branch %q in %s", name, repo)
	}
	if err := r.Git.SetRef("refs/heads/"+name, ""); err != nil {
		return err
	}
	return s.RefsMoved(r, s.AdminOf(r.Owner))
}

// Push commits files to a branch as a user with push access, and returns the commit. A branch that does not exist is
// created from the default branch. Pull requests are updated, and deliveries are sent. Protections do not apply.
func (s branches) Push(repo, branch string, files map[string]string, message string) (string, error) {
	changes := map[string]File{}
	for name, content := range files {
		changes[name] = File{Content: content}
	}
	return s.PushFiles(repo, branch, changes, message)
}

// PushFiles is Push with modes and deletions.
func (s branches) PushFiles(repo, branch string, files map[string]File, message string) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.Writable(repo)
	if err != nil {
		return "", err
	}
	sha, err := repositories(s).commit(r, branch, files, message)
	if err != nil {
		return "", fmt.Errorf("pushing to %s of %s: %w", branch, repo, err)
	}
	return sha, s.RefsMoved(r, s.AdminOf(r.Owner))
}

// HubSignature is GitHub's own signature.
func HubSignature(now time.Time) git.Signature {
	return git.Signature{Name: "GitHub", Email: "noreply@github.com", When: now}
}

// RefsMoved updates what depends on branches that a user moved: pull requests and their refs, and the suites of the
// App.
func (s branches) RefsMoved(r *entity.Repository, actor *entity.User) error {
	r.Pushed = s.Now()
	if err := suites(s).requestSuites(r, actor); err != nil {
		return err
	}
	for _, base := range s.State.Repos {
		if base.Deleted || base.Lag != nil {
			continue
		}
		for _, is := range base.Issues {
			if p := is.Pull; p != nil && is.Open && p.HeadRepo == r {
				if err := PullRequests(s).followHead(is, actor); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
