package sim

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// RepoState is a repository as everybody can read it. Installation is the one of the App that includes it, 0 for none.
type RepoState struct {
	ID, Installation                   int64
	NodeID, Owner, Name, DefaultBranch string
	Archived                           bool
}

// Repo returns a repository by its name.
func (s repositories) Repo(name string) (RepoState, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(name)
	if err != nil {
		return RepoState{}, err
	}
	out := RepoState{ID: r.ID, NodeID: NodeID("R", r.ID), Owner: r.Owner.Login, Name: r.Name,
		DefaultBranch: r.DefaultBranch, Archived: r.Archived}
	if in := s.State.InstallationOf(r.Owner); in != nil && in.Covers(r) {
		out.Installation = in.ID
	}
	return out, nil
}

// MaxLog is how many commits are listed at most.
const MaxLog = 1000

// Commit is a commit of a branch.
type Commit struct {
	SHA, Author, Email, Message string
	Parents                     []string
	// Verified is true if GitHub signed it.
	Verified bool
}

// Commits returns the commits of a branch, newest first, 1,000 at most.
func (s repositories) Commits(repo, branch string) ([]Commit, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	found, err := r.Git.Log(r.Git.Branch(branch), git.Filter{Max: MaxLog})
	list := make([]Commit, len(found))
	for i, ci := range found {
		list[i] = Commit{SHA: ci.SHA, Author: ci.Author.Name, Email: ci.Author.Email, Parents: ci.Parents,
			Message: strings.TrimSuffix(ci.Message, "\n"), Verified: s.State.Signed[ci.SHA]}
	}
	return list, err
}

// File returns a file's content at the tip of a branch.
func (s repositories) File(repo, branch, path string) ([]byte, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	return r.Git.File(r.Git.Branch(branch), path)
}

// Git returns the git repository of a repository, to inspect it.
func (s repositories) Git(repo string) (*git.Repository, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	return r.Git, nil
}

// RepoDir returns the folder of the bare repository, to inspect it with git. In memory there is none.
func (s repositories) RepoDir(repo string) (string, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return "", err
	}
	if s.Memory {
		return "", fmt.Errorf("%s is in memory", repo)
	}
	return r.Git.Dir()
}
