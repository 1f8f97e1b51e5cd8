package sim

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

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
		s.Events.Emit("repository", "renamed", r, r.ID, people(s).AdminOf(owner),
			model.Object{"changes": model.Object{"repository": model.Object{"name": model.Object{"from": name}}}})
		return nil
	}
	r.Owner = owner
	return nil
}
