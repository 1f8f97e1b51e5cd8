package bot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What keeps edits from a branch loses none of them: the answer says what it was, and has their diff, the patch, and,
// where people can still take them one by one, suggestions.

// barrier is something that keeps edits from the branch.
type barrier struct {
	// plant sets it up, before the command is given by victor.
	plant func(s *story)
	// says is the reason in the answer.
	says string
	// suggested means that there are suggestions.
	suggested bool
}

// rejected has the branch take no commits.
func rejected(why string) func(s *story) {
	return func(s *story) { s.Repo.Protect("speed", why) }
}

// later has something happen before GitHub is asked again, which is when nothing but the commit is left to do.
func later(act func(s *story)) func(s *story) {
	return func(s *story) { s.After("Record").Of("apply.1").Do(func() { act(s) }) }
}

var barriers = map[string]barrier{
	"branch protection": {rejected("Protected branch update failed for refs/heads/speed."),
		"a rule or protection of the branch keeps this app from writing to it", true},
	"a ruleset": {rejected("Repository rule violations found: changes must be made through a pull request."),
		"changes must be made through a pull request.", true},
	"the permission to write contents": {func(s *story) {
		s.GitHub.Grant("acme", map[string]string{"metadata": "read", "contents": "read", "issues": "write",
			"pull_requests": "write", "checks": "write"})
	}, "a maintainer can grant it the permission to write contents", true},
	"a closed thread": {later(func(s *story) { s.pull.SetOpen(false) }), "this pull request is closed", false},
	"a merged one":    {later(func(s *story) { s.pull.Merge() }), "this pull request is merged", false},
	"a locked one":    {later(func(s *story) { s.pull.Lock(true) }), "this conversation is locked", false},
	"a permission that is lost": {later(func(s *story) { s.Repo.SetRole("victor", port.PermissionTriage) }),
		"victor now has triage permission here, and the command needs write permission", false},
	"settings that forbid it": {later(func(s *story) { s.settings("enabled: false\n") }),
		"tenon has since been disabled here", false},
	"settings that forbid the verb": {later(func(s *story) { s.settings("verbs: [ask]\n") }),
		"the settings of this repository no longer allow the command", false},
	"a branch that is deleted": {func(s *story) {
		s.Before("Upload").Do(func() { s.Repo.SetBranch("speed", "") })
	}, "the branch was deleted in the meantime", false},
	"a branch that keeps changing": {func(s *story) {
		for n := 1; n <= 4; n++ {
			s.Before("Upload").Nth(n).Do(func() { s.push(map[string]string{"more.txt": fmt.Sprint(n)}) })
		}
	}, "he branch moved 4 times while the edits were applied", false},
	"settings that keep changing": {func(s *story) {
		for n := 1; n <= 4; n++ {
			s.After("Record").Of(fmt.Sprintf("apply.%d", n)).Do(func() {
				s.settings(fmt.Sprintf("protected: [nothing-%d]\n", n))
			})
		}
	}, "he settings and the branch kept changing", false},
}

func TestWhatKeepsEditsFromTheBranchKeepsTheirDiffThePatchAndSuggestions(t *testing.T) {
	t.Parallel()
	for name, b := range barriers {
		for _, commits := range []string{"verified", "push"} {
			if commits == "push" && !b.suggested {
				continue // what happens before the commit is the same for both
			}
			t.Run(name+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, "COMMIT: fix: be faster\n\n"+edit("speed.txt", "fast", "faster"))
				s.addVictor()
				s.settings("commits: " + commits + "\n")
				b.plant(s)
				got := s.sayAs("victor", s.pull, "/tenon fix `speed.txt`")
				require.Contains(t, strings.ToLower(got.answer), b.says)
				s.requireKept(got.answer, b.suggested)
				require.NotContains(t, got.reactions, "rocket")
			})
		}
	}
}

