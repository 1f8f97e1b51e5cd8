package ghtest

import "fmt"

// AllowEdits ticks or unticks "Allow edits by maintainers" of a pull request, as its author.
func (s *Server) AllowEdits(repo string, number int, yes bool) error {
	return s.withIssue(repo, number, func(is *issue) error {
		switch {
		case is.pull == nil || is.pull.headRepo == is.repo:
			return fmt.Errorf("%s#%d is no pull request from a fork", repo, number)
		case yes && is.pull.headRepo.owner.kind != userPerson:
			return fmt.Errorf("GitHub lets maintainers edit forks of people only, not %s", is.pull.headRepo.fullName())
		}
		is.pull.canModify = yes
		return nil
	})
}

// RefuseMaintainers makes a fork refuse pushes by its base's maintainers (or ends that), although its pull requests
// allow them, as a policy can do.
func (s *Server) RefuseMaintainers(fork string, yes bool) error {
	return s.withRepo(fork, func(r *repository) { r.noMaintainers = yes })
}

// editableBranches returns the refs of a fork that a token of its base may push to: the heads of open pull requests
// that allow it. "You can allow edits … on pull requests from user-owned forks", not from those of organisations.
func (s *Server) editableBranches(fork *repository, t *token) []string {
	if t != nil && t.kind == jobToken { // it is for one repository
		return nil
	}
	if fork.noMaintainers || fork.parent == nil || !t.covers(fork.parent) || fork.owner.kind != userPerson {
		return nil
	}
	var refs []string
	for _, is := range fork.parent.issues {
		if p := is.pull; p != nil && is.open && p.headRepo == fork && p.canModify {
			refs = append(refs, "refs/heads/"+p.headRef)
		}
	}
	return refs
}
