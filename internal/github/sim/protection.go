package sim

import (
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Protect protects a branch: pushes are rejected with this reason, as GH006. An empty reason ends that.
func (s repositories) Protect(repo, branch, reason string) error {
	return s.protect(repo, branch, model.Protection{Reason: reason})
}

// Rule adds a rule of the repository for a branch: pushes are rejected with this reason, as GH013. An empty reason ends
// that.
func (s repositories) Rule(repo, branch, reason string) error {
	return s.protect(repo, branch, model.Protection{Reason: reason, ByRule: true})
}

func (s repositories) protect(repo, branch string, p model.Protection) error {
	return s.withRepo(repo, func(r *model.Repository) {
		delete(r.Protected, branch)
		if p.Reason != "" {
			r.Protected[branch] = &p
		}
	})
}

// protections returns the protected branches of a repository for git's hook, one per line: the ref, the reason beside
// it and the output, with unit separators between them.
func (s repositories) Protections(r *model.Repository) string {
	var b strings.Builder
	for branch, p := range r.Protected {
		lines, beside := p.Report(Pages(s).HTMLRepoURL(r), branch)
		b.WriteString(strings.Join(append([]string{"refs/heads/" + branch, beside}, lines...), "\x1f") + "\n")
	}
	return b.String()
}
