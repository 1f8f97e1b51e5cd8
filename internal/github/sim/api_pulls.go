package sim

import (
	"net/http"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

const PullResource = "PullRequest"

// PullRefused returns the 422 of pull requests with a sentence.
func PullRefused(why string) *model.APIError {
	return &model.APIError{Status: http.StatusUnprocessableEntity, Message: "Validation Failed",
		Errors: []any{model.Object{"resource": PullResource, "code": "custom", "message": why}}}
}

// MayReopen returns an error for a pull request that cannot be reopened.
func (s PullRequests) MayReopen(is *model.Issue) error {
	p := is.Pull
	if is.Open || p == nil {
		return nil
	}
	refused := func(why string) error {
		return model.Invalid(PullResource, "state", "invalid", "state cannot be changed. "+why)
	}
	sha := ""
	if p.HeadRepo != nil && !p.HeadRepo.Deleted {
		sha = p.HeadRepo.Git.Branch(p.HeadRef)
	}
	switch {
	case p.Merged != nil:
		return refused("The pull request cannot be reopened.")
	case sha == "":
		return refused("The " + p.HeadRef + " branch has been deleted.")
	case s.openPullOf(is.Repo, p) != nil:
		return refused("There is already an open pull request from " + p.HeadLabel + " to " + p.BaseRef + ".")
	}
	if !p.HeadRepo.Git.IsAncestor(p.HeadSHA, sha) {
		return refused("The " + p.HeadRef + " branch was force-pushed or recreated.")
	}
	return nil
}

// openPullOf returns the open pull request with the same head and base, or nil.
func (s PullRequests) openPullOf(r *model.Repository, p *model.Pull) *model.Issue {
	for _, other := range r.Issues {
		if o := other.Pull; o != nil && other.Open && o.HeadRepo == p.HeadRepo && o.HeadRef == p.HeadRef &&
			o.BaseRef == p.BaseRef {
			return other
		}
	}
	return nil
}
