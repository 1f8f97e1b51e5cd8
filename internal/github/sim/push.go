package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// File is the change of a path in a commit.
type File = git.File

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
	r, err := s.State.Repo(repo)
	if err != nil {
		return "", err
	}
	if r.Archived {
		return "", fmt.Errorf("%s is archived and read-only", repo)
	}
	sha, err := repositories(s).commit(r, branch, files, message)
	if err != nil {
		return "", fmt.Errorf("pushing to %s of %s: %w", branch, repo, err)
	}
	return sha, s.RefsMoved(r, people(s).AdminOf(r.Owner))
}

// commit commits files to a branch, as the owner.
func (s repositories) commit(r *model.Repository, branch string, files map[string]File, message string) (string,
	error) {
	who := git.Signature{Name: r.Owner.Login, Email: r.Owner.Email(), When: s.Now()}
	c := git.Commit{Author: who, Committer: who, Message: message}
	parent := model.OrElse(r.Git.Branch(branch), r.Git.Branch(r.DefaultBranch))
	if parent != "" {
		c.Parents = []string{parent}
	}
	var err error
	if c.Tree, err = r.Git.WriteFiles(parent, files); err != nil {
		return "", err
	}
	sha, err := r.Git.WriteCommit(c)
	if err != nil {
		return "", err
	}
	return sha, r.Git.SetBranch(branch, sha)
}

// refsMoved updates what depends on branches: pull requests and their refs, and the suites of the App. by is the user
// who moved them.
func (s branches) RefsMoved(r *model.Repository, by *model.User) error {
	r.Pushed = s.Now()
	if err := (Checks(s)).requestSuites(r, by); err != nil {
		return err
	}
	for _, base := range s.State.Repos {
		if base.Deleted || base.Lag != nil {
			continue
		}
		for _, is := range base.Issues {
			if p := is.Pull; p != nil && is.Open && p.HeadRepo == r {
				if err := (PullRequests(s)).followHead(is, by); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// followHead moves a pull request to its branch's tip. Without the branch, it is closed, as on GitHub.
func (s PullRequests) followHead(is *model.Issue, by *model.User) error {
	p := is.Pull
	sha, before := p.HeadRepo.Git.Branch(p.HeadRef), p.HeadSHA
	switch sha {
	case before:
		return nil
	case "":
		return s.ChangeState(is, by, false, "")
	}
	p.HeadSHA, p.BaseSHA = sha, model.OrElse(is.Repo.Git.Branch(p.BaseRef), p.BaseSHA)
	if err := writePullRef(is); err != nil {
		return err
	}
	is.Updated = s.Now()
	reviews(s).outdate(is)
	s.Events.EmitPull("synchronize", is, by, model.Object{"before": before, "after": sha})
	return nil
}

// writePullRef sets refs/pull/N/head of the base repository, which shares its objects with its forks.
func writePullRef(is *model.Issue) error {
	return is.Repo.Git.SetRef(fmt.Sprintf("refs/pull/%d/head", is.Number), is.Pull.HeadSHA)
}
