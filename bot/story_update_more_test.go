package bot_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// pinned is the commit of a submodule.
const pinned = "1234567890123456789012345678901234567890"

// theirTypes are changes of main that are more than texts.
var theirTypes = map[string]bottest.File{
	"link":     {Mode: port.ModeLink, Data: "main.go"},
	"run.sh":   {Mode: port.ModeExecutable, Data: "#!/bin/sh\n"},
	"vendored": {Mode: port.ModeSubmodule, Data: pinned},
	"greet.go": {Gone: true},
}

func TestLinksProgramsAndSubmodulesAreMerged(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"commits: verified\n", "commits: push\n"} {
		s := newStory(t)
		s.settings(settings)
		s.Repo.PushFiles("main", theirTypes, "Theirs\n")
		got := s.say("/tenon update")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, port.ModeLink, s.Repo.Mode("speed", "link"), settings)
		require.Equal(t, port.ModeExecutable, s.Repo.Mode("speed", "run.sh"))
		require.Equal(t, port.ModeSubmodule, s.Repo.Mode("speed", "vendored"))
		require.Empty(t, s.Repo.Mode("speed", "greet.go"))
		require.Equal(t, "fast\n", s.File("speed", "speed.txt"))
		require.Len(t, s.Repo.Commits("speed")[0].Parents, 2)
		require.Equal(t, settings == "commits: verified\n", s.Repo.Commits("speed")[0].Verified)
	}
}

func TestAFileIsMergedWhereAFolderWas(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"docs/a.txt": "a\n", "tools": "none\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.PushFiles("main", map[string]bottest.File{
		"docs/a.txt": {Gone: true}, "docs": {Data: "a file\n"}, "tools": {Gone: true}, "tools/b.txt": {Data: "b\n"},
	}, "Theirs\n")
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "a file\n", s.File("speed", "docs"))
	require.Equal(t, "b\n", s.File("speed", "tools/b.txt"))
}

func TestAFileThatOneBranchRenamedGetsTheChangesOfTheOther(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("a line that is long enough\n", 20)
	for _, renames := range []string{"main", "speed"} {
		s := newStory(t)
		s.Repo.Push("main", map[string]string{"old.txt": text})
		s.Repo.SetBranch("speed", s.Repo.Branch("main"))
		edits := map[string]string{"main": "speed", "speed": "main"}[renames]
		s.Repo.PushFiles(renames, map[string]bottest.File{"old.txt": {Gone: true}, "new/name.txt": {Data: text + "end\n"}},
			"Rename\n")
		s.Repo.Push(edits, map[string]string{"old.txt": "begin\n" + text})
		s.Before("LoadSome").Fail(errors.New("broken")) // once
		got := s.say("/tenon update")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, "begin\n"+text+"end\n", s.File("speed", "new/name.txt"), renames)
		_, ok := s.Repo.File("speed", "old.txt")
		require.False(t, ok)
	}
}

// With a merge that changes no file, the branch still has its base in its history.
func TestAnUpdateFromABaseWithTheSameChangesIsAMergeOfNoFile(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", "commits: push\n"} {
		s := newStory(t)
		if settings != "" {
			s.settings(settings)
			s.Repo.SetBranch("speed", s.Repo.Branch("main"))
			s.push(map[string]string{"speed.txt": "fast\n"})
		}
		main := s.Repo.Push("main", map[string]string{"speed.txt": "fast\n"})
		tree := s.tree()
		got := s.say("/tenon update")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, tree, s.tree())
		require.Equal(t, main, s.Repo.Commits("speed")[0].Parents[1])
		require.Contains(t, got.answer, "✅ **Merge branch 'main' into speed** · 0 files merged")
		require.Contains(t, s.say("/tenon undo").answer, "💬 **Nothing to change**")
	}
}

func TestAnUpdateOfAnIssueIsRefused(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	got := s.sayIn(s.issue(""), "/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "`/tenon update` merges the base branch into the branch of a pull request")
}

// unrelated is a GitHub on which no commits have a common history.
type unrelated struct{ port.GitHub }

func (unrelated) MergeBase(context.Context, port.RepoRef, string, string) (string, error) {
	return "", nil
}

func TestBranchesWithoutACommonCommitAreNotMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.bot.GitHub = unrelated{s.GitHub}
	require.Contains(t, s.say("/tenon update").answer,
		"`main` and `speed` have no commit in common, so nothing was merged.")
}

func TestBranchesThatWereMergedIntoEachOtherAreNotMerged(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	tip := s.Repo.Branch("speed")
	s.Before("MergeBase").Fail(port.ErrSeveralBases)
	require.Contains(t, s.say("/tenon update").answer, "`main` and `speed` were merged into each other")
	require.Equal(t, tip, s.Repo.Branch("speed"))
}

