package ghtest

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// maxTitle is GitHub's limit for the title of an issue or pull request, in characters.
const maxTitle = 256

// checkThread checks the texts of an issue or pull request; nil means that a text is absent.
func checkThread(resource string, title, body *string) error {
	switch {
	case title != nil && isBlank(*title):
		return invalid(resource, "title", "missing_field", "")
	case title != nil && utf8.RuneCountInString(*title) > maxTitle:
		return invalid(resource, "title", "custom", "title is too long (maximum is 256 characters)")
	case body != nil && utf8.RuneCountInString(*body) > maxText:
		return invalid(resource, "body", "custom", "body is too long (maximum is 65536 characters)")
	}
	return nil
}

// text is a JSON string or null, which means the empty string; nil means that it is absent.
type text struct{ *string }

func (t *text) UnmarshalJSON(data []byte) error {
	t.string = new(string)
	return json.Unmarshal(data, t.string) // null leaves it empty
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
	case c.repo.noIssues:
		return nil, refuse(http.StatusGone, "Issues has been disabled in this repository.")
	case in.Title == nil:
		return nil, notSupplied("title")
	}
	if err := checkThread("Issue", in.Title, &in.Body); err != nil {
		return nil, err
	}
	if err := checkLabels(in.Labels); err != nil {
		return nil, err
	}
	is := c.addThread(c.repo, c.sender(), *in.Title, in.Body)
	c.emitIssue("opened", is, c.sender(), nil)
	for _, name := range in.Labels {
		c.label(is, c.sender(), string(name))
	}
	return created(c.issueJSON(is))
}

// updateIssue changes an issue, or the fields of a pull request that issues have too.
func updateIssue(c *call) (*answer, error) {
	is, err := c.thread()
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
		return nil, invalid("Issue", "state_reason", "invalid", "")
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
func (c *call) change(is *issue, title, body, state, reason *string) error {
	resource := "Issue"
	if is.pull != nil {
		resource = "PullRequest"
	}
	if err := checkThread(resource, title, body); err != nil {
		return err
	}
	if state != nil && *state != "open" && *state != "closed" {
		return invalid(resource, "state", "invalid", "")
	}
	if state != nil && *state == "open" {
		if err := c.mayReopen(is); err != nil {
			return err
		}
	}
	c.edit(is, title, body)
	if state == nil || *state == stateOf(is) {
		return nil
	}
	return c.setOpen(is, c.sender(), *state == "open", orElse(deref(reason), "completed"))
}

// edit changes the texts, and returns the old ones.
func (c *call) edit(is *issue, title, body *string) {
	changes := object{}
	for _, f := range []struct {
		name     string
		old, new *string
	}{{"title", &is.title, title}, {"body", &is.body, body}} {
		if f.new != nil && *f.new != *f.old {
			changes[f.name] = object{"from": *f.old}
			*f.old = *f.new
		}
	}
	if len(changes) > 0 {
		c.emitThread("edited", is, c.sender(), object{"changes": changes})
	}
}

// deref returns the value, or the zero value for nil.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// listIssues lists issues and pull requests: "GitHub's REST API considers every pull request an issue".
func listIssues(c *call) (*answer, error) {
	since, err := c.since()
	if err != nil {
		return nil, err
	}
	list, err := c.threads(func(is *issue) bool {
		return !is.updated.Before(since) && is.hasLabels(c.query.Get("labels")) && !is.gone &&
			(is.pull != nil || !c.repo.noIssues) &&
			(c.query.Get("creator") == "" || strings.EqualFold(c.query.Get("creator"), is.user.login))
	})
	if err != nil {
		return nil, err
	}
	return paged(c, list, c.issueJSON)
}

// threads returns the issues and pull requests in the requested state and order, newest first by default.
func (c *call) threads(wanted func(*issue) bool) ([]*issue, error) {
	state := orElse(c.query.Get("state"), "open")
	if !slices.Contains([]string{"open", "closed", "all"}, state) {
		return nil, invalid("Issue", "state", "invalid", "")
	}
	var list []*issue
	for _, is := range c.repo.issues {
		if (state == "all" || state == stateOf(is)) && wanted(is) {
			list = append(list, is)
		}
	}
	slices.SortFunc(list, func(a, b *issue) int {
		switch c.query.Get("sort") {
		case "updated":
			return cmp.Or(b.updated.Compare(a.updated), b.number-a.number)
		case "comments":
			return cmp.Or(len(b.comments)-len(a.comments), b.number-a.number)
		}
		return b.number - a.number
	})
	if c.ascending() {
		slices.Reverse(list)
	}
	return list, nil
}

// ascending reports whether the order is ascending. The default for pull requests depends on the sort key.
func (c *call) ascending() bool {
	by := orElse(c.query.Get("sort"), "created")
	_, ofPulls := strings.CutSuffix(c.r.URL.Path, "/pulls")
	if direction := c.query.Get("direction"); direction != "" || !ofPulls {
		return direction == "asc"
	}
	return by != "created"
}

// hasLabels reports whether an issue has all labels of a comma-separated list.
func (is *issue) hasLabels(names string) bool {
	for name := range strings.SplitSeq(names, ",") {
		if name != "" && !slices.ContainsFunc(is.labels, func(l *label) bool { return strings.EqualFold(l.name, name) }) {
			return false
		}
	}
	return true
}
