package sim

import (
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// StatusesOf returns the statuses of a commit, newest first.
func (s Checks) StatusesOf(r *model.Repository, sha string) []*model.CommitStatus {
	list := []*model.CommitStatus{}
	for _, st := range slices.Backward(s.State.CI.Statuses) {
		if st.Repo == r && st.SHA == sha {
			list = append(list, st)
		}
	}
	return list
}

// CurrentStatuses returns the newest status of each context of a commit, newest first.
func (s Checks) CurrentStatuses(r *model.Repository, sha string) []*model.CommitStatus {
	seen := map[string]bool{}
	return slices.DeleteFunc(s.StatusesOf(r, sha), func(st *model.CommitStatus) bool {
		old := seen[st.Context]
		seen[st.Context] = true
		return old
	})
}
