package simhttp

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// resolveLagging is resolve for what lags behind a push. It returns "" for a commit that GitHub does not know yet.
func (c commitCalls) resolveLagging(rev string) string {
	if c.repo.Lag == nil {
		return c.resolve(rev)
	}
	if sha, is := c.repo.Lag.Branches[rev]; is {
		return sha
	}
	sha := c.resolve(rev)
	if sha == "" {
		return ""
	}
	known := git.Filter{Not: slices.Collect(maps.Values(c.repo.Lag.Branches)), Max: 1}
	if unknown, err := c.repo.Git.Log(sha, known); err != nil || len(unknown) > 0 {
		return ""
	}
	return sha
}
