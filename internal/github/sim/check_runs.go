package sim

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// CheckRun is a check run of the App.
type CheckRun struct {
	ID                   int64
	Name, HeadSHA        string
	Status, Conclusion   string
	Title, Summary, Text string
	Annotations          int
	// Actions are the identifiers of its buttons.
	Actions []string
	// ExternalID and Page are the App's.
	ExternalID, Page string
	Notes            []Annotation
	Buttons          []Button
}

// Button is a button of a check run.
type Button struct{ Label, Description, Identifier string }

// CheckRuns returns the check runs of the App in a repository, oldest first.
func (s Checks) CheckRuns(repo string) ([]CheckRun, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return nil, err
	}
	var list []CheckRun
	for _, id := range slices.Sorted(maps.Keys(s.State.Checks)) {
		run := s.State.Checks[id]
		if run.Repo != r || !run.IsOwn() {
			continue
		}
		c := CheckRun{ID: id, Name: run.Name, HeadSHA: run.HeadSHA, Status: run.Status, Conclusion: run.Conclusion,
			Title: run.Title, Annotations: len(run.Annotations), ExternalID: run.ExternalID, Page: run.Details}
		entity.Set(&c.Summary, run.Summary)
		entity.Set(&c.Text, run.Text)
		for _, a := range run.Actions {
			c.Actions = append(c.Actions, *a.Identifier)
			c.Buttons = append(c.Buttons, Button{*a.Label, *a.Description, *a.Identifier})
		}
		for _, a := range run.Annotations {
			c.Notes = append(c.Notes, Annotation{Path: *a.Path, Line: *a.StartLine, EndLine: *a.EndLine, Level: a.Level,
				Message: *a.Message, Title: a.Title, RawDetails: a.RawDetails})
		}
		list = append(list, c)
	}
	return list, nil
}

// Annotation is an annotation of a check run. EndLine is Line if it is 0; Level is "failure" if it is empty.
type Annotation struct {
	Path                              string
	Line, EndLine                     int
	Level, Message, Title, RawDetails string
}

// annotationsOf returns annotations in the API's form.
func annotationsOf(list []Annotation) []entity.Annotation {
	var all []entity.Annotation
	for _, a := range list {
		a.EndLine = entity.OrElse(a.EndLine, a.Line)
		all = append(all, entity.Annotation{Path: &a.Path, StartLine: &a.Line, EndLine: &a.EndLine,
			Level: entity.OrElse(a.Level, "failure"), Message: &a.Message, Title: a.Title, RawDetails: a.RawDetails})
	}
	return all
}
