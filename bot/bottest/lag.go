package bottest

import (
	"maps"
	"slices"
)

// Lag has GitHub fall behind the branches of a repository, or catch up with them. Git shows the branches as they are.
// Meanwhile the heads of the repository's pull requests, their refs, the list of them and that of commits remain as
// they are now, and what is pushed to a fork does not come here.
func (r *Repo) Lag(yes bool) {
	r.g.t.Helper()
	r.g.act(func() error {
		if !yes {
			r.behind = nil
			for _, head := range r.g.repos {
				r.g.refsMoved(head, r.admin())
			}
			return nil
		}
		r.behind = map[string]bool{}
		for sha := range r.git.objects {
			r.behind[sha] = true
		}
		return nil
	})
}

// hasCaughtUpWith reports whether GitHub knows a commit.
func (r *repository) hasCaughtUpWith(sha string) bool { return r.behind == nil || r.behind[sha] }

// serves reports whether git serves a commit here: one of a fork only when GitHub has caught up with it.
func (r *repository) serves(sha string) bool {
	tips := slices.Collect(maps.Values(r.git.refs))
	return r.hasCaughtUpWith(sha) || slices.ContainsFunc(tips, func(tip string) bool { return r.git.has(tip, sha) })
}
