package ghtest

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// File is the change of a path in a commit.
type File = git.File

// Push commits files to a branch as a user with push access, and returns the commit. A branch that does not exist is
// created from the default branch. Pull requests are updated, and deliveries are sent. Protections do not apply.
func (s *Server) Push(repo, branch string, files map[string]string, message string) (string, error) {
	changes := map[string]File{}
	for name, content := range files {
		changes[name] = File{Content: content}
	}
	return s.PushFiles(repo, branch, changes, message)
}

// PushFiles is Push with modes and deletions.
func (s *Server) PushFiles(repo, branch string, files map[string]File, message string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return "", err
	}
	if r.archived {
		return "", fmt.Errorf("%s is archived and read-only", repo)
	}
	sha, err := s.commit(r, branch, files, message)
	if err != nil {
		return "", fmt.Errorf("pushing to %s of %s: %w", branch, repo, err)
	}
	return sha, s.refsMoved(r, s.adminOf(r.owner))
}

// commit commits files to a branch, as the owner.
func (s *Server) commit(r *repository, branch string, files map[string]File, message string) (string, error) {
	who := git.Signature{Name: r.owner.login, Email: r.owner.email(), When: s.now()}
	c := git.Commit{Author: who, Committer: who, Message: message}
	parent := orElse(r.git.Branch(branch), r.git.Branch(r.defaultBranch))
	if parent != "" {
		c.Parents = []string{parent}
	}
	var err error
	if c.Tree, err = r.git.WriteFiles(parent, files); err != nil {
		return "", err
	}
	sha, err := r.git.WriteCommit(c)
	if err != nil {
		return "", err
	}
	return sha, r.git.SetBranch(branch, sha)
}

// refsMoved updates what depends on branches: pull requests and their refs, and the suites of the App. by is the user
// who moved them.
func (s *Server) refsMoved(r *repository, by *user) error {
	r.pushed = s.now()
	if err := s.requestSuites(r, by); err != nil {
		return err
	}
	for _, base := range s.state.repos {
		if base.deleted || base.lag != nil {
			continue
		}
		for _, is := range base.issues {
			if p := is.pull; p != nil && is.open && p.headRepo == r {
				if err := s.followHead(is, by); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// followHead moves a pull request to its branch's tip. Without the branch, it is closed, as on GitHub.
func (s *Server) followHead(is *issue, by *user) error {
	p := is.pull
	sha, before := p.headRepo.git.Branch(p.headRef), p.headSHA
	switch sha {
	case before:
		return nil
	case "":
		return s.setOpen(is, by, false, "")
	}
	p.headSHA, p.baseSHA = sha, orElse(is.repo.git.Branch(p.baseRef), p.baseSHA)
	if err := writePullRef(is); err != nil {
		return err
	}
	is.updated = s.now()
	s.outdate(is)
	s.emitPull("synchronize", is, by, object{"before": before, "after": sha})
	return nil
}

// writePullRef sets refs/pull/N/head of the base repository, which shares its objects with its forks.
func writePullRef(is *issue) error {
	return is.repo.git.SetRef(fmt.Sprintf("refs/pull/%d/head", is.number), is.pull.headSHA)
}
