package ghtest

import (
	"net/http"
	"slices"
	"strings"
)

const pullResource = "PullRequest"

// pullRefused returns the 422 of pull requests with a sentence.
func pullRefused(why string) *apiError {
	return &apiError{status: http.StatusUnprocessableEntity, message: "Validation Failed",
		errors: []any{object{"resource": pullResource, "code": "custom", "message": why}}}
}

func createPull(c *call) (*answer, error) {
	var in struct {
		Title  *string `json:"title"`
		Body   string  `json:"body"`
		Head   *string `json:"head"`
		Base   *string `json:"base"`
		Draft  bool    `json:"draft"`
		Issue  *int    `json:"issue"`
		Modify *bool   `json:"maintainer_can_modify"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case in.Head == nil:
		return nil, notSupplied("head")
	case in.Base == nil:
		return nil, notSupplied("base")
	case in.Title == nil && in.Issue == nil:
		return nil, invalid(pullResource, "title", "missing_field", "")
	}
	if err := c.mayOpenPulls(); err != nil {
		return nil, err
	}
	if err := checkThread(pullResource, in.Title, &in.Body); err != nil {
		return nil, err
	}
	p, err := c.newPull(c.repo, Pull{Head: *in.Head, Base: *in.Base, Draft: in.Draft,
		NoMaintainerEdits: in.Modify != nil && !*in.Modify})
	if err != nil {
		return nil, err
	}
	is := c.repo.issues[deref(in.Issue)]
	switch {
	case in.Issue == nil:
		is = c.addThread(c.repo, c.sender(), *in.Title, in.Body)
	case is == nil || is.gone || is.pull != nil:
		return nil, invalid(pullResource, "issue", "invalid", "")
	}
	if err := c.openPull(is, p, c.sender()); err != nil {
		return nil, err
	}
	return created(c.pullJSON(is, false))
}

// updatePull changes a pull request. All fields are optional; if one is invalid, nothing is changed.
func updatePull(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	var in struct {
		Title  *string `json:"title"`
		Body   text    `json:"body"`
		State  *string `json:"state"`
		Base   *string `json:"base"`
		Modify *bool   `json:"maintainer_can_modify"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	p := is.pull
	switch {
	case in.Base != nil && *in.Base != p.baseRef && !is.open:
		return nil, pullRefused("Cannot change the base branch of a closed pull request.")
	case in.Base != nil && c.repo.git.Branch(*in.Base) == "":
		return nil, pullRefused("Proposed base branch '" + *in.Base + "' was not found")
	case in.Modify != nil && *in.Modify && p.headRepo != c.repo && !p.canModify:
		return nil, invalid(pullResource, "fork_collab", "custom",
			"Fork collab can't be granted by someone without permission")
	}
	if err := c.change(is, in.Title, in.Body.string, in.State, nil); err != nil {
		return nil, err
	}
	if in.Base != nil && *in.Base != p.baseRef {
		from := object{"ref": object{"from": p.baseRef}, "sha": object{"from": p.baseSHA}}
		p.baseRef, p.baseSHA = *in.Base, c.repo.git.Branch(*in.Base)
		c.emitPull("edited", is, c.sender(), object{"changes": object{"base": from}})
	}
	if in.Modify != nil {
		p.canModify = p.canModify && *in.Modify
	}
	return getPull(c)
}

// mayReopen returns an error for a pull request that cannot be reopened.
func (s *Server) mayReopen(is *issue) error {
	p := is.pull
	if is.open || p == nil {
		return nil
	}
	refused := func(why string) error {
		return invalid(pullResource, "state", "invalid", "state cannot be changed. "+why)
	}
	sha := ""
	if p.headRepo != nil && !p.headRepo.deleted {
		sha = p.headRepo.git.Branch(p.headRef)
	}
	switch {
	case p.merged != nil:
		return refused("The pull request cannot be reopened.")
	case sha == "":
		return refused("The " + p.headRef + " branch has been deleted.")
	case s.openPullOf(is.repo, p) != nil:
		return refused("There is already an open pull request from " + p.headLabel + " to " + p.baseRef + ".")
	}
	if !p.headRepo.git.IsAncestor(p.headSHA, sha) {
		return refused("The " + p.headRef + " branch was force-pushed or recreated.")
	}
	return nil
}

// openPullOf returns the open pull request with the same head and base, or nil.
func (s *Server) openPullOf(r *repository, p *pull) *issue {
	for _, other := range r.issues {
		if o := other.pull; o != nil && other.open && o.headRepo == p.headRepo && o.headRef == p.headRef &&
			o.baseRef == p.baseRef {
			return other
		}
	}
	return nil
}

// listPulls lists pull requests. "direction: Default: desc when sort is created or sort is not specified, otherwise
// asc." "head: Filter pulls by head user or head organization and branch name in the format of user:ref-name".
func listPulls(c *call) (*answer, error) {
	head, base := c.query.Get("head"), c.query.Get("base")
	if !strings.Contains(head, ":") { // GitHub passes over a head without an owner, and lists all
		head = ""
	}
	list, err := c.threads(func(is *issue) bool {
		isKnown := c.repo.lag == nil || !c.repo.lag.opened[is]
		return is.pull != nil && isKnown && (head == "" || strings.EqualFold(head, is.pull.headLabel)) &&
			(base == "" || base == is.pull.baseRef)
	})
	if err != nil {
		return nil, err
	}
	return paged(c, list, func(is *issue) object { return c.pullJSON(is, true) })
}

// maxPullCommits is the limit of "Lists a maximum of 250 commits for a pull request."
const maxPullCommits = 250

// listPullCommits lists the commits of a pull request, oldest first.
func listPullCommits(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	list, err := c.pullCommits(is)
	if err != nil {
		return nil, err
	}
	slices.Reverse(list)
	return paged(c, list[:min(len(list), maxPullCommits)], c.commitJSON)
}
