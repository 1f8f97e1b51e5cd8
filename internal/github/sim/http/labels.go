package simhttp

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// labelName is a label in a request: its name, or an object with a name.
type labelName string

// UnmarshalJSON reads a name, or an object with one.
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

// maxLabelDescription: "description: A short description of the label. Must be 100 characters or fewer."
const maxLabelDescription = 100

var labelColor = regexp.MustCompile(`^[0-9a-fA-F]{6}$`)

func checkLabels(names []labelName) error {
	for _, name := range names {
		if entity.IsBlank(string(name)) || utf8.RuneCountInString(string(name)) > maxLabelName {
			return entity.Invalid("Label", "name", "invalid", "")
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

func listLabels(c *call) (*answer, error) {
	return paged(c, c.repo.Labels, func(l *entity.Label) entity.Object { return c.form.Label(c.repo, l) })
}

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
		return nil, entity.NotSupplied("name")
	}
	name := string(*in.Name)
	switch {
	case checkLabels([]labelName{*in.Name}) != nil:
		return nil, entity.Invalid("Label", "name", "invalid", "")
	case in.Color != "" && !labelColor.MatchString(in.Color):
		return nil, entity.Invalid("Label", "color", "invalid", "")
	case utf8.RuneCountInString(in.Description) > maxLabelDescription:
		return nil, entity.Invalid("Label", "description", "custom", "description is too long (maximum is 100 characters)")
	case slices.ContainsFunc(c.repo.Labels, func(l *entity.Label) bool { return strings.EqualFold(l.Name, name) }):
		return nil, entity.Invalid("Label", "name", "already_exists", "")
	}
	l := &entity.Label{ID: c.State.ID("label"), Name: name, Color: entity.OrElse(in.Color, "ededed"),
		Description: in.Description}
	c.repo.Labels = append(c.repo.Labels, l)
	return created(c.form.Label(c.repo, l))
}

func listIssueLabels(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	return paged(c, is.Labels, func(l *entity.Label) entity.Object { return c.form.Label(c.repo, l) })
}

// addLabels adds labels. It creates those that do not exist.
func addLabels(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	names, err := c.labelsOfBody()
	if err == nil && len(names) == 0 {
		err = entity.NotSupplied("labels")
	}
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		c.PutLabel(is, c.sender(), string(name))
	}
	return ok(c.form.Labels(c.repo, is.Labels))
}

// replaceLabels: "Removes any previous labels and sets the new labels for an issue."
func replaceLabels(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	names, err := c.labelsOfBody()
	if err == nil && names == nil {
		err = entity.NotSupplied("labels")
	}
	if err != nil {
		return nil, err
	}
	c.setLabels(is, names)
	return ok(c.form.Labels(c.repo, is.Labels))
}

func removeLabel(c *call) (*answer, error) {
	is, err := findThread(c)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(is.Labels, func(l *entity.Label) bool { return strings.EqualFold(l.Name, c.vars["name"]) })
	if i < 0 {
		return nil, entity.Refuse(http.StatusNotFound, "Label does not exist")
	}
	c.unlabel(is, is.Labels[i])
	return ok(c.form.Labels(c.repo, is.Labels))
}

// setLabels removes all other labels, and adds the named ones.
func (c *call) setLabels(is *entity.Issue, names []labelName) {
	for _, l := range slices.Clone(is.Labels) {
		if !slices.ContainsFunc(names, func(n labelName) bool { return strings.EqualFold(string(n), l.Name) }) {
			c.unlabel(is, l)
		}
	}
	for _, name := range names {
		c.PutLabel(is, c.sender(), string(name))
	}
}

func (c *call) unlabel(is *entity.Issue, gone *entity.Label) {
	is.Labels = slices.DeleteFunc(slices.Clone(is.Labels), func(l *entity.Label) bool { return l == gone })
	c.Events.EmitLabel("unlabeled", is, c.sender(), gone)
}
