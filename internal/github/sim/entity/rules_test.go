package entity

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

// p returns a pointer to a value.
func p[T any](v T) *T { return &v }

// The limits of "Create a check run": 65,535 characters, 50 annotations a request, three actions of 20, 40 and 20. They
// count characters, those of messages bytes.
func TestTheLimitsOfACheckRun(t *testing.T) {
	t.Parallel()
	note := func(change func(*Annotation)) CheckInput {
		a := Annotation{Path: p("a"), StartLine: p(1), EndLine: p(1), Level: "notice", Message: p("m")}
		change(&a)
		return CheckInput{Output: &CheckOutput{Title: p("t"), Summary: p("s"), Annotations: []Annotation{a}}}
	}
	output := func(change func(*CheckOutput)) CheckInput {
		o := CheckOutput{Title: p("t"), Summary: p("s")}
		change(&o)
		return CheckInput{Output: &o}
	}
	button := func(label, description, id int) CheckInput {
		text := func(n int) *string { return p(strings.Repeat("é", n)) }
		return CheckInput{Actions: &[]CheckAction{{text(label), text(description), text(id)}}}
	}
	long := func(n int) *string { return p(strings.Repeat("é", n)) }
	for name, c := range map[string]struct {
		in  CheckInput
		why string // "" if it is allowed
	}{
		"nothing":           {CheckInput{}, ""},
		"blank name":        {CheckInput{Name: p(" ")}, "name"},
		"status":            {CheckInput{Status: p("waiting")}, ""},
		"other status":      {CheckInput{Status: p("done")}, "status"},
		"stale":             {CheckInput{Conclusion: p("stale")}, "conclusion"},
		"no conclusion":     {CheckInput{Status: p("completed")}, `"conclusion"`},
		"address":           {CheckInput{DetailsURL: p("javascript:alert(1)")}, "details_url must use http or https"},
		"no title":          {output(func(o *CheckOutput) { o.Title = nil }), `"title"`},
		"no summary":        {output(func(o *CheckOutput) { o.Summary = nil }), `"summary"`},
		"summary":           {output(func(o *CheckOutput) { o.Summary = long(65535) }), ""},
		"long summary":      {output(func(o *CheckOutput) { o.Summary = long(65536) }), "maximum is 65535"},
		"text":              {output(func(o *CheckOutput) { o.Text = long(65535) }), ""},
		"long text":         {output(func(o *CheckOutput) { o.Text = long(65536) }), "maximum is 65535"},
		"51 annotations":    {output(func(o *CheckOutput) { o.Annotations = make([]Annotation, 51) }), "No more than 50"},
		"no path":           {note(func(a *Annotation) { a.Path = nil }), `"path"`},
		"no start":          {note(func(a *Annotation) { a.StartLine = nil }), `"start_line"`},
		"no end":            {note(func(a *Annotation) { a.EndLine = nil }), `"end_line"`},
		"no message":        {note(func(a *Annotation) { a.Message = nil }), `"message"`},
		"level":             {note(func(a *Annotation) { a.Level = "error" }), "annotation_level"},
		"message":           {note(func(a *Annotation) { a.Message = long(32 << 10) }), ""},
		"long message":      {note(func(a *Annotation) { a.Message = long(32<<10 + 1) }), "message is too long"},
		"long details":      {note(func(a *Annotation) { a.RawDetails = *long(32<<10 + 1) }), "raw_details is too long"},
		"note's title":      {note(func(a *Annotation) { a.Title = *long(255) }), ""},
		"long note's title": {note(func(a *Annotation) { a.Title = *long(256) }), "title is too long"},
		"reversed":          {note(func(a *Annotation) { a.StartLine = p(2) }), "end_line"},
		"column":            {note(func(a *Annotation) { a.StartColumn, a.EndColumn = p(1), p(2) }), ""},
		"column of lines":   {note(func(a *Annotation) { a.EndLine, a.EndColumn = p(2), p(2) }), "start_column"},
		"button":            {button(20, 40, 20), ""},
		"label":             {button(21, 40, 20), "label is too long"},
		"description":       {button(20, 41, 20), "description is too long"},
		"identifier":        {button(20, 40, 21), "identifier is too long"},
		"no identifier":     {CheckInput{Actions: &[]CheckAction{{Label: p("l"), Description: p("d")}}}, `"identifier"`},
		"4 buttons":         {CheckInput{Actions: &[]CheckAction{{}, {}, {}, {}}}, "No more than 3"},
	} {
		err := (&CheckRun{}).Change(c.in, time.Time{})
		if c.why == "" {
			require.NoError(t, err, name)
			continue
		}
		require.ErrorContains(t, err, c.why, name)
		require.ErrorContains(t, err, "422 ", name)
	}
}

