package gh_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

var checkStories = []story{
	{"a check run is made and changed", checkChanged},
	{"texts of a check run that are too long are cut", checkCut},
	{"a check run that GitHub does not take is refused for good", checkRefused},
}

func checkChanged(t *testing.T, s *stage) {
	ref, sha := s.Ref(lathe), s.BranchAt(lathe, "speed")
	id, err := s.App().CreateCheck(t.Context(), ref, port.Check{Name: "tenon", SHA: sha, Run: "abcdefghijkl", Thread: 7,
		Status: "queued",
		Title:  "Taken", Summary: "It waits.", Text: "More."})
	require.NoError(t, err)
	require.NotZero(t, id)
	require.NoError(t, s.App().UpdateCheck(t.Context(), ref, id, port.Check{Status: "in_progress", Title: "Working"}))
	list := s.CheckRuns(lathe)
	require.Len(t, list, 1)
	require.Equal(t, id, list[0].ID)
	require.Equal(t, port.Check{Name: "tenon", SHA: sha, Run: "abcdefghijkl", Thread: 7, Status: "in_progress",
		Title:   "Working",
		Summary: "Working"}, list[0].Check,
		"a title without a summary is both; what a request leaves out remains, but the text goes with it")

	many := make([]port.Annotation, 60)
	for i := range many {
		many[i] = port.Annotation{Path: "speed.txt", StartLine: 1, EndLine: 1, Level: "warning", Message: "x"}
	}
	require.NoError(t, s.App().UpdateCheck(t.Context(), ref, id, port.Check{Conclusion: "success", Title: "Done",
		Summary: "All.", URL: "https://x.example/y",
		Annotations: many, Buttons: []port.CheckButton{{Label: "Undo", Description: "Revert it", Verb: "undo"}}}))
	got := s.CheckRuns(lathe)[0]
	require.Equal(t, "completed", got.Status)
	require.Equal(t, "success", got.Conclusion)
	require.Equal(t, "Done", got.Title)
	require.Equal(t, "All.", got.Summary)
	require.Len(t, got.Annotations, 60)
	require.Equal(t, "undo", got.Buttons[0].Verb)
	require.NoError(t, s.App().UpdateCheck(t.Context(), ref, id, port.Check{Conclusion: "failure"}))
	got = s.CheckRuns(lathe)[0]
	require.Equal(t, "failure", got.Conclusion)
	require.Equal(t, "Done", got.Title)
	require.Len(t, got.Buttons, 1)
}

func checkCut(t *testing.T, s *stage) {
	text := strings.Repeat("é", 70_000)
	_, err := s.App().CreateCheck(t.Context(), s.Ref(lathe), port.Check{Name: "tenon", SHA: s.BranchAt(lathe, "speed"),
		Status: "queued",
		Title:  "Taken", Summary: text, Text: text})
	require.NoError(t, err)
	got := s.CheckRuns(lathe)[0]
	require.Equal(t, strings.Repeat("é", 65534)+"…", got.Summary)
	require.Equal(t, got.Summary, got.Text)
}

func checkRefused(t *testing.T, s *stage) {
	ref, sha := s.Ref(lathe), s.BranchAt(lathe, "speed")
	button := port.CheckButton{Label: "Undo", Description: "Revert it", Verb: "undo"}
	for what, spoil := range map[string]func(*port.Check){
		"no such commit": func(c *port.Check) { c.SHA = strings.Repeat("1", 40) },
		"no name":        func(c *port.Check) { c.Name = "" },
		"four buttons":   func(c *port.Check) { c.Buttons = []port.CheckButton{button, button, button, button} },
		"a long label": func(c *port.Check) {
			c.Buttons = []port.CheckButton{{Label: strings.Repeat("x", 21), Verb: "undo"}}
		},
		"a long verb": func(c *port.Check) { c.Buttons = []port.CheckButton{{Label: "x", Verb: strings.Repeat("x", 21)}} },
		"a long word": func(c *port.Check) {
			c.Buttons = []port.CheckButton{{Label: "x", Description: strings.Repeat("x", 41), Verb: "x"}}
		},
		"a bad status":     func(c *port.Check) { c.Status = "fine" },
		"a bad conclusion": func(c *port.Check) { c.Conclusion = "fine" },
		"no conclusion":    func(c *port.Check) { c.Status = "completed" },
		"an odd address":   func(c *port.Check) { c.URL = "javascript:x" },
		"no title":         func(c *port.Check) { c.Summary = "x" },
		"an odd remark": func(c *port.Check) {
			c.Title, c.Annotations = "x", []port.Annotation{{Path: "x", StartLine: 1, Level: "loud", Message: "x"}}
		},
	} {
		c := port.Check{Name: "tenon", SHA: sha}
		spoil(&c)
		_, err := s.App().CreateCheck(t.Context(), ref, c)
		require.Error(t, err, what)
		requirePermanent(t, err)
	}
	require.ErrorIs(t, s.App().UpdateCheck(t.Context(), ref, 77, port.Check{Status: "in_progress"}), port.ErrNotFound)
}
