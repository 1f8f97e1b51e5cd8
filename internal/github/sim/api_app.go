package sim

import (
	"sort"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// ReposOf returns the repositories that a token can access, by name.
func (s Apps) ReposOf(t *model.Token) []*model.Repository {
	var list []*model.Repository
	for _, r := range s.State.Repos {
		if !r.Deleted && t.Covers(r) {
			list = append(list, r)
		}
	}
	sort.Slice(list, func(i, j int) bool { return strings.Compare(list[i].Name, list[j].Name) < 0 })
	return list
}
