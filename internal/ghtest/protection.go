package ghtest

import (
	"net/url"
	"strings"
)

// protection is why a branch cannot be moved: its protection, or a rule of the repository.
type protection struct {
	reason string
	byRule bool
}

// Protect protects a branch: pushes are rejected with this reason, as GH006. An empty reason ends that.
func (s *Server) Protect(repo, branch, reason string) error {
	return s.protect(repo, branch, protection{reason: reason})
}

// Rule adds a rule of the repository for a branch: pushes are rejected with this reason, as GH013. An empty reason ends
// that.
func (s *Server) Rule(repo, branch, reason string) error {
	return s.protect(repo, branch, protection{reason: reason, byRule: true})
}

func (s *Server) protect(repo, branch string, p protection) error {
	return s.withRepo(repo, func(r *repository) {
		delete(r.protected, branch)
		if p.reason != "" {
			r.protected[branch] = &p
		}
	})
}

// refusal returns the error of the API.
func (p *protection) refusal() string {
	if p.byRule {
		return "Repository rule violations found\n\n" + p.reason + "\n\n"
	}
	return p.reason
}

// report returns git's output, and the reason beside the ref.
func (p *protection) report(page, branch string) (lines []string, beside string) {
	ref := "refs/heads/" + branch
	if !p.byRule {
		return []string{"error: GH006: Protected branch update failed for " + ref + ".", "", "- " + p.reason},
			"protected branch hook declined"
	}
	return []string{"error: GH013: Repository rule violations found for " + ref + ".",
			"Review all repository rules at " + page + "/rules?ref=" + url.QueryEscape(ref), "", "- " + p.reason, ""},
		"push declined due to repository rule violations"
}

// protections returns the protected branches of a repository for git's hook, one per line: the ref, the reason beside
// it and the output, with unit separators between them.
func (s *Server) protections(r *repository) string {
	var b strings.Builder
	for branch, p := range r.protected {
		lines, beside := p.report(s.htmlRepoURL(r), branch)
		b.WriteString(strings.Join(append([]string{"refs/heads/" + branch, beside}, lines...), "\x1f") + "\n")
	}
	return b.String()
}
