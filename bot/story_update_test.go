package bot_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestAnUpdateMergesTheBaseIntoTheBranch(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	tip := s.Repo.Branch("speed")
	main := s.Repo.Push("main", map[string]string{"main.go": "package main // theirs\n", "later.txt": "later\n"})
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict)
	commit := s.Repo.Commits("speed")[0]
	require.Equal(t, []string{tip, main}, commit.Parents)
	require.True(t, commit.Verified)
	require.True(t, strings.HasPrefix(commit.Message, "Merge branch 'main' into speed\n\nRequested by maria in http"))
	require.Contains(t, commit.Message, "\nMerged "+main+".\n")
	require.Contains(t, commit.Message, "\nTenon-Run: "+got.run)
	for name, want := range map[string]string{
		"main.go": "package main // theirs\n", "later.txt": "later\n", "speed.txt": "fast\n",
	} {
		require.Equal(t, want, s.File("speed", name), name)
	}
	require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed** · 2 files merged\\\n[`"+commit.SHA[:7]+"`](")
	require.Contains(t, got.answer, " on `speed` · merges `main` at [`"+main[:7]+"`](")
	require.Contains(t, got.answer, "`/tenon undo` reverts it")
	require.Empty(t, s.Model.Questions(), "no model is asked")
	checks := s.Repo.CheckRuns()
	require.Equal(t, "success", checks[len(checks)-1].Conclusion)
	require.Equal(t, commit.SHA, checks[len(checks)-1].SHA)
}

func TestTextsThatBothBranchesChangedAreMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	base := "one\ntwo\nthree\nfour\nfive\n"
	s.Repo.Push("main", map[string]string{"both.txt": base})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"both.txt": "1\ntwo\nthree\nfour\nfive\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{
		"both.txt": {Mode: port.ModeExecutable, Data: "one\ntwo\nthree\nfour\n5\n"}}, "Theirs\n")
	require.Equal(t, "rocket", s.say("/tenon update").verdict)
	require.Equal(t, "1\ntwo\nthree\nfour\n5\n", s.File("speed", "both.txt"))
	require.Equal(t, port.ModeExecutable, s.Repo.Mode("speed", "both.txt"))
	require.Len(t, s.Repo.Commits("speed")[0].Parents, 2)
}

func TestABranchThatHasItsBaseIsUpToDate(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	tip := s.Repo.Branch("speed")
	got := s.say("/tenon update")
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "💬 **Already up to date**\\\n`speed` has everything of `main` at [`")
	require.Contains(t, got.answer, "`](https://")
}

func TestWhatConflictsIsListedAndNothingIsCommitted(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.push(map[string]string{"main.go": "package main // ours\n", "fine.txt": "fine\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{
		"main.go": {Data: "package main // theirs\n"}, "greet.go": {Gone: true}, "later.txt": {Data: "later\n"},
	}, "Theirs\n")
	s.push(map[string]string{"greet.go": "package main // changed\n"})
	tip := s.Repo.Branch("speed")
	got := s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "❌ **Nothing merged:** 2 files conflict")
	require.Contains(t, got.answer,
		"- `greet.go`: main deleted `greet.go`, which speed changed. Keep the file or delete it.\n"+
			"- `main.go`: 1 conflict: speed and main both changed `main.go` in the same place. Choose which lines to keep.\n")
	require.Contains(t, got.answer,
		"Nothing was committed. To settle this at a terminal, check out the branch, give `git merge origin/main`, and "+
			"then `tenon resolve`.")
	require.Contains(t, got.answer, "`/tenon resolve` settles it here.")
}

func TestAnUpdateOfABranchThatMovesMergesItsNewTip(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	tip := ""
	s.Before("Upload").Do(func() { tip = s.Repo.Push("speed", map[string]string{"more.txt": "more\n"}) })
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict)
	require.Equal(t, "more\n", s.File("speed", "more.txt"))
	require.Equal(t, "later\n", s.File("speed", "later.txt"))
	require.Equal(t, []string{tip, s.Repo.Branch("main")}, s.Repo.Commits("speed")[0].Parents)
	require.Contains(t, got.answer, "The branch moved in the meantime, so its new tip was merged.")
}

func TestAnUpdateMergesTheBaseAsItWasWhenItBegan(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	main := s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Before("MergeBase").Do(func() { s.Repo.Push("main", map[string]string{"latest.txt": "latest\n"}) })
	got := s.say("/tenon update")
	require.Equal(t, main, s.Repo.Commits("speed")[0].Parents[1])
	require.Contains(t, got.answer, " at [`"+main[:7]+"`](")
	_, ok := s.Repo.File("speed", "latest.txt")
	require.False(t, ok)
}

func TestAnUpdateThatSomebodyElseMadeMeanwhileIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	main := s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Before("Upload").Do(func() { s.Repo.SetBranch("speed", main) })
	got := s.say("/tenon update")
	require.Equal(t, main, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "💬 **Already up to date**")
}

func TestAnUpdateWhoseAnswerIsLostIsMadeOnce(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", "commits: push\n"} {
		s := newStory(t)
		if settings != "" {
			s.settings(settings)
		}
		s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
		before := len(s.Repo.Commits("speed"))
		op := "Upload"
		if settings != "" {
			op = "Commit"
		}
		s.After(op).Fail(&port.WaitError{For: port.GitHubOutage, Err: port.ErrNotFound})
		got := s.say("/tenon update")
		require.Equal(t, "rocket", got.verdict, settings)
		commits := s.Repo.Commits("speed")
		merges := 0
		for _, c := range commits {
			if len(c.Parents) == 2 {
				merges++
			}
		}
		require.Equal(t, 1, merges)
		require.Greater(t, len(commits), before)
		require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed**")
	}
}
