package simhttp

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// listIssues lists issues and pull requests: "GitHub's REST API considers every pull request an issue".
func listIssues(c *call) (*answer, error) {
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list, err := c.threads(func(is *entity.Issue) bool {
		return !is.Updated.Before(since) && is.HasLabels(c.query.Get("labels")) && !is.Gone &&
			(is.Pull != nil || !c.repo.NoIssues) &&
			(c.query.Get("creator") == "" || strings.EqualFold(c.query.Get("creator"), is.User.Login))
	})
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.form.Issue)
}

// threads returns the issues and pull requests in the requested state and order, newest first by default.
func (c *call) threads(wanted func(*entity.Issue) bool) ([]*entity.Issue, error) {
	state := entity.OrElse(c.query.Get("state"), "open")
	if !slices.Contains([]string{"open", "closed", "all"}, state) {
		return nil, entity.Invalid("Issue", "state", "invalid", "")
	}
	var list []*entity.Issue
	for _, is := range c.repo.Issues {
		if (state == "all" || state == form.State(is)) && wanted(is) {
			list = append(list, is)
		}
	}
	slices.SortFunc(list, func(a, b *entity.Issue) int {
		switch c.query.Get("sort") {
		case "updated":
			return cmp.Or(b.Updated.Compare(a.Updated), b.Number-a.Number)
		case "comments":
			return cmp.Or(len(b.Comments)-len(a.Comments), b.Number-a.Number)
		}
		return b.Number - a.Number
	})
	if c.ascending() {
		slices.Reverse(list)
	}
	return list, nil
}

// ascending reports whether the order is ascending. The default for pull requests depends on the sort key.
func (c *call) ascending() bool {
	by := entity.OrElse(c.query.Get("sort"), "created")
	_, ofPulls := strings.CutSuffix(c.r.URL.Path, "/pulls")
	if direction := c.query.Get("direction"); direction != "" || !ofPulls {
		return direction == "asc"
	}
	return by != "created"
}

func getIssue(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	o := c.form.Issue(is)
	o["closed_by"] = c.form.User(is.ClosedBy)
	return ok(o)
}

func createIssue(c *call) (*answer, error) {
	var in struct {
		Title  *string     `json:"title"`
		Body   string      `json:"body"`
		Labels []labelName `json:"labels"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	switch {
	case c.repo.NoIssues:
		return nil, entity.Refuse(http.StatusGone, "Issues has been disabled in this repository.")
	case in.Title == nil:
		return nil, entity.NotSupplied("title")
	}
	if err := sim.CheckThread("Issue", in.Title, &in.Body); err != nil {
		return nil, err
	}
	if err := checkLabels(in.Labels); err != nil {
		return nil, err
	}
	is := c.AddThread(c.repo, c.sender(), *in.Title, in.Body)
	c.Events.EmitIssue("opened", is, c.sender(), nil)
	for _, name := range in.Labels {
		c.PutLabel(is, c.sender(), string(name))
	}
	return created(c.form.Issue(is))
}

// updateIssue changes an issue, or the fields of a pull request that issues have too.
func updateIssue(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	var in struct {
		Title  *string      `json:"title"`
		Body   text         `json:"body"`
		State  *string      `json:"state"`
		Reason *string      `json:"state_reason"`
		Labels *[]labelName `json:"labels"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Reason != nil && !slices.Contains([]string{"completed", "not_planned", "duplicate", "reopened"}, *in.Reason) {
		return nil, entity.Invalid("Issue", "state_reason", "invalid", "")
	}
	if in.Labels != nil {
		if err := checkLabels(*in.Labels); err != nil {
			return nil, err
		}
	}
	if err := c.change(is, in.Title, in.Body.string, in.State, in.Reason); err != nil {
		return nil, err
	}
	if in.Labels != nil {
		c.setLabels(is, *in.Labels)
	}
	return getIssue(c)
}

// change sets the given fields, or returns an error and changes nothing.
func (c *call) change(is *entity.Issue, title, body, state, reason *string) error {
	resource := "Issue"
	if is.Pull != nil {
		resource = "PullRequest"
	}
	if err := sim.CheckThread(resource, title, body); err != nil {
		return err
	}
	if state != nil && *state != "open" && *state != "closed" {
		return entity.Invalid(resource, "state", "invalid", "")
	}
	if state != nil && *state == "open" {
		if err := c.MayReopen(is); err != nil {
			return err
		}
	}
	c.edit(is, title, body)
	if state == nil || *state == form.State(is) {
		return nil
	}
	return c.ChangeState(is, c.sender(), *state == "open", entity.OrElse(deref(reason), "completed"))
}

// edit changes the texts, and returns the old ones.
func (c *call) edit(is *entity.Issue, title, body *string) {
	changes := entity.Object{}
	for _, f := range []struct {
		name     string
		old, new *string
	}{{"title", &is.Title, title}, {"body", &is.Body, body}} {
		if f.new != nil && *f.new != *f.old {
			changes[f.name] = entity.Object{"from": *f.old}
			*f.old = *f.new
		}
	}
	if len(changes) > 0 {
		c.Events.EmitThread("edited", is, c.sender(), entity.Object{"changes": changes})
	}
}
