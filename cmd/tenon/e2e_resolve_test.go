package main

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// newLinesReply settles the conflict of stage.conflict with a line that no side has.
const newLinesReply = "C1: new\n```\nwait 25\n```\n"

// conflict has the branch and its base change a line, each in its own way, above others, and returns the tip of the
// base.
func (s *stage) conflict(wait string, others ...string) (main string) {
	s.t.Helper()
	below := "\n" + strings.Join(others, "")
	s.push(map[string]string{"wait.txt": "wait " + wait + below})
	return s.pushTo("main", map[string]string{"wait.txt": "wait 1" + wait + below, "later.txt": wait + "\n"})
}

// untilMerged waits until an answer with conflicts says that they are merged.
func (s *stage) untilMerged(c sim.Comment) {
	s.t.Helper()
	s.until("the merge", func() bool { return strings.Contains(s.shown(s.pull, c.ID), "✅ **Merge branch") })
}

// untilConflicts waits for an answer with conflicts that has a text.
func (s *stage) untilConflicts(want string) (shown sim.Comment) {
	s.t.Helper()
	s.until("conflicts with "+want, func() bool {
		list, err := s.github.Comments(s.repo, s.pull)
		require.NoError(s.t, err)
		i := slices.IndexFunc(list, func(c sim.Comment) bool {
			return strings.Contains(c.Body, "<!-- tenon:resolve=") && strings.Contains(c.Body, want)
		})
		if i >= 0 {
			shown = list[i]
		}
		return i >= 0
	})
	return shown
}

// choose has somebody tick the box of a choice, as GitHub's page does.
func (s *stage) choose(as string, c sim.Comment, id int, label string) {
	s.t.Helper()
	box := fmt.Sprintf("- [ ] **C%d** %s ", id, label)
	body := s.shown(s.pull, c.ID)
	require.Contains(s.t, body, box)
	ticked := strings.Replace(box, "[ ]", "[x]", 1)
	require.NoError(s.t, s.github.EditComment(as, c.ID, strings.Replace(body, box, ticked, 1)))
}

// The choices of a model, of a box and of a command reach GitHub as a merge, by its API or by git.
func TestAResolutionReachesTheBranchAsAMerge(t *testing.T) {
	t.Parallel()
	for _, env := range []string{"TENON_COMMITS=verified", "TENON_COMMITS=push"} {
		s := newStage(t, "C1: theirs, ours\n", newLinesReply, "C1: open Which?\n")
		s.env = append(s.env, env)
		s.start()
		main := s.conflict("30")
		require.Equal(t, "rocket", s.say("/tenon resolve").verdict)
		require.Equal(t, "wait 130\nwait 30\n", s.file("wait.txt"))
		require.Equal(t, "30\n", s.file("later.txt"))
		list, err := s.github.Commits(s.repo, "speed")
		require.NoError(t, err)
		require.Equal(t, main, list[0].Parents[1])
		require.Equal(t, env == "TENON_COMMITS=verified", list[0].Verified)

		s.conflict("40")
		s.comment("maria", "/tenon resolve")
		shown := s.untilConflicts("👀 proposed")
		s.choose("maria", shown, 1, "as proposed")
		s.untilMerged(shown)
		require.Equal(t, "wait 25\n", s.file("wait.txt"))

		s.conflict("50")
		s.comment("maria", "/tenon resolve")
		s.untilConflicts("Which?")
		require.Equal(t, "rocket", s.say("/tenon resolve C1 lines o1 t1").verdict)
		require.Equal(t, "wait 50\nwait 150\n", s.file("wait.txt"))
		require.Equal(t, "rocket", s.say("/tenon undo").verdict)
		require.Equal(t, "wait 50\n", s.file("wait.txt"))
	}
}

// Beside what an update asks for, a resolution asks for the subjects of both sides, and for nothing that a fix needs to
// know of the thread. How often a comment tells of the progress depends on the time that a run takes, so that is not
// counted.
func TestAResolutionAsksGitHubLittleMoreThanAFix(t *testing.T) {
	t.Parallel()
	s := newStage(t, append(someReplies()[:2], "C1: theirs\n")...)
	s.withoutLogs()
	s.start()
	count := func(say string) (api, git int) {
		s.github.ForgetRequests()
		require.Contains(t, s.settled(s.comment("maria", say)), "rocket", say)
		requests := slices.DeleteFunc(s.github.Requests(), func(r simhttp.Request) bool {
			return r.Method == http.MethodPatch && strings.Contains(r.Path, "/comments/")
		})
		git = len(simhttp.OfKind(requests, simhttp.KindGit))
		return len(requests) - git, git
	}
	count("/tenon fix `main.go`")
	fix, _ := count("/tenon fix `main.go`")
	s.conflict("30")
	resolve, git := count("/tenon resolve")
	t.Logf("fix=%d resolve=%d git=%d", fix, resolve, git)
	require.LessOrEqual(t, resolve, fix+2)
	require.LessOrEqual(t, git, 5, "the tips, what the branches have, the files that both changed, and the base again")
}