// A conclusion completes a run, and another status takes it back.
func TestHowACheckRunChanges(t *testing.T) {
	t.Parallel()
	now, other := time.Unix(100, 0), time.Unix(50, 0)
	run := &CheckRun{Name: "test", Status: "queued"}
	note := []Annotation{{Path: p("a"), StartLine: p(1), EndLine: p(1), Level: "notice", Message: p("m")}}
	for i, c := range []struct {
		in                 CheckInput
		status, conclusion string
		completed          *time.Time
		notes              int
	}{
		{CheckInput{Status: p("in_progress")}, "in_progress", "", nil, 0},
		{CheckInput{CompletedAt: &other}, "in_progress", "", nil, 0},
		{CheckInput{Conclusion: p("failure"), Output: &CheckOutput{Title: p("t"), Summary: p("s"), Annotations: note}},
			"completed", "failure", &now, 1},
		{CheckInput{CompletedAt: &other, Output: &CheckOutput{Title: p("u"), Summary: p("s"), Annotations: note}},
			"completed", "failure", &other, 2},
		{CheckInput{Status: p("queued")}, "queued", "", nil, 2},
		{CheckInput{Conclusion: p("success"), Status: p("queued"), CompletedAt: &other}, "completed", "success", &other, 2},
	} {
		require.NoError(t, run.Change(c.in, now), i)
		require.Equal(t, []any{c.status, c.conclusion, c.completed, c.notes},
			[]any{run.Status, run.Conclusion, run.Completed, len(run.Annotations)}, i)
	}
	require.Equal(t, "u", run.Title)
	app := &Integration{Slug: ActionsApp}
	for _, c := range []struct {
		suite CheckSuite
		own   bool
	}{{CheckSuite{}, true}, {CheckSuite{App: app}, true}, {CheckSuite{App: app, Run: &WorkflowRun{}}, false},
		{CheckSuite{App: &Integration{Slug: "lint"}}, false}} {
		require.Equal(t, c.own, (&CheckRun{Suite: &c.suite}).IsOwn())
	}
}

