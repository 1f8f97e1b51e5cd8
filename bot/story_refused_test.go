package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// refusals are GitHub's refusals of a commit, as the adapters return them, with the reason in the answer.
var refusals = map[string]struct {
	err  error
	says string
	// quoted means that the answer has GitHub's words.
	quoted bool
}{
	"a protected branch": {&port.RejectedError{Branch: "speed",
		Text: "error: GH006: Protected branch update failed for refs/heads/speed."}, byRule, true},
	"a ruleset": {&port.RejectedError{Branch: "speed",
		Text: "Repository rule violations found\n\nChanges must be made through a pull request."}, byRule, true},
	"push protection": {&port.RejectedError{Branch: "speed",
		Text: "error: GH013: Repository rule violations found for refs/heads/speed.\n- Push cannot contain secrets"},
		byRule, true},
	"a hook": {&port.RejectedError{Branch: "speed", Text: "pre-receive hook declined"}, byRule, true},
	"a locked branch": {&port.RejectedError{Branch: "speed", Text: "This branch is locked and is read-only."},
		byRule, true},
	"a large file": {&port.RejectedError{Branch: "speed", Text: "error: GH001: Large files detected."}, byRule, true},
	"rights that were taken back": {fmt.Errorf("GitHub answered 403: Resource not accessible by integration: %w",
		port.ErrDenied), "GitHub does not let this app write to the repository", false},
	"an archived repository": {fmt.Errorf("GitHub answered 403: Repository was archived so is read-only: %w",
		port.ErrDenied), "GitHub does not let this app write to the repository", false},
	"a tree that GitHub does not make": {bottest.Permanent("tree.path contains a malformed path component"),
		"GitHub did not take the commit", false},
}

const byRule = "a rule or protection of the branch keeps this app from writing to it"

// Whatever GitHub refuses a commit for, the answer has the diff, the patch and suggestions. The model is asked once.
func TestARefusedCommitLosesNothing(t *testing.T) {
	t.Parallel()
	for name, refusal := range refusals {
		for commits, op := range map[string]string{"verified": "Upload", "push": "Commit"} {
			t.Run(name+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, faster)
				s.settings("commits: " + commits + "\n")
				s.Before(op).Every().Fail(refusal.err)
				got := s.say("/tenon fix `speed.txt`")
				require.Contains(t, strings.ToLower(got.answer), strings.ToLower(refusal.says))
				s.requireKept(got.answer, true)
				require.Len(t, s.Model.Questions(), 1)
				require.Empty(t, s.Queue.DeadLetters())
				require.Equal(t, refusal.quoted, strings.Contains(got.answer, "GitHub says:"))
			})
		}
	}
}

// The branch for an issue has no diff for suggestions.
func TestARefusedBranchOfAnIssueLosesNothing(t *testing.T) {
	t.Parallel()
	for name, refusal := range refusals {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("main.go", helloLine, byeLine))
			s.pull = s.Repo.OpenIssue("maria", "Goodbye", "Say goodbye in `main.go`.")
			s.Before("Upload").Every().Fail(refusal.err)
			got := s.say("/tenon fix")
			require.Contains(t, strings.ToLower(got.answer), strings.ToLower(refusal.says))
			require.Contains(t, got.answer, "--- a/main.go\n+++ b/main.go\n@@ ", "the patch")
			require.Equal(t, 2, strings.Count(got.answer, "+"+byeLine), "the diff besides")
			require.Empty(t, s.Queue.DeadLetters())
		})
	}
}

// A fork that is gone when the model has written takes no commit, and the answer has the patch.
func TestAForkThatIsDeletedMeanwhileLosesNothing(t *testing.T) {
	t.Parallel()
	for _, moment := range []string{"Complete", "Commit"} {
		t.Run("before "+moment, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, forkReply)
			fork := s.fromFork("stranger")
			s.Before(moment).Do(fork.Delete)
			got := s.say("/tenon fix `theirs.txt`")
			require.Contains(t, got.answer, "the fork that this pull request comes from was deleted")
			require.Contains(t, got.answer, "-two\n+2\n", "the patch")
			require.Empty(t, s.Queue.DeadLetters())
			require.Len(t, s.Model.Questions(), 1)
		})
	}
}
