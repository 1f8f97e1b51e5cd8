package entity

import (
	"slices"
	"time"
)

// CheckRun is a check run, of the App or of another one.
type CheckRun struct {
	ID                  int64
	Repo                *Repository
	Suite               *CheckSuite
	HeadSHA, Name       string
	ExternalID, Details string
	Status, Conclusion  string
	Started             time.Time
	Completed           *time.Time
	Title               string
	Summary, Text       *string
	Annotations         []Annotation
	Actions             []CheckAction
}

// IsOwn reports whether a check run was made through the API: by the App itself, or by a job as the App of all jobs.
func (run *CheckRun) IsOwn() bool {
	return run.Suite.App == nil || run.Suite.App.Slug == ActionsApp && run.Suite.Run == nil
}

// Change sets the fields of the body, or returns an error and changes nothing. "Providing conclusion will automatically
// set the status parameter to completed." Annotations are added to the existing ones; all other fields are replaced.
func (run *CheckRun) Change(in CheckInput, now time.Time) error {
	if err := in.check(); err != nil {
		return err
	}
	Set(&run.Name, in.Name)
	Set(&run.Details, in.DetailsURL)
	Set(&run.ExternalID, in.ExternalID)
	Set(&run.Status, in.Status)
	Set(&run.Conclusion, in.Conclusion)
	Set(&run.Started, in.StartedAt)
	switch {
	case in.Conclusion != nil || in.CompletedAt != nil && run.Conclusion != "":
		run.Status, run.Completed = "completed", &now
		if in.CompletedAt != nil {
			run.Completed = in.CompletedAt
		}
	case run.Status == "completed" && run.Conclusion == "":
		return NotSupplied("conclusion")
	case in.Status != nil && *in.Status != "completed":
		run.Conclusion, run.Completed = "", nil
	}
	if in.Output != nil {
		Set(&run.Title, in.Output.Title)
		run.Summary, run.Text = in.Output.Summary, in.Output.Text
		run.Annotations = append(slices.Clone(run.Annotations), in.Output.Annotations...)
	}
	if in.Actions != nil {
		run.Actions = *in.Actions
	}
	return nil
}
