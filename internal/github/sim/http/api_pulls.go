package simhttp

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

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
		return nil, model.NotSupplied("head")
	case in.Base == nil:
		return nil, model.NotSupplied("base")
	case in.Title == nil && in.Issue == nil:
		return nil, model.Invalid(sim.PullResource, "title", "missing_field", "")
	}
	if err := c.mayOpenPulls(); err != nil {
		return nil, err
	}
	if err := sim.CheckThread(sim.PullResource, in.Title, &in.Body); err != nil {
		return nil, err
	}
	p, err := c.NewPull(c.repo, sim.Pull{Head: *in.Head, Base: *in.Base, Draft: in.Draft,
		NoMaintainerEdits: in.Modify != nil && !*in.Modify})
	if err != nil {
		return nil, err
	}
	is := c.repo.Issues[deref(in.Issue)]
	switch {
	case in.Issue == nil:
		is = c.AddThread(c.repo, c.sender(), *in.Title, in.Body)
	case is == nil || is.Gone || is.Pull != nil:
		return nil, model.Invalid(sim.PullResource, "issue", "invalid", "")
	}
	if err := c.AddPull(is, p, c.sender()); err != nil {
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
	p := is.Pull
	switch {
	case in.Base != nil && *in.Base != p.BaseRef && !is.Open:
		return nil, sim.PullRefused("Cannot change the base branch of a closed pull request.")
	case in.Base != nil && c.repo.Git.Branch(*in.Base) == "":
		return nil, sim.PullRefused("Proposed base branch '" + *in.Base + "' was not found")
	case in.Modify != nil && *in.Modify && p.HeadRepo != c.repo && !p.CanModify:
		return nil, model.Invalid(sim.PullResource, "fork_collab", "custom",
			"Fork collab can't be granted by someone without permission")
	}
	if err := c.change(is, in.Title, in.Body.string, in.State, nil); err != nil {
		return nil, err
	}
	if in.Base != nil && *in.Base != p.BaseRef {
		from := model.Object{"ref": model.Object{"from": p.BaseRef}, "sha": model.Object{"from": p.BaseSHA}}
		p.BaseRef, p.BaseSHA = *in.Base, c.repo.Git.Branch(*in.Base)
		c.EmitPull("edited", is, c.sender(), model.Object{"changes": model.Object{"base": from}})
	}
	if in.Modify != nil {
		p.CanModify = p.CanModify && *in.Modify
	}
	return getPull(c)
}

// listPulls lists pull requests. "direction: Default: desc when sort is created or sort is not specified, otherwise
// asc." "head: Filter pulls by head user or head organization and branch name in the format of user:ref-name".
func listPulls(c *call) (*answer, error) {
	head, base := c.query.Get("head"), c.query.Get("base")
	if !strings.Contains(head, ":") { // GitHub passes over a head without an owner, and lists all
		head = ""
	}
	list, err := c.threads(func(is *model.Issue) bool {
		isKnown := c.repo.Lag == nil || !c.repo.Lag.Opened[is]
		return is.Pull != nil && isKnown && (head == "" || strings.EqualFold(head, is.Pull.HeadLabel)) &&
			(base == "" || base == is.Pull.BaseRef)
	})
	if err != nil {
		return nil, err
	}
	return paged(c, list, func(is *model.Issue) model.Object { return c.pullJSON(is, true) })
}

// maxPullCommits is the limit of "Lists a maximum of 250 commits for a pull request."
const maxPullCommits = 250

// listPullCommits lists the commits of a pull request, oldest first.
func listPullCommits(c *call) (*answer, error) {
	is, err := c.pullOfPath()
	if err != nil {
		return nil, err
	}
	list, err := c.PullCommits(is)
	if err != nil {
		return nil, err
	}
	slices.Reverse(list)
	return paged(c, list[:min(len(list), maxPullCommits)], c.commitJSON)
}
