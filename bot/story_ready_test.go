package bot_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func obeysReady(t *testing.T, s *story) {
	issue, pull := s.solved()
	s.settings("ready: refuse\n")
	require.Contains(t, s.sayIn(pull, "/tenon ready").answer, "settings of this repository do not allow `/tenon ready`")
	require.True(t, pull.Draft())
	s.settings("ready: allow\n")
	require.Contains(t, s.sayIn(issue, "/tenon ready").answer, "✅ **#3 is ready for review.**")
	require.False(t, pull.Draft())
}

func TestADraftIsMarkedAsReadyOnlyWhereTheSettingsAllowIt(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	_, pull := s.solved()
	got := s.sayIn(pull, "/tenon ready")
	require.Equal(t, "confused", got.verdict, "it is off unless a layer allows it")
	require.True(t, pull.Draft())
	s.organisation("ready: refuse\n")
	s.bot.RepositoriesChanged(s.Repo.Ref().Installation)
	s.settings("ready: allow\n")
	require.Contains(t, s.sayIn(pull, "/tenon ready").answer, "do not allow `/tenon ready`")
	require.True(t, pull.Draft())
	require.Empty(t, s.Calls("MarkReady"))
}

func TestADraftThatIsReadyAlreadyIsNotMarkedAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("ready: allow\n")
	_, pull := s.solved()
	s.After("MarkReady").Nth(1).Kill()
	for range 2 {
		got := s.sayIn(pull, "/tenon ready")
		require.Contains(t, got.answer, "✅ **#3 is ready for review.**\n\n<sub>@maria · run ")
	}
	require.Len(t, s.Calls("MarkReady"), 1)
}

func TestTenonMarksNoPullRequestButItsOwnAsReady(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.settings("ready: allow\n")
	require.Contains(t, s.say("/tenon ready").answer, "tenon marks a pull request as ready only if it opened it ")
	named := s.Pull("tenon/issue-99", map[string]string{"new.txt": "new\n"})
	require.Contains(t, s.sayIn(named, "/tenon ready").answer, "and this is not one of those")
	require.Contains(t, s.sayIn(s.issue(""), "/tenon ready").answer, "tenon has no open pull request for this issue")
	require.Empty(t, s.Calls("MarkReady"))
}

func TestSomebodyWhoMayNotWriteMarksNothingAsReady(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("ready: allow\n")
	_, pull := s.solved()
	s.sayAs("stranger", pull, "/tenon ready")
	require.Contains(t, pull.LastAnswer(), "`/tenon ready` needs write permission")
	require.True(t, pull.Draft())
	require.Empty(t, s.Calls("MarkReady"))
}

func TestWhereGitHubDeniesItPeopleAreToldHowToMarkADraft(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.settings("ready: allow\n")
	_, pull := s.solved()
	s.Before("MarkReady").Every().Fail(port.ErrDenied)
	require.Contains(t, s.sayIn(pull, "/tenon ready").answer, "GitHub does not let this app mark the pull request")
	require.True(t, pull.Draft())
}
