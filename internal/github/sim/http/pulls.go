package simhttp

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// listPulls lists pull requests. "direction: Default: desc when sort is created or sort is not specified, otherwise
// asc." "head: Filter pulls by head user or head organization and branch name in the format of user:ref-name".
func listPulls(c *call) (*answer, error) {
	head, base := c.query.Get("head"), c.query.Get("base")
	if !strings.Contains(head, ":") { // GitHub passes over a head without an owner, and lists all
		head = ""
	}
	list, err := c.threads(func(is *entity.Issue) bool {
		isKnown := c.repo.Lag == nil || !c.repo.Lag.Opened[is]
		return is.Pull != nil && isKnown && (head == "" || strings.EqualFold(head, is.Pull.HeadLabel)) &&
			(base == "" || base == is.Pull.BaseRef)
	})
	if err != nil {
		return nil, err
	}
	return paged(c, list, func(is *entity.Issue) entity.Object { return c.form.Pull(is, true) })
}

func getPull(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	return ok(c.form.Pull(is, false))
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
		return nil, entity.NotSupplied("head")
	case in.Base == nil:
		return nil, entity.NotSupplied("base")
	case in.Title == nil && in.Issue == nil:
		return nil, entity.Invalid(sim.PullResource, "title", "missing_field", "")
	}
	if err := mayOpenPulls(c); err != nil {
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
		return nil, entity.Invalid(sim.PullResource, "issue", "invalid", "")
	}
	if err := c.AddPull(is, p, c.sender()); err != nil {
		return nil, err
	}
	return created(c.form.Pull(is, false))
}

// mayOpenPulls returns the error of a job where the repository does not allow it.
func mayOpenPulls(c *call) error {
	if c.token.Kind == entity.JobToken && !c.State.TokensOf.Pulls[c.repo] {
		return entity.Refuse(http.StatusForbidden, "GitHub Actions is not permitted to create or approve pull requests.")
	}
	return nil
}

// updatePull changes a pull request. All fields are optional; if one is invalid, nothing is changed.
func updatePull(c *call) (*answer, error) {
	is, err := findPull(c)
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
		return nil, entity.Invalid(sim.PullResource, "fork_collab", "custom",
			"Fork collab can't be granted by someone without permission")
	}
	if err := c.change(is, in.Title, in.Body.string, in.State, nil); err != nil {
		return nil, err
	}
	if in.Base != nil && *in.Base != p.BaseRef {
		c.ChangeBase(is, c.sender(), *in.Base)
	}
	if in.Modify != nil {
		p.CanModify = p.CanModify && *in.Modify
	}
	return getPull(c)
}

// maxPullCommits is the limit of "Lists a maximum of 250 commits for a pull request."
const maxPullCommits = 250

// listPullCommits lists the commits of a pull request, oldest first.
func listPullCommits(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	list, err := c.PullCommits(is)
	if err != nil {
		return nil, err
	}
	slices.Reverse(list)
	return paged(c, list[:min(len(list), maxPullCommits)], c.code().Commit)
}

// maxPullFiles: "Responses include a maximum of 3000 files."
const maxPullFiles = 3000

func listPullFiles(c *call) (*answer, error) {
	is, err := findPull(c)
	if err != nil {
		return nil, err
	}
	files, err := c.PullFiles(is)
	if err != nil {
		return nil, err
	}
	return paged(c, files[:min(len(files), maxPullFiles)],
		func(f *git.FileDiff) entity.Object { return c.code().File(f, is.Pull.HeadSHA) })
}
