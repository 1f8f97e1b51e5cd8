package sim

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Archive archives a repository, which makes it read-only, or unarchives it.
func (s repositories) Archive(repo string, archived bool) error {
	return s.withRepo(repo, func(r *model.Repository) { r.Archived = archived })
}

// SetPublic makes a repository public, or private.
func (s repositories) SetPublic(repo string, public bool) error {
	return s.withRepo(repo, func(r *model.Repository) { r.Public = public })
}

// NoDrafts makes a repository one of a plan without draft pull requests.
func (s repositories) NoDrafts(repo string) error {
	return s.withRepo(repo, func(r *model.Repository) { r.NoDrafts = true })
}

// DeleteRepo deletes a repository. Pull requests from it keep the name of their head only.
func (s repositories) DeleteRepo(repo string) error {
	return s.withRepo(repo, func(r *model.Repository) { r.Deleted = true })
}

func (s repositories) withRepo(repo string, do func(*model.Repository)) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err == nil {
		do(r)
	}
	return err
}
