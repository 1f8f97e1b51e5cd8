package sim

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Label adds a label to an issue or pull request as a user. It creates the label if it does not exist.
func (s Threads) Label(as, repo string, number int, name string) error {
	s.Mu.Lock()
	u, _, err := s.actor(as, repo, model.RoleTriage)
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

func (s Threads) PutLabel(is *model.Issue, by *model.User, name string) {
	same := func(l *model.Label) bool { return strings.EqualFold(l.Name, name) }
	if slices.ContainsFunc(is.Labels, same) {
		return
	}
	i := slices.IndexFunc(is.Repo.Labels, same)
	if i < 0 {
		i = len(is.Repo.Labels)
		is.Repo.Labels = append(is.Repo.Labels, &model.Label{ID: s.State.ID("label"), Name: name, Color: "ededed"})
	}
	is.Labels = append(is.Labels, is.Repo.Labels[i])
	s.Events.EmitLabel("labeled", is, by, is.Repo.Labels[i])
}
