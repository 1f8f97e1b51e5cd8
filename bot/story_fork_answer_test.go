package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// oneReview requires that all that the app says on the pull request is one review, with one suggestion.
func (s *story) oneReview() string {
	s.t.Helper()
	require.Len(s.t, s.pull.Answers(), 1)
	require.Len(s.t, s.pull.Comments(port.ReviewComment), 1)
	reviews := s.pull.Comments(port.Review)
	require.Len(s.t, reviews, 1)
	require.Contains(s.t, reviews[0].Body(), "is a suggestion on the diff")
	require.Contains(s.t, reviews[0].Body(), "-two\n+2\n", "the patch")
	return reviews[0].Body()
}

func TestTheAnswerOnAForkIsOneReviewWithItsSuggestions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		plant   func(s *story, fork *bottest.Repo)
		command string
	}{
		"read-only":      {func(s *story, _ *bottest.Repo) { s.pull.RefuseEdits() }, "/tenon fix `theirs.txt`"},
		"refuses a push": {func(_ *story, fork *bottest.Repo) { fork.Protect("theirs", "No.") }, "/tenon fix `theirs.txt`"},
		"an apply": {func(s *story, _ *bottest.Repo) { s.pull.RefuseEdits() },
			"/tenon apply\n\n" + forkReply},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, forkReply)
			c.plant(s, s.fromFork("stranger"))
			s.while(func() {
				require.Empty(t, s.pull.Answers(), "nothing that would have to be edited")
				checks := s.Repo.CheckRuns()
				require.Len(t, checks, 1)
				require.Equal(t, "in_progress", checks[0].Status)
			})
			got := s.say(c.command)
			require.Equal(t, "confused", got.verdict)
			require.Equal(t, s.oneReview(), got.answer)
			for _, check := range s.Repo.CheckRuns() {
				require.Equal(t, "completed", check.Status)
			}
		})
	}
}

// A run that is cancelled leaves neither an answer nor a check that goes on for ever.
func TestACancelledRunOnAForkEndsItsCheck(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.while(s.cancelNow)
	s.say("/tenon fix `theirs.txt`")
	require.Len(t, s.pull.Answers(), 1, "the answer to the cancel")
	require.Len(t, s.Repo.CheckRuns(), 1)
	require.Equal(t, "cancelled", s.Repo.CheckRuns()[0].Conclusion)
}

var forkReview = resumable{
	func(t *testing.T) *story {
		s := newStory(t, forkReply)
		s.fromFork("stranger")
		s.pull.RefuseEdits()
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon fix `theirs.txt`") },
}

func TestTheReviewOnAForkIsMadeOnceWhereverTheProcessDies(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"check", "commit", "suggest", "answer", "report"} {
		for name, moment := range map[string]func(*story) *bottest.Moment{
			"before": func(s *story) *bottest.Moment { return s.Before("Record") },
			"after":  func(s *story) *bottest.Moment { return s.After("Record") },
		} {
			s := forkReview.open(t)
			moment(s).Of(step).Kill()
			forkReview.play(s)
			s.Run()
			require.NotEmpty(t, s.oneReview(), "%s %s", name, step)
			require.Len(t, s.Model.Questions(), 1)
		}
	}
}
