package ghtest

import (
	"net/url"
	"strings"
)

// protection is why nobody moves a branch, by the branch's own settings or by a rule of the repository.
type protection struct {
	reason string
	byRule bool
}

// Protect protects a branch by its settings: pushes are refused with this reason, as GH006. An empty reason ends it.
func (s *Server) Protect(repo, branch, reason string) error {
	return s.protect(repo, branch, protection{reason: reason})
}

// Rule protects a branch by a rule of the repository: pushes are refused with this reason, as GH013. An empty reason ends it.
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

// refusal is what the API says.
func (p *protection) refusal() string {
	if p.byRule {
		return "Repository rule violations found\n\n" + p.reason + "\n\n"
	}
	return p.reason
}

// report is what git prints, and what stands beside the ref.
func (p *protection) report(page, branch string) (lines []string, beside string) {
	ref := "refs/heads/" + branch
	if !p.byRule {
		return []string{"error: GH006: Protected branch update failed for " + ref + ".", "", "- " + p.reason}, "protected branch hook declined"
	}
	return []string{"error: GH013: Repository rule violations found for " + ref + ".",
			"Review all repository rules at " + page + "/rules?ref=" + url.QueryEscape(ref), "", "- " + p.reason, ""},
		"push declined due to repository rule violations"
}

// protections tells git's hook of all protected branches of a repository, one a line: the ref, what stands beside it and what is
// printed, with unit separators between.
func (s *Server) protections(r *repository) string {
	var b strings.Builder
	for branch, p := range r.protected {
		lines, beside := p.report(s.htmlRepoURL(r), branch)
		b.WriteString(strings.Join(append([]string{"refs/heads/" + branch, beside}, lines...), "\x1f") + "\n")
	}
	return b.String()
}
