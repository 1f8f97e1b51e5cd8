package bot_test

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// fromFork replaces the pull request by one from a fork, with theirs.txt.
func (s *story) fromFork(owner string) (fork *bottest.Repo) {
	s.t.Helper()
	fork = s.Repo.Fork(owner)
	fork.Push("theirs", map[string]string{"theirs.txt": "one\ntwo\nthree\n"})
	s.pull = s.Repo.OpenPull("stranger", "Mine", owner+":theirs", "main")
	return fork
}

// forkReply is an edit of it.
var forkReply = edit("theirs.txt", "two", "2")

// theirs is theirs.txt as it is now.
func theirs(t *testing.T, fork *bottest.Repo) string {
	t.Helper()
	data, ok := fork.File("theirs", "theirs.txt")
	require.True(t, ok)
	return data
}

func TestAForkThatMaintainersMayEditGetsTheCommit(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	fork := s.fromFork("stranger")
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "rocket", got.verdict)
	require.Equal(t, "one\n2\nthree\n", theirs(t, fork))
	require.Contains(t, got.answer, " · 1 edit committed")
	require.Contains(t, got.answer, "/stranger/lathe/commit/")
	require.Empty(t, s.Repo.Branch("theirs"), "the repository itself is left alone")
	require.Empty(t, s.Calls("Upload"))
}

func TestAForkThatMaintainersMayNotEditGetsSuggestionsAndAPatch(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply+edit("README.md", "", "Read me.")+edit("deep/run.txt", "", "x"))
	fork := s.fromFork("stranger")
	s.pull.RefuseEdits()
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, "one\ntwo\nthree\n", theirs(t, fork))
	require.Contains(t, got.answer, `has not ticked "Allow edits by maintainers"`)
	require.Contains(t, got.answer, "-two\n+2\n", "the patch")
	require.Contains(t, got.answer, "1 of the 3 changes is a suggestion on the diff: the author can commit it there.")
	notes := s.pull.Comments(port.ReviewComment)
	require.Len(t, notes, 1)
	require.Contains(t, notes[0].Body(), "```suggestion\n2\n```")
}

func TestAForkOfAnOrganisationGetsSuggestions(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.GitHub.AddOrg("guild", "stranger")
	s.fromFork("guild")
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "fork belongs to an organisation")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)
}

func TestAForkThatWasDeletedGetsAPatch(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger").Delete()
	got := s.say("/tenon fix `theirs.txt`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "the fork that this pull request comes from was deleted")
	require.Contains(t, got.answer, "-two\n+2\n")
}

func TestAForkThatRefusesThePushGetsSuggestions(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		act  func(fork *bottest.Repo)
		says string
	}{
		"denied": {func(fork *bottest.Repo) { fork.RefuseMaintainers() },
			"GitHub does not let this app write to the fork; its owner can install the app there"},
		"rejected": {func(fork *bottest.Repo) { fork.Protect("theirs", "Signed commits only.") },
			"GitHub refused the push to the fork: error: GH006: Protected branch update failed for `refs/heads/theirs`. " +
				"\\- Signed commits only. protected branch hook declined."},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, forkReply)
			fork := s.fromFork("stranger")
			c.act(fork)
			got := s.say("/tenon fix `theirs.txt`")
			require.Equal(t, "confused", got.verdict)
			require.Contains(t, got.answer, c.says)
			require.Contains(t, got.answer, "-two\n+2\n")
			require.Len(t, s.pull.Comments(port.ReviewComment), 1)
			require.Equal(t, "one\ntwo\nthree\n", theirs(t, fork))
		})
	}
}

func TestAForkThatMovedGetsTheEditOnItsNewTip(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.addVictor()
	fork := s.fromFork("victor")
	s.Before("Commit").Do(func() { fork.Push("theirs", map[string]string{"more.txt": "more\n"}) })
	require.Equal(t, "rocket", s.say("/tenon fix `theirs.txt`").verdict)
	require.Equal(t, "one\n2\nthree\n", theirs(t, fork))
	_, ok := fork.File("theirs", "more.txt")
	require.True(t, ok)
}

func TestThePushToAForkWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	for what, err := range map[string]error{"lost": bottest.Retryable(0), "taken for a move": port.ErrMoved} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, edit("theirs.txt", "one", "zero\none"))
			fork := s.fromFork("stranger")
			s.After("Commit").Fail(err)
			require.Equal(t, "rocket", s.say("/tenon fix `theirs.txt`").verdict)
			require.Equal(t, "zero\none\ntwo\nthree\n", theirs(t, fork))
		})
	}
}

func TestSuggestionsThatGitHubDoesNotTakeAreNotPromised(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.Before("Suggest").Fail(bottest.Permanent("Line could not be resolved"))
	got := s.say("/tenon fix `theirs.txt`")
	require.NotContains(t, got.answer, "suggestion")
	require.Contains(t, got.answer, "-two\n+2\n", "the patch")
	require.Empty(t, s.pull.Comments(port.ReviewComment))
}

func TestSuggestionsWaitForARateLimit(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.Before("Suggest").Fail(&port.WaitError{For: port.GitHubLimit, After: time.Minute, Err: errors.New("429")})
	require.Contains(t, s.say("/tenon fix `theirs.txt`").answer, "is a suggestion")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)
}

func TestSuggestionsWhoseAnswerIsLostAreOfferedOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.After("Suggest").Fail(bottest.Retryable(0))
	got := s.say("/tenon fix `theirs.txt`")
	require.Contains(t, got.answer, "is a suggestion")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)
}

func TestSuggestionsOfWhichNobodyKnowsAreLookedForLater(t *testing.T) {
	t.Parallel()
	s := newStory(t, forkReply)
	s.fromFork("stranger")
	s.pull.RefuseEdits()
	s.After("Suggest").Fail(bottest.Retryable(0))
	s.Before("FindComment").Of("tenon:suggestions=").Fail(bottest.Retryable(0))
	got := s.say("/tenon fix `theirs.txt`")
	require.Contains(t, got.answer, "is a suggestion")
	require.Len(t, s.pull.Comments(port.ReviewComment), 1)
}

// A closed pull request from a fork can be read.
func TestAForkCanBeAskedAboutWhenItIsOver(t *testing.T) {
	t.Parallel()
	s := newStory(t, "It was.")
	fork := s.fromFork("stranger")
	s.pull.SetOpen(false)
	fork.Delete()
	require.Contains(t, s.say("/tenon ask was `theirs.txt` right?").answer, "It was.")
	require.Contains(t, s.Model.Questions()[0], "one\ntwo\nthree\n")
}
