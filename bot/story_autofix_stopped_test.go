package bot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// What stops autofix happens after CI failed, before the failure is looked at.
func TestAutofixIsStopped(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act func(s *story)
		why string
	}{
		"a push":             {somebodyPushes, pushed},
		"a cancel":           {func(s *story) { s.pull.Comment("maria", "/tenon cancel") }, "somebody cancelled it"},
		"a closed thread":    {func(s *story) { s.pull.SetOpen(false) }, "this pull request is closed"},
		"a merge":            {func(s *story) { s.pull.Merge() }, "this pull request is merged"},
		"a lock":             {func(s *story) { s.pull.Lock(true) }, "locked"},
		"a deleted branch":   {func(s *story) { s.Repo.SetBranch("speed", "") }, "branch"},
		"other settings":     {func(s *story) { s.settings("autofix: 2\nverbs: [ask]\n") }, "no longer allow the command"},
		"settings with less": {func(s *story) { s.settings("autofix: off\n") }, ""},
		"broken settings":    {func(s *story) { s.settings("autofix: [\n") }, ""},
		"a budget":           {func(s *story) { s.settings("autofix: 2\nbudget: {user: {commands: 1}}\n") }, "the budget of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAutofixStory(t, 2, func(ci *bottest.CI) {})
			got := s.say("/tenon fix `main.go`")
			sha := s.Repo.Branch("speed")
			c.act(s)
			s.Run()
			s.CI(sha).Fails("test", stillRed(1))
			s.Run()
			require.Empty(t, s.Calls("Autofix"))
			lines := s.rounds(got)
			if c.why == "" {
				require.Empty(t, lines)
				return
			}
			require.Len(t, lines, 1)
			require.Contains(t, lines[0], "- Autofix ended: ")
			require.Contains(t, lines[0], c.why)
			require.Contains(t, s.lineOf(got), "CI failed")
		})
	}
}

func TestAutofixEndsForSomebodyWhoMayNotWriteAnyMore(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2)
	s.addVictor()
	got := s.sayAs("victor", s.pull, "/tenon fix `main.go`")
	s.Repo.SetRole("victor", port.PermissionRead)
	s.ci().Fails("test", stillRed(1))
	s.Run()
	require.Empty(t, s.Calls("Autofix"))
	require.Len(t, s.rounds(got), 1)
	require.Contains(t, s.rounds(got)[0], "- Autofix ended: victor now has read permission here, and ")
}

func TestARoundForSomebodyWhoMayNotWriteAnyMoreSaysNothing(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1))
	s.addVictor()
	s.After("Autofix").Do(func() { s.Repo.SetRole("victor", port.PermissionRead) })
	got := s.sayAs("victor", s.pull, "/tenon fix `main.go`")
	require.Len(t, s.pull.Said(), 1)
	require.Contains(t, s.rounds(got)[1], "- Autofix ended: victor now has read permission here, and ")
}

// A round waits in the queue of its thread like any command.
func TestARoundIsStoppedBeforeItBegins(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act func(s *story)
		why string
	}{
		"a push":          {somebodyPushes, pushed},
		"other settings":  {func(s *story) { s.settings("autofix: off\n") }, "the settings have turned it off"},
		"CI passes":       {func(s *story) { s.ci().Passes("test") }, "CI no longer reports a failure"},
		"CI runs again":   {func(s *story) { s.ci().Starts("test") }, "CI is running again"},
		"a closed thread": {func(s *story) { s.pull.SetOpen(false) }, "the command was refused when its turn came"},
		"no such verb": {func(s *story) { s.settings("autofix: 2\nverbs: [ask]\n") },
			"the command was refused when its turn came"},
		"a cancel": {func(s *story) {
			s.pull.Comment("maria", "/tenon cancel")
			s.RunImmediate()
		}, "somebody cancelled it"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAutofixStory(t, 2, red(1))
			s.After("Autofix").Do(func() { c.act(s) })
			got := s.say("/tenon fix `main.go`")
			s.RunFor(2 * time.Minute)
			require.Len(t, s.Commits("speed"), 1)
			require.Empty(t, s.answersTo(s.pull, roundRun(got, 1)), "nobody asked for it")
			lines := s.rounds(got)
			require.Equal(t, "- Autofix ended: "+c.why+".", lines[len(lines)-1])
		})
	}
}

// It has shown by then that it works.
func TestARoundIsStoppedWhileItReads(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1))
	s.After("Autofix").Do(func() {
		s.After("CommitChecks").Do(func() { s.ci().Passes("test") })
	})
	got := s.say("/tenon fix `main.go`")
	answers := s.answersTo(s.pull, roundRun(got, 1))
	require.Len(t, answers, 1)
	require.Contains(t, answers[0], "CI no longer reports a failure")
	require.NotContains(t, answers[0], "Working")
	require.Empty(t, mentioned(answers[0]))
}

func TestARoundIsStoppedWhileTheModelWrites(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		act       func(s *story)
		why, says string
	}{
		"a push": {somebodyPushes, "",
			pushed},
		"a cancel": {func(s *story) {
			s.pull.Comment("maria", "/tenon cancel")
			s.RunImmediate()
		}, "somebody cancelled it", "Cancelled"},
		"a closed thread": {func(s *story) { s.pull.SetOpen(false) }, "", "this pull request is closed"},
		"other settings":  {func(s *story) { s.settings("autofix: off\n") }, "", "the settings have turned it off"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStory(t, goodbye, farewell)
			s.settings("autofix: 2\n")
			s.Repo.CIWill(red(1))
			s.while(func() { c.act(s) })
			got := s.say("/tenon fix `main.go`")
			require.Len(t, s.Commits("speed"), 1)
			answers := s.answersTo(s.pull, roundRun(got, 1))
			require.Len(t, answers, 1)
			require.Contains(t, strings.ToLower(answers[0]), strings.ToLower(c.says))
			lines := s.rounds(got)
			require.Contains(t, lines[0], "round 1 of 2: nothing was committed · [answer](")
			if c.why != "" {
				require.Equal(t, "- Autofix ended: "+c.why+".", lines[len(lines)-1])
			}
		})
	}
}

func TestACancelSaysThatAutofixIsStopped(t *testing.T) {
	t.Parallel()
	const stopped = "tenon starts no further round of autofix for what it has committed here so far."
	s := newAutofixStory(t, 2)
	require.NotContains(t, s.say("/tenon cancel").answer, stopped, "nothing was committed")
	s.fixed()
	require.Contains(t, s.say("/tenon cancel").answer, stopped)
	s.ci().Fails("test", stillRed(1))
	s.Run()
	require.Empty(t, s.Calls("Autofix"))
	s.settings("autofix: off\n")
	require.NotContains(t, s.say("/tenon cancel").answer, stopped)
}

// Somebody read the edits of one box, and not what a model would make of the same text next.
func TestABoxOfAStrangersPreviewHasNoRounds(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2)
	s.settings("autofix: 2\nstrangers: preview\n")
	issue := s.Repo.OpenIssue("stranger", "It greets", "`main.go` should part.")
	issue.Label("maria", "tenon")
	s.Run()
	c := issue.Said()[len(issue.Said())-1]
	s.tick("maria", c, 1)
	require.Len(t, s.Commits(issueBranch(issue)), 1)
	s.CI(s.Repo.Branch(issueBranch(issue))).Fails("test", stillRed(1))
	s.Run()
	require.Empty(t, s.Calls("Autofix"))
	require.Len(t, s.Model.Questions(), 1)
}
