package ghtest

import (
	"bytes"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
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

// addLabels takes {"labels": […]} or the bare array; labels that do not exist are made.
func addLabels(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	var in struct {
		Labels []string `json:"labels"`
	}
	if body := bytes.TrimSpace(c.body); bytes.HasPrefix(body, []byte("[")) && json.Valid(body) {
		c.body = slices.Concat([]byte(`{"labels":`), body, []byte("}"))
	}
	if err := c.decode(&in); err != nil {
		return nil, err
	}
	if len(in.Labels) == 0 {
		return nil, notSupplied("labels")
	}
	for _, name := range in.Labels {
		if isBlank(name) || len([]rune(name)) > 50 {
			return nil, invalid("Label", "name", "invalid", "")
		}
		c.label(is, c.app.bot, name)
	}
	return ok(c.labelsJSON(c.repo, is.labels))
}

func removeLabel(c *call) (*answer, error) {
	is, err := c.thread()
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(is.labels, func(l *label) bool { return strings.EqualFold(l.name, c.vars["name"]) })
	if i < 0 {
		return nil, refuse(http.StatusNotFound, "Label does not exist")
	}
	gone := is.labels[i]
	is.labels = slices.Delete(slices.Clone(is.labels), i, i+1)
	c.emitLabel("unlabeled", is, c.app.bot, gone)
	return ok(c.labelsJSON(c.repo, is.labels))
}

// Label has somebody put a label on an issue or pull request; it is made when the repository has none of the name.
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
	is.updated = s.now()
	extra := object{"label": s.labelJSON(is.repo, l)}
	if is.pull != nil {
		s.emitPull(action, is, by, extra)
		return
	}
	s.emitIssue(action, is, by, extra)
}
