package bot_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// Whatever keeps the workflow from testing the edits, they are committed without, and the answer says so.
func TestWithoutATestEditsAreCommittedWithASentence(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant func(s *story)
		says  string
	}{
		"no permission": {
			func(s *story) { s.GitHub.Grant("acme", bottest.Permissions()) },
			"this app may not start workflows here, as it does not have the permission `actions: write`. " + sentence.HowToGrant,
		},
		"no workflow": {
			func(s *story) { s.settings("verify: other.yml\n") },
			"the default branch has no such file in `.github/workflows`",
		},
		"no trigger": {
			func(s *story) { s.push(map[string]string{".github/workflows/verify.yml": "on: push\n"}) },
			"GitHub did not start it: Workflow does not have '`workflow_dispatch`' trigger",
		},
		"a refused branch": {
			func(s *story) {
				s.Before("Upload").Of("tenon/verify-").Fail(&port.RejectedError{Text: "No such names."})
			},
			"GitHub did not accept the branch `tenon/verify-",
		},
		"GitHub fails to start it": {
			func(s *story) { s.Before("StartWorkflow").Fail(errors.New("500")) }, "GitHub failed to start it",
		},
		"its result is not read": {
			func(s *story) { s.Before("WorkflowRun").Fail(errors.New("what?")) }, "its result could not be read",
		},
		"its jobs are skipped": {
			func(s *story) {
				s.verifying(func(ci *bottest.CI) { ci.Ends("test", "skipped").Ends("lint", "skipped") })
			},
			"its run ended as `skipped`.",
		},
		"it is neutral": {
			func(s *story) { s.verifying(func(ci *bottest.CI) { ci.Ends("test", "neutral") }) },
			"its run ended as `neutral`.",
		},
		"it cannot start": {
			func(s *story) { s.verifying(func(ci *bottest.CI) { ci.Ends("test", "startup_failure") }) },
			"its run ended as `startup_failure`.",
		},
		"no result": {func(s *story) { s.verifying() }, "it had no result within an hour"},
		"Actions is away": {
			func(s *story) { s.Before("StartWorkflow").Every().Fail(bottest.Retryable(5 * time.Minute)) },
			"GitHub failed to start it",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye)
			s.verifying()
			c.plant(s)
			got := s.say("/tenon fix `main.go`")
			require.Equal(t, "rocket", got.verdict)
			require.Contains(t, got.answer, "yml` did not test the edits before they were committed: "+c.says)
			require.NotContains(t, got.answer, "tested by")
			require.Contains(t, s.File("speed", "main.go"), "goodbye")
			require.Len(t, s.Commits("speed"), 1)
			require.Len(t, s.Model.Questions(), 1)
			require.Empty(t, s.scratch())
			require.Empty(t, s.Queue.DeadLetters())
		})
	}
}
