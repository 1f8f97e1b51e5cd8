package model

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

type Annotation struct {
	Path        *string `json:"path"`
	StartLine   *int    `json:"start_line"`
	EndLine     *int    `json:"end_line"`
	StartColumn *int    `json:"start_column"`
	EndColumn   *int    `json:"end_column"`
	Level       string  `json:"annotation_level"`
	Message     *string `json:"message"`
	Title       string  `json:"title"`
	RawDetails  string  `json:"raw_details"`
}

type CheckAction struct {
	Label       *string `json:"label"`
	Description *string `json:"description"`
	Identifier  *string `json:"identifier"`
}

// CheckInput is the body of both operations. Absent fields are not changed.
type CheckInput struct {
	Name        *string        `json:"name"`
	HeadSHA     *string        `json:"head_sha"`
	DetailsURL  *string        `json:"details_url"`
	ExternalID  *string        `json:"external_id"`
	Status      *string        `json:"status"`
	StartedAt   *time.Time     `json:"started_at"`
	Conclusion  *string        `json:"conclusion"`
	CompletedAt *time.Time     `json:"completed_at"`
	Output      *checkOutput   `json:"output"`
	Actions     *[]CheckAction `json:"actions"`
}

type checkOutput struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []Annotation `json:"annotations"`
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

func Set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}
