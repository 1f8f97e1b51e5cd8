package sim

import (
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// StatusesOf returns the statuses of a commit, newest first.
func (s Checks) StatusesOf(r *entity.Repository, sha string) []*entity.CommitStatus {
	list := []*entity.CommitStatus{}
	for _, st := range slices.Backward(s.State.CI.Statuses) {
		if st.Repo == r && st.SHA == sha {
			list = append(list, st)
		}
	}
	return list
}

// CurrentStatuses returns the newest status of each context of a commit, newest first.
func (s Checks) CurrentStatuses(r *entity.Repository, sha string) []*entity.CommitStatus {
	seen := map[string]bool{}
	return slices.DeleteFunc(s.StatusesOf(r, sha), func(st *entity.CommitStatus) bool {
		old := seen[st.Context]
		seen[st.Context] = true
		return old
	})
}
