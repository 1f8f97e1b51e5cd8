package sim

import (
	"fmt"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// AllowEdits ticks or unticks "Allow edits by maintainers" of a pull request, as its author.
func (s PullRequests) AllowEdits(repo string, number int, yes bool) error {
	return s.WithIssue(repo, number, func(is *entity.Issue) error {
		switch {
		case is.Pull == nil || is.Pull.HeadRepo == is.Repo:
			return fmt.Errorf("%s#%d is no pull request from a fork", repo, number)
		case yes && is.Pull.HeadRepo.Owner.Kind != entity.UserPerson:
			return fmt.Errorf("GitHub lets maintainers edit forks of people only, not %s", is.Pull.HeadRepo.FullName())
		}
		is.Pull.CanModify = yes
		return nil
	})
}

// RefuseMaintainers makes a fork refuse pushes by its base's maintainers (or ends that), although its pull requests
// allow them, as a policy can do.
func (s PullRequests) RefuseMaintainers(fork string, yes bool) error {
	return s.WithRepo(fork, func(r *entity.Repository) { r.NoMaintainers = yes })
}

// EditableBranches returns the refs of a fork that a token of its base may push to: the heads of open pull requests
// that allow it. "You can allow edits … on pull requests from user-owned forks", not from those of organisations.
func (s PullRequests) EditableBranches(fork *entity.Repository, t *entity.Token) []string {
	if t != nil && t.Kind == entity.JobToken { // it is for one repository
		return nil
	}
	if fork.NoMaintainers || fork.Parent == nil || !t.Covers(fork.Parent) || fork.Owner.Kind != entity.UserPerson {
		return nil
	}
	var refs []string
	for _, is := range fork.Parent.Issues {
		if p := is.Pull; p != nil && is.Open && p.HeadRepo == fork && p.CanModify {
			refs = append(refs, "refs/heads/"+p.HeadRef)
		}
	}
	return refs
}
