package gh

import (
	"context"
	"fmt"
	"net/http"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// The limits of check runs, from GitHub's documentation of "Create a check run". Lengths of texts are in characters.
const (
	maxCheckText          = 65535
	annotationsPerRequest = 50 // "The Checks API limits the number of annotations to a maximum of 50 per API request."
	maxAnnotationText     = 64 << 10
	maxAnnotationTitle    = 255
	maxButtons            = 3
	maxButtonLabel        = 20
	maxButtonDescription  = 40
	maxButtonVerb         = 20
)

// maxAnnotations is a limit of this package: those of ten requests.
const maxAnnotations = 500

// checkRun has the fields of a check run that are sent. go-github's types send an empty name.
type checkRun struct {
	Name       string                   `json:"name,omitempty"`
	HeadSHA    string                   `json:"head_sha,omitempty"`
	ExternalID string                   `json:"external_id,omitempty"`
	Status     string                   `json:"status,omitempty"`
	Conclusion string                   `json:"conclusion,omitempty"`
	DetailsURL string                   `json:"details_url,omitempty"`
	Output     *github.CheckRunOutput   `json:"output,omitempty"`
	Actions    []*github.CheckRunAction `json:"actions,omitempty"`
}

// CreateCheck creates a check run on a commit and returns its id, also when a later request with more annotations
// fails. It returns port.ErrDenied if the installation has not accepted the permission. Texts that are too long are
// cut, and the first 500 annotations are sent. For buttons beyond GitHub's limits it returns an error and sends
// nothing. It does not wait for GitHub's limits, like Progress.
func (c *Client) CreateCheck(ctx context.Context, repo port.RepoRef, check port.Check) (int64, error) {
	requests, err := checkRequests(check)
	if err != nil {
		return 0, err
	}
	api, err := c.forRepo(repo, checking)
	if err != nil {
		return 0, err
	}
	var made github.CheckRun
	if err := call(ctx, api, http.MethodPost, fmt.Sprintf("repos/%s/check-runs", repo), requests[0], &made); err != nil {
		return 0, c.explain(err, "making a check run in %s", repo)
	}
	return made.GetID(), c.updateCheck(ctx, api, repo, made.GetID(), requests[1:])
}

// UpdateCheck changes a check run, with the limits of CreateCheck. Empty fields are not changed; a title without a
// summary is also the summary. Annotations are added to the existing ones. With a conclusion, it waits for GitHub's
// limits, because a check run that is not completed seems to be in progress for ever.
func (c *Client) UpdateCheck(ctx context.Context, repo port.RepoRef, id int64, check port.Check) error {
	check.SHA = "" // it cannot change
	requests, err := checkRequests(check)
	if err != nil {
		return err
	}
	of := optional
	if check.Conclusion != "" {
		of = result
	}
	api, err := c.forRepoInClass(repo, checking, of)
	if err != nil {
		return err
	}
	return c.updateCheck(ctx, api, repo, id, requests)
}

func (c *Client) updateCheck(ctx context.Context, api *github.Client, repo port.RepoRef, id int64,
	requests []checkRun) error {
	for _, request := range requests {
		path := fmt.Sprintf("repos/%s/check-runs/%d", repo, id)
		sending := ctx
		if request.Output != nil && len(request.Output.Annotations) > 0 { // they are added, so that twice is once too often
			sending = sentOnce(ctx)
		}
		if err := call(sending, api, http.MethodPatch, path, request, nil); err != nil {
			return c.explain(err, "changing check run %d of %s", id, repo)
		}
	}
	return nil
}

// checkRequests returns the requests for a check: the first has everything but further annotations.
func checkRequests(check port.Check) ([]checkRun, error) {
	first := checkRun{
		Name: check.Name, HeadSHA: check.SHA, Status: check.Status, Conclusion: check.Conclusion, DetailsURL: check.URL,
	}
	if check.Run != "" {
		first.ExternalID = fmt.Sprintf("%s/%d", check.Run, check.Thread)
	}
	var err error
	if first.Actions, err = buttons(check.Buttons); err != nil {
		return nil, err
	}
	notes := annotations(check.Annotations)
	first.Output, err = output(check, notes[:min(annotationsPerRequest, len(notes))])
	requests := []checkRun{first}
	for from := annotationsPerRequest; from < len(notes) && err == nil; from += annotationsPerRequest {
		var next checkRun
		next.Output, err = output(check, notes[from:min(from+annotationsPerRequest, len(notes))])
		requests = append(requests, next)
	}
	return requests, err
}

// output returns nil when there is nothing to show. Otherwise GitHub requires a title and a summary.
func output(check port.Check, notes []*github.CheckRunAnnotation) (*github.CheckRunOutput, error) {
	if check.Title == "" && check.Summary == "" && check.Text == "" && len(notes) == 0 {
		return nil, nil
	}
	if check.Title == "" {
		return nil, callerError("a check run that shows something needs a title")
	}
	summary := check.Summary
	if summary == "" {
		summary = check.Title
	}
	out := &github.CheckRunOutput{
		Title: cut(check.Title, maxCheckText), Summary: cut(summary, maxCheckText), Annotations: notes,
	}
	if check.Text != "" {
		out.Text = cut(check.Text, maxCheckText)
	}
	return out, nil
}

func annotations(list []port.Annotation) []*github.CheckRunAnnotation {
	var out []*github.CheckRunAnnotation
	for _, a := range list[:min(maxAnnotations, len(list))] {
		note := &github.CheckRunAnnotation{
			Path: &a.Path, StartLine: &a.StartLine, EndLine: github.Int(max(a.StartLine, a.EndLine)),
			AnnotationLevel: &a.Level, Message: cutBytes(a.Message, maxAnnotationText),
		}
		if a.Title != "" {
			note.Title = cut(a.Title, maxAnnotationTitle)
		}
		out = append(out, note)
	}
	return out
}

func buttons(list []port.CheckButton) ([]*github.CheckRunAction, error) {
	if len(list) > maxButtons {
		return nil, callerError(fmt.Sprintf("a check run has at most %d buttons", maxButtons))
	}
	var out []*github.CheckRunAction
	for _, b := range list {
		if tooLong(b.Label, maxButtonLabel) || tooLong(b.Description, maxButtonDescription) ||
			tooLong(b.Verb, maxButtonVerb) {
			return nil, callerError(fmt.Sprintf("the button %q of a check run is too long: "+
				"its label may have %d characters, its description %d and its verb %d", b.Label, maxButtonLabel,
				maxButtonDescription, maxButtonVerb))
		}
		out = append(out, &github.CheckRunAction{Label: b.Label, Description: b.Description, Identifier: b.Verb})
	}
	return out, nil
}

func tooLong(s string, most int) bool { return utf8.RuneCountInString(s) > most }

// cut cuts a text to a number of characters, with an ellipsis at the end.
func cut(s string, most int) *string {
	if !tooLong(s, most) {
		return &s
	}
	short := string([]rune(s)[:most-1]) + "…"
	return &short
}
