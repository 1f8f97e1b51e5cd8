package bottest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/port"
)

// checkRun is a check run of the app.
type checkRun struct {
	id   int64
	repo *repository
	port.Check
}

// The limits of check runs: texts and buttons count in characters.
const (
	maxCheckText   = 65535
	maxAnnotations = 500
)

// CreateCheck makes a check run on a commit.
func (g *GitHub) CreateCheck(ctx context.Context, ref port.RepoRef, c port.Check) (int64, error) {
	return do(ctx, g.faults, Call{Op: "CreateCheck", Text: c.Title, Write: true}, func() (int64, error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.checkable(ref, c)
		if err == nil {
			err = g.optionalWrite()
		}
		if err != nil {
			return 0, err
		}
		if c.Name == "" || r.git.objects[c.SHA] == nil {
			return 0, unprocessable("No commit found for SHA: %s", c.SHA)
		}
		run := &checkRun{repo: r, Check: port.Check{Status: "queued"}}
		if err := run.change(c); err != nil {
			return 0, err
		}
		run.SHA = c.SHA
		run.id = g.id("check")
		g.checks[run.id] = run
		g.wrote()
		return run.id, nil
	})
}

// UpdateCheck changes a check run; empty fields remain as they are.
func (g *GitHub) UpdateCheck(ctx context.Context, ref port.RepoRef, id int64, c port.Check) error {
	_, err := do(ctx, g.faults, Call{Op: "UpdateCheck", Text: c.Title, Write: true}, func() (none struct{}, err error) {
		g.mu.Lock()
		defer g.mu.Unlock()
		r, err := g.checkable(ref, c)
		if err != nil {
			return none, err
		}
		run := g.checks[id]
		if run == nil || run.repo != r {
			return none, notFound()
		}
		g.wrote()
		return none, run.change(c)
	})
	return err
}

// checkable finds the repository of a check run, and refuses a check run that GitHub would not take.
func (g *GitHub) checkable(ref port.RepoRef, c port.Check) (*repository, error) {
	if len(c.Buttons) > 3 {
		return nil, callerError("a check run takes 3 buttons at most")
	}
	for _, b := range c.Buttons {
		if utf8.RuneCountInString(b.Label) > 20 || utf8.RuneCountInString(b.Description) > 40 ||
			utf8.RuneCountInString(b.Verb) > 20 {
			return nil, callerError("the button %q is too long", b.Label)
		}
	}
	if c.Title == "" && (c.Summary != "" || c.Text != "" || len(c.Annotations) > 0) {
		return nil, callerError("a check run that shows something needs a title")
	}
	r, err := g.reach(ref, "checks:write")
	if err == nil {
		err = r.writable()
	}
	return r, err
}

// change takes over what a request says, or refuses all of it.
func (run *checkRun) change(c port.Check) error {
	now := run.Check
	if c.Conclusion != "" {
		c.Status = "completed"
	}
	for _, f := range []struct {
		to   *string
		from string
	}{{&now.Name, c.Name}, {&now.Run, c.Run}, {&now.Status, c.Status}, {&now.Conclusion, c.Conclusion},
		{&now.URL, c.URL}} {
		if f.from != "" {
			*f.to = f.from
		}
	}
	if c.Thread != 0 {
		now.Thread = c.Thread
	}
	if c.Title != "" { // they are replaced together
		now.Title, now.Summary, now.Text = clip(c.Title), clip(c.Summary), clip(c.Text)
		if now.Summary == "" {
			now.Summary = now.Title
		}
	}
	if c.Status != "" && c.Status != "completed" {
		now.Conclusion = ""
	}
	now.Annotations = append(slices.Clone(now.Annotations), c.Annotations[:min(len(c.Annotations), maxAnnotations)]...)
	if len(c.Buttons) > 0 {
		now.Buttons = c.Buttons
	}
	if err := valid(now); err != nil {
		return err
	}
	run.Check = now
	return nil
}

func valid(c port.Check) error {
	switch {
	case !slices.Contains([]string{"queued", "in_progress", "completed"}, c.Status):
		return unprocessable("CheckRun: status %q is invalid", c.Status)
	case c.Status == "completed" && !slices.Contains([]string{"success", "neutral", "failure", "cancelled"}, c.Conclusion):
		return unprocessable("CheckRun: conclusion %q is invalid", c.Conclusion)
	case c.URL != "" && !strings.HasPrefix(c.URL, "https://") && !strings.HasPrefix(c.URL, "http://"):
		return unprocessable("CheckRun: details_url must use http or https scheme")
	}
	for _, a := range c.Annotations {
		if a.Path == "" || a.Message == "" || !slices.Contains([]string{"notice", "warning", "failure"}, a.Level) {
			return unprocessable("CheckRun: the annotation of %s is invalid", a.Path)
		}
	}
	return nil
}

// clip cuts a text that is too long.
func clip(text string) string {
	if utf8.RuneCountInString(text) <= maxCheckText {
		return text
	}
	return string([]rune(text)[:maxCheckText-1]) + "…"
}

// CheckRun is a check run as everybody sees it.
type CheckRun struct {
	ID int64
	port.Check
}

// buttons lists the verbs of a check run's buttons.
func (c CheckRun) String() string {
	return fmt.Sprintf("%s on %.7s: %s %s, %s", c.Name, c.SHA, c.Status, c.Conclusion, c.Title)
}
