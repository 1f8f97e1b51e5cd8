package sim

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Check is a check run of another App to make. Without a conclusion, it is in progress.
type Check struct {
	// App is its name in URLs.
	App, Name, Conclusion string
	// Page is where it links to; empty means GitHub's page.
	Page                 string
	Title, Summary, Text string
	Annotations          []Annotation
}

// Check makes a check run of another App on the commit, or changes the newest one of the same name.
func (ci CI) Check(in Check) error {
	return ci.act(func(r *entity.Repository) error {
		s := ci.s
		suite := suites(s).SuiteFor(r, ci.sha, suites(s).IntegrationOf(in.App))
		var run *entity.CheckRun
		for _, old := range Checks(s).LatestOf(suite) {
			if old.Name == in.Name && old.Status != "completed" {
				run = old
			}
		}
		now, isNew := s.Now(), run == nil
		if isNew {
			run = &entity.CheckRun{Repo: r, HeadSHA: ci.sha, Name: in.Name, Status: "in_progress", Started: now}
		}
		if in.Conclusion != "" {
			run.Status, run.Conclusion, run.Completed = "completed", in.Conclusion, &now
		}
		run.Details, run.Title, run.Annotations = in.Page, in.Title, annotationsOf(in.Annotations)
		run.Summary, run.Text = textOrNil(in.Summary), textOrNil(in.Text)
		if isNew {
			Checks(s).AddCheck(run, suite)
		}
		if run.Status == "completed" {
			Checks(s).CheckCompleted(run, suite.By)
		}
		return nil
	})
}

// textOrNil returns a text, or nil if it is empty.
func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

// Status sets a status of the commit, as another service: "pending", "success", "failure" or "error".
func (ci CI) Status(context, status, description, target string) error {
	return ci.act(func(r *entity.Repository) error {
		if !slices.Contains([]string{"pending", "success", "failure", "error"}, status) {
			return fmt.Errorf("no state %q", status)
		}
		s := ci.s
		st := &entity.CommitStatus{ID: s.State.ID("status"), Repo: r, SHA: ci.sha, State: status, Context: context,
			Description: description, Target: target, Creator: s.AdminOf(r.Owner), Created: s.Now()}
		s.State.CI.Statuses = append(s.State.CI.Statuses, st)
		s.Events.EmitStatus(st)
		return nil
	})
}
