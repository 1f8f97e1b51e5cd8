package model

import (
	"net/url"
)

// Protection is why a branch cannot be moved: its protection, or a rule of the repository.
type Protection struct {
	Reason string
	ByRule bool
}

// Refusal returns the error of the API.
func (p *Protection) Refusal() string {
	if p.ByRule {
		return "Repository rule violations found\n\n" + p.Reason + "\n\n"
	}
	return p.Reason
}

// Report returns git's output, and the reason beside the ref.
func (p *Protection) Report(page, branch string) (lines []string, beside string) {
	ref := "refs/heads/" + branch
	if !p.ByRule {
		return []string{"error: GH006: Protected branch update failed for " + ref + ".", "", "- " + p.Reason},
			"protected branch hook declined"
	}
	return []string{"error: GH013: Repository rule violations found for " + ref + ".",
			"Review all repository rules at " + page + "/rules?ref=" + url.QueryEscape(ref), "", "- " + p.Reason, ""},
		"push declined due to repository rule violations"
}
