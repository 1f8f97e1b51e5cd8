package ghtest

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// lag is what GitHub knows of the branches of a repository while it has not caught up with them.
type lag struct {
	// branches are the tips of the branches when it began, by name.
	branches map[string]string
	// opened are the pull requests that were opened meanwhile.
	opened map[*issue]bool
	// dispatched are the runs of workflows that were asked for meanwhile.
	dispatched []func()
}

// Lag makes GitHub fall behind the branches of a repository (or catch up with them), as it does for seconds after a
// push. Meanwhile its pull requests keep their heads, files and refs/pull/N/head, the list of commits does not know
// what was pushed, and that of pull requests not what was opened. Workflows that are dispatched begin when it has
// caught up. Git shows the branches as they are. Pull requests from forks are behind the forks' branches.
func (s *Server) Lag(repo string, yes bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	if yes {
		return s.fallBehind(r)
	}
	late := r.lag
	r.lag = nil
	if late != nil {
		for _, dispatch := range late.dispatched {
			dispatch()
		}
	}
	for _, is := range r.issues {
		if p := is.pull; p != nil && is.open && p.headRepo != nil {
			if err := s.followHead(is, s.adminOf(p.headRepo.owner)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *Server) fallBehind(r *repository) error {
	branches, err := r.git.Branches()
	r.lag = &lag{branches: branches, opened: map[*issue]bool{}}
	return err
}

// resolveLagging is resolve for what lags behind a push. It returns "" for a commit that GitHub does not know yet.
func (c *call) resolveLagging(rev string) string {
	if c.repo.lag == nil {
		return c.resolve(rev)
	}
	if sha, is := c.repo.lag.branches[rev]; is {
		return sha
	}
	sha := c.resolve(rev)
	if sha == "" {
		return ""
	}
	known := git.Filter{Not: slices.Collect(maps.Values(c.repo.lag.branches)), Max: 1}
	if unknown, err := c.repo.git.Log(sha, known); err != nil || len(unknown) > 0 {
		return ""
	}
	return sha
}
