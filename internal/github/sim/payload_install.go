package sim

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Covered returns the repositories of an installation, oldest first.
func (s Apps) Covered(in *model.Installation) []*model.Repository {
	var list []*model.Repository
	for _, id := range slices.Sorted(maps.Keys(s.State.Repos)) {
		if r := s.State.Repos[id]; !r.Deleted && in.Covers(r) {
			list = append(list, r)
		}
	}
	return list
}

// adminOf returns an admin of an account, who acts where no other user is given.
func (s people) AdminOf(account *model.User) *model.User {
	for _, login := range slices.Sorted(maps.Keys(account.Owners)) {
		return s.State.Users[login]
	}
	return account
}
