package entity

import (
	"fmt"
	"regexp"
	"slices"
	"time"
	"unicode/utf8"
)

// CheckInput is the body of the requests that create and change a check run. Absent fields are not changed.
type CheckInput struct {
	Name        *string        `json:"name"`
	HeadSHA     *string        `json:"head_sha"`
	DetailsURL  *string        `json:"details_url"`
	ExternalID  *string        `json:"external_id"`
	Status      *string        `json:"status"`
	StartedAt   *time.Time     `json:"started_at"`
	Conclusion  *string        `json:"conclusion"`
	CompletedAt *time.Time     `json:"completed_at"`
	Output      *CheckOutput   `json:"output"`
	Actions     *[]CheckAction `json:"actions"`
}

// CheckOutput is the text that a check run shows, with its annotations; nil is absent.
type CheckOutput struct {
	Title       *string      `json:"title"`
	Summary     *string      `json:"summary"`
	Text        *string      `json:"text"`
	Annotations []Annotation `json:"annotations"`
}

// Annotation is a note of a check run on lines of a file, as the API takes it; nil is absent.
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

// CheckAction is a button of a check run, as the API takes it; nil is absent.
type CheckAction struct {
	Label       *string `json:"label"`
	Description *string `json:"description"`
	Identifier  *string `json:"identifier"`
}

// The limits of check runs, from GitHub's documentation of the operation "Create a check run".
const (
	maxCheckText         = 65535 // summary and text, in characters
	maxAnnotations       = 50    // "The Checks API limits the number of annotations to a maximum of 50 per API request."
	maxActions           = 3     // "A maximum of three actions are accepted."
	maxActionLabel       = 20
	maxActionDescription = 40
	maxActionIdentifier  = 20
	maxAnnotationText    = 64 << 10 // message and raw_details
	maxAnnotationTitle   = 255
)

var (
	checkStatuses = []string{"queued", "in_progress", "completed", "waiting", "requested", "pending"}
	// CheckConclusions are the conclusions that an App may give a check run.
	CheckConclusions = []string{"action_required", "cancelled", "failure", "neutral", "success", "skipped", "timed_out"}
	annotationLevels = []string{"notice", "warning", "failure"}
)

var webAddress = regexp.MustCompile(`^https?://[^/\s]+\S*$`)

// check returns an error unless the body keeps to GitHub's limits.
func (in CheckInput) check() error {
	switch {
	case in.Name != nil && IsBlank(*in.Name):
		return Invalid("CheckRun", "name", "missing_field", "")
	case in.Status != nil && !slices.Contains(checkStatuses, *in.Status):
		return Invalid("CheckRun", "status", "invalid", "")
	// "You cannot change a check run conclusion to stale, only GitHub can set this.".
	case in.Conclusion != nil && !slices.Contains(CheckConclusions, *in.Conclusion):
		return Invalid("CheckRun", "conclusion", "invalid", "")
	case in.DetailsURL != nil && !webAddress.MatchString(*in.DetailsURL):
		return Invalid("CheckRun", "details_url", "custom", "details_url must use http or https scheme")
	}
	if in.Output != nil {
		if err := in.Output.check(); err != nil {
			return err
		}
	}
	if in.Actions == nil {
		return nil
	}
	if len(*in.Actions) > maxActions {
		return Unprocessable("Invalid request.\n\nNo more than %d items are allowed; %d were supplied.", maxActions,
			len(*in.Actions))
	}
	for _, a := range *in.Actions {
		if err := a.check(); err != nil {
			return err
		}
	}
	return nil
}

func (o *CheckOutput) check() error {
	switch {
	case o.Title == nil:
		return NotSupplied("title")
	case o.Summary == nil:
		return NotSupplied("summary")
	case utf8.RuneCountInString(*o.Summary) > maxCheckText:
		return tooLong("summary", maxCheckText)
	case o.Text != nil && utf8.RuneCountInString(*o.Text) > maxCheckText:
		return tooLong("text", maxCheckText)
	case len(o.Annotations) > maxAnnotations:
		return Unprocessable("Invalid request.\n\nNo more than %d items are allowed; %d were supplied.", maxAnnotations,
			len(o.Annotations))
	}
	for _, a := range o.Annotations {
		if err := a.check(); err != nil {
			return err
		}
	}
	return nil
}

// check: "start_column and end_column: Annotations only support start_column and end_column on the same line."
func (a Annotation) check() error {
	switch {
	case a.Path == nil:
		return NotSupplied("path")
	case a.StartLine == nil:
		return NotSupplied("start_line")
	case a.EndLine == nil:
		return NotSupplied("end_line")
	case a.Message == nil:
		return NotSupplied("message")
	case !slices.Contains(annotationLevels, a.Level):
		return Invalid("CheckRun", "annotation_level", "invalid", "")
	case len(*a.Message) > maxAnnotationText:
		return tooLong("message", maxAnnotationText)
	case len(a.RawDetails) > maxAnnotationText:
		return tooLong("raw_details", maxAnnotationText)
	case utf8.RuneCountInString(a.Title) > maxAnnotationTitle:
		return tooLong("title", maxAnnotationTitle)
	case *a.StartLine > *a.EndLine:
		return Invalid("CheckRun", "end_line", "invalid", "")
	case *a.StartLine != *a.EndLine && (a.StartColumn != nil || a.EndColumn != nil):
		return Invalid("CheckRun", "start_column", "invalid", "")
	}
	return nil
}

func (a CheckAction) check() error {
	for _, f := range []struct {
		name  string
		value *string
		most  int
	}{{"label", a.Label, maxActionLabel}, {"description", a.Description, maxActionDescription},
		{"identifier", a.Identifier, maxActionIdentifier}} {
		switch {
		case f.value == nil:
			return NotSupplied(f.name)
		case utf8.RuneCountInString(*f.value) > f.most:
			return tooLong(f.name, f.most)
		}
	}
	return nil
}

func tooLong(field string, most int) error {
	return Invalid("CheckRun", field, "custom", fmt.Sprintf("%s is too long (maximum is %d characters)", field, most))
}