// The diff has a hunk at lines 1 to 3, where line 2 replaces another, and one at line 9.
func TestTheLinesOfAReviewComment(t *testing.T) {
	t.Parallel()
	f := &git.FileDiff{Lines: []git.Line{{Text: "@@ -1,3 +1,3 @@"}, {Text: " 1", Left: 1, Right: 1}, {Text: "-2", Left: 2},
		{Text: "+two", Right: 2}, {Text: " 3", Left: 3, Right: 3}, {Text: "@@ -9 +9,2 @@", Hunk: 1},
		{Text: "+9", Hunk: 1, Right: 9}}}
	for _, c := range []struct {
		in          NewReviewComment
		side        string
		line, start int
		position    int
		why         string
	}{
		{NewReviewComment{Line: p(2)}, "RIGHT", 2, 0, 3, ""},
		{NewReviewComment{Line: p(2), Side: "LEFT"}, "LEFT", 2, 0, 2, ""},
		{NewReviewComment{Line: p(3), StartLine: p(2), StartSide: "LEFT"}, "RIGHT", 3, 2, 4, ""},
		{NewReviewComment{Line: p(9)}, "RIGHT", 9, 0, 1, ""}, {NewReviewComment{Position: p(2)}, "LEFT", 2, 0, 2, ""},
		{NewReviewComment{Position: p(3)}, "RIGHT", 2, 0, 3, ""}, {NewReviewComment{Position: p(6)}, "RIGHT", 9, 0, 1, ""},
		{NewReviewComment{Position: p(0)}, "", 0, 0, 0, "position is invalid"},
		{NewReviewComment{Position: p(7)}, "", 0, 0, 0, "position is invalid"}, {NewReviewComment{}, "", 0, 0, 0, `"line"`},
		{NewReviewComment{Line: p(1), Side: "UP"}, "", 0, 0, 0, "side"},
		{NewReviewComment{Line: p(4)}, "", 0, 0, 0, "must be part of the diff"},
		{NewReviewComment{Line: p(9), StartLine: p(3)}, "", 0, 0, 0, "same hunk"},
		{NewReviewComment{Line: p(2), StartLine: p(2)}, "", 0, 0, 0, "must precede"},
	} {
		rc := &ReviewComment{Side: OrElse(c.in.Side, "RIGHT")}
		if err := rc.PutOn(f, c.in); c.why != "" {
			require.ErrorContains(t, err, c.why)
			continue
		}
		require.Equal(t, []any{c.side, c.line, c.start, c.position}, []any{rc.Side, rc.Line, rc.Start, rc.Position()})
	}
	first := &ReviewComment{ID: 5, Body: "a", Hunk: "x\ny", Reactions: []*Reaction{{}}, Thread: &ReviewThread{}}
	require.Zero(t, first.Position(), "it is outdated")
	reply := first.ReplyWith("b")
	require.Equal(t, []any{int64(5), "b", 0}, []any{reply.ReplyTo, reply.Body, len(reply.Reactions)})
	pull := &Pull{Comments: []*ReviewComment{first, {Thread: &ReviewThread{}}, reply}}
	require.Len(t, pull.Threads(), 2)
	require.Equal(t, []*ReviewComment{first, reply}, pull.Threads()[0])
}

func TestWhichReviewsAreRefused(t *testing.T) {
	t.Parallel()
	author, other := &User{}, &User{Login: "other"}
	for _, c := range []struct {
		by                *User
		event, body, says string
	}{
		{other, "APPROVE", "", ""}, {other, "REQUEST_CHANGES", "x", ""}, {author, "COMMENT", "x", ""}, {author, "", "", ""},
		{author, "APPROVE", "", "approve your own"}, {author, "REQUEST_CHANGES", "x", "changes on your own"},
		{other, "COMMENT", " ", "Could not comment"}, {other, "REQUEST_CHANGES", "", "Could not request changes"},
		{other, "PRAISE", "x", "invalid value"}, {other, "APPROVE", strings.Repeat("x", MaxText+1), "too long"},
	} {
		rv := &Review{Issue: &Issue{User: author}, User: c.by, State: ReviewPending}
		if err := rv.Check(c.event, c.body); c.says != "" {
			require.ErrorContains(t, err, c.says)
		} else {
			require.NoError(t, err)
		}
	}
}

func TestWhatAppsAndIssuesHave(t *testing.T) {
	t.Parallel()
	app := &App{Callbacks: []string{"https://a.example/auth", "https://b.example/"}}
	for url, is := range map[string]bool{"https://a.example/auth": true, "https://a.example/auth/x": true,
		"https://a.example/authx": false, "https://b.example/x": true, "https://b.example.evil/": false, "": false} {
		require.Equal(t, is, app.CallsBack(url), url)
	}
	is := &Issue{Labels: []*Label{{Name: "Bug"}, {Name: "ui"}}}
	for names, has := range map[string]bool{"": true, "bug": true, "UI,bug": true, "bug,docs": false} {
		require.Equal(t, has, is.HasLabels(names), names)
	}
	require.Equal(t, Object{"message": "No", "documentation_url": "https://docs.github.com/rest", "status": "403"},
		Refuse(403, "No").Body())
	require.Contains(t, Invalid("Issue", "title", "custom", "x").Body()["errors"],
		Object{"resource": "Issue", "field": "title", "code": "custom", "message": "x"})
}