// requireKept requires that nothing was committed, and that nothing of the edit of speed.txt is lost.
func (s *story) requireKept(answer string, suggested bool) {
	s.t.Helper()
	if s.Repo.Branch("speed") != "" {
		require.Empty(s.t, s.Commits("speed"))
		require.Equal(s.t, "fast\n", s.File("speed", "speed.txt"))
	}
	const diff = "@@ -1 +1 @@\n-fast\n+faster\n"
	require.Contains(s.t, answer, "--- a/speed.txt\n+++ b/speed.txt\n"+diff, "the patch")
	require.Equal(s.t, 2, strings.Count(answer, "-fast\n+faster\n"), "the diff besides")
	notes := s.pull.Comments(port.ReviewComment)
	require.Equal(s.t, suggested, strings.Contains(answer, "is a suggestion on the diff"))
	if !suggested {
		require.Empty(s.t, notes)
		return
	}
	require.Len(s.t, notes, 1)
	require.Contains(s.t, notes[0].Body(), "```suggestion\nfaster\n```")
}

// An edit that does not fit delays those that do.
func TestEditsThatWaitForAnotherAreKept(t *testing.T) {
	t.Parallel()
	bad := edit("greet.go", badGreet, betterGreet)
	s := newStory(t, faster+bad, bad, bad)
	s.settings("partial: hold\n")
	got := s.say("/tenon fix `speed.txt` and `greet.go`")
	require.Contains(t, got.answer, "require that all fit")
	s.requireKept(got.answer, true)
}

func TestEditsForAnArchivedRepositoryAreKept(t *testing.T) {
	t.Parallel()
	s := newStory(t, faster)
	s.After("Record").Of("apply.1").Do(func() { s.Repo.Archive(true) })
	s.Before("Edit").Do(func() { s.Repo.Archive(false) }) // or nobody could be told
	got := s.say("/tenon fix `speed.txt`")
	require.Contains(t, got.answer, "this repository is archived")
	s.requireKept(got.answer, false)
}

// The other commands commit in the same way.
func TestWhatOtherCommandsCannotCommitIsKept(t *testing.T) {
	t.Parallel()
	for name, give := range map[string]func(s *story) told{
		"apply": func(s *story) told { return s.say("/tenon apply\n\n" + faster) },
		"undo": func(s *story) told {
			s.Model.Says(edit("speed.txt", "fast", "slow"))
			s.say("/tenon fix `speed.txt`")
			s.Repo.Protect("speed", "No.")
			return s.say("/tenon undo")
		},
		"run": func(s *story) told {
			s.Model.Says(faster + "```bash\ngit mv greet.go hello.go\n```\n")
			s.say("/tenon preview `speed.txt`")
			return s.say("/tenon run 1")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t)
			if name != "undo" {
				s.Repo.Protect("speed", "No.")
			}
			got := give(s)
			require.Contains(t, got.answer, "a rule or protection of the branch keeps this app from writing to it")
			require.Contains(t, got.answer, map[string]string{
				"apply": "-fast\n+faster\n", "undo": "-slow\n+fast\n", "run": "+++ b/hello.go\n",
			}[name])
		})
	}
}

// GitHub's words are as hostile as those of whoever wrote the rule.
func TestTheWordsOfARuleAreText(t *testing.T) {
	t.Parallel()
	s := newStory(t, faster)
	s.Repo.Protect("speed", "@maria Fixes #1 <img src=x> ``` </details> [x](http://x) \u202e")
	got := s.say("/tenon fix `speed.txt`")
	require.Contains(t, got.answer, "````text\n@maria Fixes #1 <img src=x> ``` </details> [x](http://x) ")
	require.NotContains(t, got.answer, "\u202e")
}

// The response to a commit that GitHub refused may be lost like any other.
func TestARefusalIsRecordedOnce(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"commit", "suggest", "report"} {
		for _, when := range []string{"before", "after"} {
			t.Run(when+" "+at, func(t *testing.T) {
				t.Parallel()
				s := newStory(t, faster)
				s.Repo.Protect("speed", "No.")
				plan := map[string]func(string) *bottest.Moment{"before": s.Before, "after": s.After}[when]("Record").Of(at)
				plan.Kill()
				got := s.say("/tenon fix `speed.txt`")
				s.requireKept(got.answer, true)
				require.Len(t, s.Model.Questions(), 1)
			})
		}
	}
	s := newStory(t, faster)
	s.Before("Upload").Fail(errors.New("connection reset"))
	require.Equal(t, "rocket", s.say("/tenon fix `speed.txt`").verdict)
}
