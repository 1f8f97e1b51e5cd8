package bot_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// The commit that passed is on the scratch branch alone, which goes with the run.
func TestABranchThatRefusesTestedEditsHasNoCommit(t *testing.T) {
	t.Parallel()
	for name, refuse := range map[string]func(s *story){
		"protected": func(s *story) { s.Repo.Protect("speed", "Reviews are needed.") },
		"rejected":  func(s *story) { s.Before("MoveBranch").Fail(&port.RejectedError{Text: "Reviews are needed."}) },
		"denied":    func(s *story) { s.Before("MoveBranch").Fail(port.ErrDenied) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.verifying(passes)
			refuse(s)
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "confused", got.verdict)
			require.Contains(t, got.answer, "❌ **Nothing committed:** ")
			require.Contains(t, got.answer, "\n+\tprintln(\"goodbye\")")
			require.NotContains(t, got.answer, "tested by")
			require.Empty(t, s.Commits("speed"))
			require.Empty(t, s.scratch())
			require.Empty(t, s.Calls("Follow"))
		})
	}
}

// What is committed without a test, where none is possible, is not what followed a test that failed.
func TestFurtherEditsThatCannotBeTestedAreNotCommitted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		second func(*bottest.CI)
		plant  func(s *story)
		says   string
	}{
		"not started": {
			passes, func(s *story) { s.Before("StartWorkflow").Nth(2).Fail(errors.New("500")) }, "GitHub failed to start it",
		},
		"skipped": {
			func(ci *bottest.CI) { ci.Ends("test", "skipped") }, func(*story) {}, "its run ended as `skipped`",
		},
		"no result": {func(*bottest.CI) {}, func(*story) {}, "it had no result within an hour"},
		"not started where the branch moved": {
			passes, func(s *story) {
				s.Before("StartWorkflow").Nth(2).Do(func() { s.push(map[string]string{"other.go": "package main\n"}) })
				s.Before("StartWorkflow").Nth(3).Fail(errors.New("500"))
			}, "GitHub failed to start it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye, farewell)
			s.verifying(fails, c.second, passes)
			c.plant(s)
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "confused", got.verdict, got.answer)
			require.Contains(t, got.answer, "❌ **Nothing committed:** the workflow that tests edits failed · ")
			require.Contains(t, got.answer, "\n`verify.yml` did not test the edits that followed: "+c.says+".")
			require.Contains(t, got.answer, "farewell")
			require.NotContains(t, s.File("speed", "main.go"), "goodbye")
			require.Empty(t, s.scratch())
		})
	}
}

// The preview shows the result of the edit. The comment that says that the run waits says so too.
func TestATickedEditThatWasTestedLeavesNobodyWaiting(t *testing.T) {
	t.Parallel()
	s := newStory(t, threeEdits)
	preview := s.preview(previewThree)
	s.verifying(passes, fails, passes)
	for _, n := range []int{1, 2, 3} {
		s.tick("maria", preview, n)
		s.Run()
	}
	s.RunFor(2 * time.Hour)
	require.Len(t, s.Commits("speed"), 2)
	require.Empty(t, s.scratch())
	for n, c := range s.pull.Said() {
		require.NotContains(t, c.Body(), "**Waiting**")
		if n > 0 {
			require.Regexp(t, "tested by|workflow that tests edits failed", c.Body())
			require.Equal(t, 1, strings.Count(c.Body(), "<!-- tenon:run="))
		}
	}
}