func TestAnUpdateWaitsUntilGitHubKnowsTheBranch(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Before("MergeBase").Fail(port.ErrNotFound)
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict)
	require.Len(t, s.Calls("MergeBase"), 2)
}

func TestAnUndoneUpdateBringsBackWhatTheBranchHad(t *testing.T) {
	t.Parallel()
	for _, settings := range []string{"", "commits: push\n"} {
		s := newStory(t)
		if settings != "" {
			s.settings(settings)
			s.Repo.SetBranch("speed", s.Repo.Branch("main"))
			s.push(map[string]string{"speed.txt": "fast\n"})
		}
		before := s.tree()
		s.Repo.PushFiles("main", theirTypes, "Theirs\n")
		update := s.say("/tenon update")
		require.Equal(t, "rocket", update.verdict)
		merged := s.tree()
		s.push(map[string]string{"more.txt": "more\n"})
		undo := s.say("/tenon undo")
		require.Equal(t, "rocket", undo.verdict, undo.answer)
		require.Contains(t, undo.answer, "✅ **revert: Merge branch 'main' into speed** · 4 files reverted\\\n")
		require.Len(t, s.Repo.Commits("speed")[0].Parents, 1)
		require.Contains(t, s.Repo.Commits("speed")[0].Message, "of run "+update.run+", in 4 files.\n")
		require.Equal(t, "more\n", s.File("speed", "more.txt"))
		s.Repo.PushFiles("speed", map[string]bottest.File{"more.txt": {Gone: true}}, "Less\n")
		require.Equal(t, before, s.tree())

		again := s.say("/tenon update")
		require.Contains(t, again.answer, "💬 **Already up to date**")
		warning := "⚠️ **Merging this pull request now would remove from `main` what the update had brought:** " +
			"git takes it for merged already. `/tenon undo " + undo.run + "` restores it."
		require.Contains(t, undo.answer, warning)
		require.Contains(t, again.answer, warning)
		s.Repo.Push("main", map[string]string{"latest.txt": "latest\n"})
		later := s.say("/tenon update")
		require.Equal(t, "rocket", later.verdict)
		require.Contains(t, later.answer, warning, "the later merge does not restore it")
		s.say("/tenon undo")
		redo := s.say("/tenon undo " + undo.run)
		require.Equal(t, "rocket", redo.verdict, redo.answer)
		require.NotContains(t, redo.answer, "⚠️")
		require.Equal(t, merged, s.tree())
		require.Contains(t, s.say("/tenon update").answer, "would remove from `main`", "that of the later merge")
	}
}

func TestAnUndoOfAnUpdateSaysWhatLaterCommitsChanged(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"greet.go": "package main // theirs\n", "later.txt": "later\n"})
	s.say("/tenon update")
	s.push(map[string]string{"greet.go": "package main // ours\n"})
	tip := s.Repo.Branch("speed")
	got := s.say("/tenon undo")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "❌ **Nothing reverted:** later commits changed the same lines")
	require.Contains(t, got.answer, "`greet.go`: later commits changed the same lines; undo those first")
}

// What the base has is on a protected path already. What a merge would make of it is not.
func TestAProtectedPathBecomesWhatTheBaseHasAndNothingElse(t *testing.T) {
	t.Parallel()
	const path = ".github/workflows/ci.yml"
	lines := func(first, last string) string {
		return first + "\n" + strings.Repeat("# between\n", 9) + last + "\n"
	}
	s := newStory(t)
	s.Repo.Push("main", map[string]string{path: lines("on: push", "jobs: {}")})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{"speed.txt": "fast\n"})
	s.Repo.Push("main", map[string]string{path: lines("on: [push]", "jobs: {}"), "CODEOWNERS": "* @maria\n"})
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, lines("on: [push]", "jobs: {}"), s.File("speed", path))
	require.Equal(t, "* @maria\n", s.File("speed", "CODEOWNERS"))

	s.push(map[string]string{path: lines("on: [push]", "jobs: {a: {}}")})
	s.Repo.Push("main", map[string]string{path: lines("on: pull_request", "jobs: {}")})
	tip := s.Repo.Branch("speed")
	got = s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "❌ **Nothing merged:** the file is protected")
	require.Contains(t, got.answer, "- `"+path+"`: the file is protected, because ")
}

// Apps may not write workflows, but a merge needs to write those of one branch at most.
func TestABranchWithAWorkflowOfItsOwnIsUpdated(t *testing.T) {
	t.Parallel()
	const ours, theirs = ".github/workflows/ours.yml", ".github/workflows/theirs.yml"
	s := newStory(t)
	s.push(map[string]string{ours: "on: push\n"})
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, "on: push\n", s.File("speed", ours))
	require.Equal(t, "later\n", s.File("speed", "later.txt"))
	require.Len(t, s.Repo.Commits("speed")[0].Parents, 2)

	s.Repo.Push("main", map[string]string{theirs: "on: push\n"})
	tip := s.Repo.Branch("speed")
	got = s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "❌ **Nothing merged:** the merge could not be committed")
	require.Contains(t, got.answer, "It changes workflows, and GitHub lets no app commit that without the permission")
}

