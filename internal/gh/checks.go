package gh

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// The limits of check runs, from GitHub's documentation of the operation "Create a check run". Texts count in characters.
const (
	maxCheckText         = 65535
	maxTurn              = 50 // "The Checks API limits the number of annotations to a maximum of 50 per API request."
	maxAnnotationText    = 64 << 10
	maxAnnotationTitle   = 255
	maxButtons           = 3
	maxButtonLabel       = 20
	maxButtonDescription = 40
	maxButtonVerb        = 20
)

// maxAnnotations is ours: ten requests full.
const maxAnnotations = 500

// checkRun is what GitHub takes of a check run. go-github's own types send a name that is empty.
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

// CreateCheck makes a check run on a commit and returns its id, also when only a later turn of its annotations fails.
// bot.ErrDenied: the installation has not accepted the permission. Texts that are too long are cut, of the annotations the first
// 500 go out, and buttons beyond GitHub's limits are an error before anything is sent.
func (c *Client) CreateCheck(ctx context.Context, repo port.RepoRef, check port.Check) (int64, error) {
	turns, err := turnsOf(check)
	if err != nil {
		return 0, err
	}
	api, err := c.as(repo, checking)
	if err != nil {
		return 0, err
	}
	var made github.CheckRun
	if err := call(ctx, api, http.MethodPost, fmt.Sprintf("repos/%s/check-runs", repo), turns[0], &made); err != nil {
		return 0, c.explain(err, "making a check run in %s", repo)
	}
	return made.GetID(), c.updateCheck(ctx, api, repo, made.GetID(), turns[1:])
}

// UpdateCheck changes a check run, as CreateCheck makes one; empty fields stay as they are, but a title without a summary is both.
// Annotations are added to those that are there. Without a conclusion it is progress, and as little worth a wait as that (see
// Progress).
func (c *Client) UpdateCheck(ctx context.Context, repo port.RepoRef, id int64, check port.Check) error {
	check.SHA = "" // it cannot change
	turns, err := turnsOf(check)
	if err != nil {
		return err
	}
	of := halfContent
	if check.Conclusion != "" {
		of = allContent
	}
	api, err := c.sharing(repo, checking, of)
	if err != nil {
		return err
	}
	return c.updateCheck(ctx, api, repo, id, turns)
}

func (c *Client) updateCheck(ctx context.Context, api *github.Client, repo port.RepoRef, id int64, turns []checkRun) error {
	for _, turn := range turns {
		if err := call(ctx, api, http.MethodPatch, fmt.Sprintf("repos/%s/check-runs/%d", repo, id), turn, nil); err != nil {
			return c.explain(err, "changing check run %d of %s", id, repo)
		}
	}
	return nil
}

// turnsOf are the requests that a check needs: all but the annotations goes out with the first.
func turnsOf(check port.Check) ([]checkRun, error) {
	first := checkRun{Name: check.Name, HeadSHA: check.SHA, Status: check.Status, Conclusion: check.Conclusion, DetailsURL: check.URL}
	if check.Run != "" {
		first.ExternalID = fmt.Sprintf("%s/%d", check.Run, check.Thread)
	}
	var err error
	if first.Actions, err = buttons(check.Buttons); err != nil {
		return nil, err
	}
	notes := annotations(check.Annotations)
	first.Output, err = output(check, notes[:min(maxTurn, len(notes))])
	turns := []checkRun{first}
	for from := maxTurn; from < len(notes) && err == nil; from += maxTurn {
		var next checkRun
		next.Output, err = output(check, notes[from:min(from+maxTurn, len(notes))])
		turns = append(turns, next)
	}
	return turns, err
}

// output is nil when there is nothing to show. Where there is, GitHub wants a title and a summary.
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
	out := &github.CheckRunOutput{Title: cut(check.Title, maxCheckText), Summary: cut(summary, maxCheckText), Annotations: notes}
	if check.Text != "" {
		out.Text = cut(check.Text, maxCheckText)
	}
	return out, nil
}

func annotations(list []port.Annotation) []*github.CheckRunAnnotation {
	var out []*github.CheckRunAnnotation
	for _, a := range list[:min(maxAnnotations, len(list))] {
		note := &github.CheckRunAnnotation{Path: &a.Path, StartLine: &a.StartLine, EndLine: github.Int(max(a.StartLine, a.EndLine)),
			AnnotationLevel: &a.Level, Message: cutBytes(a.Message, maxAnnotationText)}
		if a.Title != "" {
			note.Title = cut(a.Title, maxAnnotationTitle)
		}
		out = append(out, note)
	}
	return out
}

func buttons(list []port.CheckButton) ([]*github.CheckRunAction, error) {
	if len(list) > maxButtons {
		return nil, callerError(fmt.Sprintf("a check run takes %d buttons at most", maxButtons))
	}
	var out []*github.CheckRunAction
	for _, b := range list {
		if tooLong(b.Label, maxButtonLabel) || tooLong(b.Description, maxButtonDescription) || tooLong(b.Verb, maxButtonVerb) {
			return nil, callerError(fmt.Sprintf("the button %q of a check run is too long: its label may have %d characters, its description %d and its verb %d",
				b.Label, maxButtonLabel, maxButtonDescription, maxButtonVerb))
		}
		out = append(out, &github.CheckRunAction{Label: b.Label, Description: b.Description, Identifier: b.Verb})
	}
	return out, nil
}

func tooLong(s string, most int) bool { return utf8.RuneCountInString(s) > most }

// cut ends a text that is too long with an ellipsis.
func cut(s string, most int) *string {
	if !tooLong(s, most) {
		return &s
	}
	short := string([]rune(s)[:most-1]) + "…"
	return &short
}

// cutBytes is cut where GitHub counts bytes.
func cutBytes(s string, most int) *string {
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most-len("…")], "") + "…"
	}
	return &s
}
