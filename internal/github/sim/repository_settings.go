package sim

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Archive archives a repository, which makes it read-only, or unarchives it.
func (s repositories) Archive(repo string, archived bool) error {
	return s.WithRepo(repo, func(r *entity.Repository) { r.Archived = archived })
}

// SetDefaultBranch makes another branch the default branch, whether or not it is there.
func (s repositories) SetDefaultBranch(repo, branch string) error {
	var failed error
	err := s.WithRepo(repo, func(r *entity.Repository) {
		if failed = r.Git.SetHead(branch); failed == nil {
			r.DefaultBranch = branch
		}
	})
	return errors.Join(err, failed)
}

// SetPublic makes a repository public, or private.
func (s repositories) SetPublic(repo string, public bool) error {
	return s.WithRepo(repo, func(r *entity.Repository) { r.Public = public })
}

// NoDrafts makes a repository one of a plan without draft pull requests.
func (s repositories) NoDrafts(repo string) error {
	return s.WithRepo(repo, func(r *entity.Repository) { r.NoDrafts = true })
}

// SetRole makes a user a collaborator with a role; RoleNone removes the user.
func (s repositories) SetRole(repo, login string, role entity.Role) error {
	if !slices.Contains(entity.Roles, role) {
		return fmt.Errorf("no role %q", role)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	u, err := s.State.User(login)
	if err != nil {
		return err
	}
	r.Roles[strings.ToLower(u.Login)] = role
	return nil
}

// RenameRepo renames a repository: to "name", or to "owner/name" to transfer it to another account. Its old names
// redirect to it until another repository gets them.
func (s repositories) RenameRepo(repo, to string) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	if !strings.Contains(to, "/") {
		to = r.Owner.Login + "/" + to
	}
	owner, err := s.freeName(to)
	if err != nil {
		return err
	}
	was := r.FullName()
	s.State.Formerly[strings.ToLower(was)] = r.ID
	_, r.Name, _ = strings.Cut(to, "/")
	if r.Owner == owner {
		_, name, _ := strings.Cut(was, "/")
		s.Events.Emit("repository", "renamed", r, r.ID, s.AdminOf(owner),
			entity.Object{"changes": entity.Object{"repository": entity.Object{"name": entity.Object{"from": name}}}})
		return nil
	}
	r.Owner = owner
	return nil
}

// DeleteRepo deletes a repository. Pull requests from it keep the name of their head only.
func (s repositories) DeleteRepo(repo string) error {
	return s.WithRepo(repo, func(r *entity.Repository) { r.Deleted = true })
}

// Protect protects a branch: pushes are rejected with this reason, as GH006. An empty reason ends that.
func (s repositories) Protect(repo, branch, reason string) error {
	return s.protect(repo, branch, entity.Protection{Reason: reason})
}

// Rule adds a rule of the repository for a branch: pushes are rejected with this reason, as GH013. An empty reason ends
// that.
func (s repositories) Rule(repo, branch, reason string) error {
	return s.protect(repo, branch, entity.Protection{Reason: reason, ByRule: true})
}

// protect sets what protects a branch; without a reason, nothing does.
func (s repositories) protect(repo, branch string, p entity.Protection) error {
	return s.WithRepo(repo, func(r *entity.Repository) {
		delete(r.Protected, branch)
		if p.Reason != "" {
			r.Protected[branch] = &p
		}
	})
}

// Protections returns the protected branches of a repository for git's hook, one per line: the ref, the reason beside
// it and the output, with unit separators between them.
func (s repositories) Protections(r *entity.Repository) string {
	var b strings.Builder
	for branch, p := range r.Protected {
		lines, beside := p.Report(Pages(s).RepoPage(r), branch)
		b.WriteString(strings.Join(append([]string{"refs/heads/" + branch, beside}, lines...), "\x1f") + "\n")
	}
	return b.String()
}
