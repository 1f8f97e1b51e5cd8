package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// meanwhile has something happen while the model writes.
func (s *stage) meanwhile(do func() error) {
	s.model.before = func() { require.NoError(s.t, do()); s.github.WaitDeliveries() }
}

func TestAPullRequestThatWasClosedMeanwhileGetsNoCommit(t *testing.T) {
	t.Parallel()
	for _, commits := range []string{"verified", "push"} {
		for story, c := range map[string]struct {
			act  func(*stage) error
			says string
		}{
			"closed": {func(s *stage) error { return s.github.SetOpen(s.repo, s.pull, false) }, "this pull request is closed by now"},
			"merged": {func(s *stage) error { return s.github.Merge(s.repo, s.pull) }, "this pull request is merged by now"},
			"locked": {func(s *stage) error { return s.github.Lock(s.repo, s.pull, true) }, "this conversation is locked by now"},
			"merged, and its branch deleted": {func(s *stage) error {
				if err := s.github.Merge(s.repo, s.pull); err != nil {
					return err
				}
				return s.github.DeleteBranch(s.repo, "speed")
			}, "this pull request is merged by now"},
		} {
			t.Run(story+", "+commits, func(t *testing.T) {
				t.Parallel()
				s := newStage(t, goodReply)
				s.env = append(s.env, "TENON_COMMITS="+commits)
				s.meanwhile(func() error { return c.act(s) })
				s.start()
				s.comment("maria", "/tenon fix `main.go`")
				require.Contains(t, s.said(c.says), "+\tprintln(\"goodbye\")", "what was paid for is not lost")
				require.Len(t, s.answers(), 1)
				if !strings.Contains(story, "deleted") {
					require.Empty(t, s.commits())
				}
			})
		}
	}
}

func TestAPullRequestThatWasClosedAndReopenedMeanwhileGetsItsCommit(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.meanwhile(func() error {
		if err := s.github.SetOpen(s.repo, s.pull, false); err != nil {
			return err
		}
		return s.github.SetOpen(s.repo, s.pull, true)
	})
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.Len(t, s.commits(), 1)
}

func TestAnIssueThatWasClosedMeanwhileGetsNoPullRequest(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	var number int
	s.meanwhile(func() error { return s.github.SetOpen(s.repo, number, false) })
	s.start()
	number, id := s.issue("", "/tenon fix `main.go`")
	require.Contains(t, s.settled(id), "confused")
	require.Contains(t, s.answersIn(number)[0], "this issue is closed by now")
	require.Empty(t, s.gitAt("for-each-ref", "refs/heads/tenon/"))
}

// What happens while a command waits is seen when it is taken.
func TestACommandThatWaitedOnWhatWasClosedIsRefused(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		act  func(*stage) error
		says string
	}{
		"closed": {func(s *stage) error { return s.github.SetOpen(s.repo, s.pull, false) }, "This pull request is closed, so nothing was done."},
		"merged": {func(s *stage) error { return s.github.Merge(s.repo, s.pull) }, "This pull request is merged, so nothing was done."},
		"locked": {func(s *stage) error { return s.github.Lock(s.repo, s.pull, true) }, "This conversation is locked, so nothing was done."},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, goodReply)
			release := s.hold()
			s.start()
			s.comment("maria", "/tenon fix `main.go`")
			s.questioned(1)
			s.comment("maria", "/tenon fix it again")
			s.said("**Waiting**")
			require.NoError(t, c.act(s))
			release()
			s.said(c.says)
			require.Len(t, s.answers(), 2)
			require.Len(t, s.model.questions(), 1)
		})
	}
}
