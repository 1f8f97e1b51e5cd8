package sim

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Label adds a label to an issue or pull request as a user. It creates the label if it does not exist.
func (s Threads) Label(as, repo string, number int, name string) error {
	s.Mu.Lock()
	u, _, err := s.Actor(as, repo, entity.RoleTriage)
	if err != nil {
		s.Mu.Unlock()
		return err
	}
	is, err := s.State.Issue(repo, number)
	if err == nil {
		s.PutLabel(is, u, name)
	}
	s.Mu.Unlock()
	if err == nil {
		s.Events.WaitSince(0)
	}
	return err
}

// PutLabel adds a label to an issue or pull request unless it has it, and creates it if it does not exist.
func (s Threads) PutLabel(is *entity.Issue, actor *entity.User, name string) {
	same := func(l *entity.Label) bool { return strings.EqualFold(l.Name, name) }
	if slices.ContainsFunc(is.Labels, same) {
		return
	}
	i := slices.IndexFunc(is.Repo.Labels, same)
	if i < 0 {
		i = len(is.Repo.Labels)
		is.Repo.Labels = append(is.Repo.Labels, &entity.Label{ID: s.State.ID("label"), Name: name, Color: "ededed"})
	}
	is.Labels = append(is.Labels, is.Repo.Labels[i])
	s.Events.EmitLabel("labeled", is, actor, is.Repo.Labels[i])
}