// uploads counts the changes of the last commit.
type uploads struct {
	port.GitHub
	changes *int
}

func (g uploads) Upload(ctx context.Context, r port.RepoRef, u port.Upload) (string, error) {
	*g.changes = len(u.Changes)
	return g.GitHub.Upload(ctx, r, u)
}

func TestAMergeIsSentByTheSideWithTheFewerChanges(t *testing.T) {
	t.Parallel()
	for _, many := range []string{"main", "speed"} {
		s := newStory(t)
		files := map[string]string{}
		for i := range 9 {
			files[fmt.Sprintf("docs/%d.txt", i)] = "text\n"
		}
		s.Repo.Push(many, files)
		s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
		changes := 0
		s.bot.GitHub = uploads{s.GitHub, &changes}
		require.Equal(t, "rocket", s.say("/tenon update").verdict)
		require.Equal(t, 1, changes, many)
		require.Len(t, s.Repo.Commits("speed")[0].Parents, 2)
	}
}

func TestAnUndoThatWouldChangeWorkflowsSaysSo(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{".github/workflows/ci.yml": "on: push\n", "a.txt": "a\n"})
	require.Equal(t, "rocket", s.say("/tenon update").verdict)
	got := s.say("/tenon undo")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "It changes workflows, and GitHub lets no app commit that without the permission")
	require.NotContains(t, got.answer, "would remove from")
}

// What was taken out of the base is not to be brought back by a pull request.
func TestACommitThatTheBaseNoLongerHasIsNotMerged(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		act func(s *story, before string)
		why string
	}{
		{func(s *story, before string) {
			s.Repo.SetBranch("main", before)
			s.Repo.Push("main", map[string]string{"another.txt": "another\n"})
		}, "he branch main no longer has the commit that was to be merged; give the command again"},
		{func(s *story, _ string) { s.Repo.SetBranch("main", "") }, "the base branch main was deleted in the meantime"},
	} {
		s := newStory(t)
		before, tip := s.Repo.Branch("main"), s.Repo.Branch("speed")
		s.Repo.Push("main", map[string]string{"secret.txt": "secret\n"})
		s.Before("MergeBase").Do(func() { c.act(s, before) })
		got := s.say("/tenon update")
		require.Equal(t, "confused", got.verdict)
		require.Contains(t, got.answer, c.why)
		require.Equal(t, tip, s.Repo.Branch("speed"))
	}
}

func TestTheNameOfABaseIsQuotedForAShell(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	const base = "$(touch${IFS}x);it's"
	s.Repo.SetBranch(base, s.Repo.Branch("main"))
	s.Repo.Push(base, map[string]string{"main.go": "theirs\n"})
	s.push(map[string]string{"main.go": "ours\n"})
	got := s.sayIn(s.Repo.OpenPull("maria", "Speed", "speed", base), "/tenon update")
	require.Contains(t, got.answer, "give `git merge \"origin/\\$(touch\\${IFS}x);it's\"`, and")
}

func TestAnUpdateIsTestedByTheWorkflowAsAMerge(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.verifying(passes)
	main := s.Repo.Branch("main")
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict, got.answer)
	require.Equal(t, main, s.Repo.Commits("speed")[0].Parents[1])
	require.Empty(t, s.scratch())

	s = newStory(t)
	s.verifying(fails)
	tip := s.Repo.Branch("speed")
	got = s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Equal(t, tip, s.Repo.Branch("speed"))
	require.Contains(t, got.answer, "❌ **Nothing merged:** ")
	require.NotContains(t, got.answer, "git apply", "no patch has what the base has already")
}

// Nobody asked for edits, and what fails may be what the base has.
func TestAnUpdateIsNotFixed(t *testing.T) {
	t.Parallel()
	s := newAutofixStory(t, 2, red(1))
	got := s.say("/tenon update")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, s.lineOf(got), "CI failed")
	require.Empty(t, s.Calls("Autofix"))
}

func TestABranchThatTakesNoCommitsIsNotUpdated(t *testing.T) {
	t.Parallel()
	s := newStory(t)
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.Repo.Protect("speed", "Changes must be made by two.")
	got := s.say("/tenon update")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "❌ **Nothing merged:** a rule or protection of the branch")
	require.Contains(t, got.answer, "Changes must be made by two.")
	require.Zero(t, s.saying("- [ ]"), "there is no other branch for a merge")
}

// updated is an update that ends alike whenever the process is killed.
var updated = resumable{
	func(t *testing.T) *story {
		s := newStory(t)
		s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon update") },
}
