package ghtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

func listLabels(c *call) (*answer, error) {
	return paged(c, c.repo.labels, func(l *label) object { return c.labelJSON(c.repo, l) })
}

func listIssueLabels(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	return paged(c, is.labels, func(l *label) object { return c.labelJSON(c.repo, l) })
}

// labelName is a label in a request: its name, or an object with a name.
type labelName string

func (l *labelName) UnmarshalJSON(data []byte) error {
	var o struct {
		Name string `json:"name"`
	}
	if bytes.HasPrefix(data, []byte("{")) {
		err := json.Unmarshal(data, &o)
		*l = labelName(o.Name)
		return err
	}
	return json.Unmarshal(data, (*string)(l))
}

// maxLabelName is GitHub's limit, in characters.
const maxLabelName = 50

func checkLabels(names []labelName) error {
	for _, name := range names {
		if isBlank(string(name)) || utf8.RuneCountInString(string(name)) > maxLabelName {
			return invalid("Label", "name", "invalid", "")
		}
	}
	return nil
}

// labelsOfBody returns the labels in {"labels": […]} or in a bare array, or nil for neither.
func (c *call) labelsOfBody() ([]labelName, error) {
	var in struct {
		Labels []labelName `json:"labels"`
	}
	if body := bytes.TrimSpace(c.body); bytes.HasPrefix(body, []byte("[")) && json.Valid(body) {
		c.body = slices.Concat([]byte(`{"labels":`), body, []byte("}"))
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	return in.Labels, checkLabels(in.Labels)
}

// addLabels adds labels. It creates those that do not exist.
func addLabels(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	names, err := c.labelsOfBody()
	if err == nil && len(names) == 0 {
		err = notSupplied("labels")
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		c.label(is, c.sender(), string(name))
	}
	return ok(c.labelsJSON(c.repo, is.labels))
}

// replaceLabels: "Removes any previous labels and sets the new labels for an issue."
func replaceLabels(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	names, err := c.labelsOfBody()
	if err == nil && names == nil {
		err = notSupplied("labels")
	}
	if err != nil {
		return nil, err
	}
	c.setLabels(is, names)
	return ok(c.labelsJSON(c.repo, is.labels))
}

// setLabels removes all other labels, and adds the named ones.
func (c *call) setLabels(is *issue, names []labelName) {
	for _, l := range slices.Clone(is.labels) {
		if !slices.ContainsFunc(names, func(n labelName) bool { return strings.EqualFold(string(n), l.name) }) {
			c.unlabel(is, l)
		}
	}
	for _, name := range names {
		c.label(is, c.sender(), string(name))
	}
}

func (c *call) unlabel(is *issue, gone *label) {
	is.labels = slices.DeleteFunc(slices.Clone(is.labels), func(l *label) bool { return l == gone })
	c.emitLabel("unlabeled", is, c.sender(), gone)
}

var labelColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)

// createLabel: "color: The hexadecimal color code for the label, without the leading #."
func createLabel(c *call) (*answer, error) {
	var in struct {
		Name        *labelName `json:"name"`
		Color       string     `json:"color"`
		Description string     `json:"description"`
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if in.Name == nil {
		return nil, notSupplied("name")
	}
	name := string(*in.Name)
	switch {
	case checkLabels([]labelName{*in.Name}) != nil:
		return nil, invalid("Label", "name", "invalid", "")
	case in.Color != "" && !labelColor.MatchString(in.Color):
		return nil, invalid("Label", "color", "invalid", "")
	case utf8.RuneCountInString(in.Description) > maxLabelDescription:
		return nil, invalid("Label", "description", "custom", "description is too long (maximum is 100 characters)")
	case slices.ContainsFunc(c.repo.labels, func(l *label) bool { return strings.EqualFold(l.name, name) }):
		return nil, invalid("Label", "name", "already_exists", "")
	}
	l := &label{id: c.state.id("label"), name: name, color: orElse(in.Color, "ededed"), description: in.Description}
	c.repo.labels = append(c.repo.labels, l)
	return created(c.labelJSON(c.repo, l))
}

// maxLabelDescription: "description: A short description of the label. Must be 100 characters or fewer."
const maxLabelDescription = 100

func removeLabel(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(is.labels, func(l *label) bool { return strings.EqualFold(l.name, c.vars["name"]) })
	if i < 0 {
		return nil, refuse(http.StatusNotFound, "Label does not exist")
	}
	c.unlabel(is, is.labels[i])
	return ok(c.labelsJSON(c.repo, is.labels))
}

// Label adds a label to an issue or pull request as a user. It creates the label if it does not exist.
func (s *Server) Label(as, repo string, number int, name string) error {
	s.mu.Lock()
	u, _, err := s.actor(as, repo, RoleTriage)
	if err != nil {
		s.mu.Unlock()
		return err
	}
	is, err := s.state.issue(repo, number)
	if err == nil {
		s.label(is, u, name)
	}
	s.mu.Unlock()
	if err == nil {
		s.WaitDeliveries()
	}
	return err
}

func (s *Server) label(is *issue, by *user, name string) {
	same := func(l *label) bool { return strings.EqualFold(l.name, name) }
	if slices.ContainsFunc(is.labels, same) {
		return
	}
	i := slices.IndexFunc(is.repo.labels, same)
	if i < 0 {
		i = len(is.repo.labels)
		is.repo.labels = append(is.repo.labels, &label{id: s.state.id("label"), name: name, color: "ededed"})
	}
	is.labels = append(is.labels, is.repo.labels[i])
	s.emitLabel("labeled", is, by, is.repo.labels[i])
}

func (s *Server) emitLabel(action string, is *issue, by *user, l *label) {
	s.emitThread(action, is, by, object{"label": s.labelJSON(is.repo, l)})
}
