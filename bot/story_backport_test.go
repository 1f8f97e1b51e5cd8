package bot_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
)

// backportable returns a story with the branch release, and a pull request of two commits, which is merged by a method.
func backportable(t *testing.T, method bottest.MergeMethod) *story {
	t.Helper()
	s := newStory(t)
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.push(map[string]string{"main.go": "package main // faster\n"})
	if method != "" {
		s.pull.MergeBy(method)
	}
	return s
}

// backportOf returns the branch of a backport of the pull request.
func (s *story) backportOf(to string) string { return s.backportNo("", to) }

func (s *story) backportNo(n, to string) string {
	return strings.Replace(issueBranch(s.pull), "issue", "backport", 1) + n + "-to-" + to
}

// picks returns the commits of a branch that are not on another one, newest first.
func (s *story) picks(branch, base string) (list []bottest.Commit) {
	for _, c := range s.Repo.Commits(branch) {
		if c.SHA == s.Repo.Branch(base) {
			break
		}
		list = append(list, c)
	}
	return list
}

func TestABackportMakesACommitForEachCommitAndOpensAPullRequest(t *testing.T) {
	t.Parallel()
	for _, method := range []bottest.MergeMethod{bottest.ByMerge, bottest.ByRebase} {
		s := backportable(t, method)
		s.Repo.Push("release", map[string]string{"release.txt": "1.2\n"})
		got := s.say("/tenon backport release")
		require.Equal(t, "rocket", got.verdict, got.answer)
		head := s.backportOf("release")
		picks := s.picks(head, "release")
		require.Len(t, picks, 2, method)
		originals := s.Repo.Commits("main")
		if method == bottest.ByMerge {
			originals = s.Repo.Commits("speed")
		}
		for i, c := range picks {
			require.True(t, c.Verified)
			require.Contains(t, c.Message, "(cherry picked from commit "+originals[i].SHA+")\n")
			require.Contains(t, c.Message, "\nTenon-Run: "+got.run)
			subject, _, _ := strings.Cut(originals[i].Message, "\n")
			require.True(t, strings.HasPrefix(c.Message, subject+"\n"), c.Message)
		}
		for name, want := range map[string]string{
			"main.go": "package main // faster\n", "speed.txt": "fast\n", "release.txt": "1.2\n",
		} {
			require.Equal(t, want, s.File(head, name), name)
		}
		pull := s.Repo.PullOf(head)
		require.Equal(t, "release", pull.Base())
		require.False(t, pull.Draft())
		require.Equal(t, s.pull.Title()+" (backport to release)", pull.Title())
		require.Contains(t, pull.Text(), "Backport of #1 to `release`, for `maria`.")
		require.Contains(t, got.answer, "✅ **Backported to 1 branch**\n\n✅ **`release`**: [#2](")
		require.Contains(t, got.answer, " · 2 commits")
		require.Empty(t, s.Model.Questions(), "no model is asked")
	}
}

func TestABackportOfASquashHasItsOneCommit(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	squash := s.Repo.Commits("main")[0]
	got := s.say("/tenon backport `release`")
	require.Equal(t, "rocket", got.verdict, got.answer)
	picks := s.picks(s.backportOf("release"), "release")
	require.Len(t, picks, 1)
	require.Equal(t, []string{s.Repo.Branch("release")}, picks[0].Parents)
	require.Equal(t, strings.TrimSpace(squash.Message)+"\n\n(cherry picked from commit "+squash.SHA+
		")\nCo-authored-by: maria <"+s.noreply("maria")+">\nTenon-Run: "+got.run, strings.TrimSpace(picks[0].Message))
	require.Contains(t, got.answer, " · 1 commit\n")
}

func (s *story) noreply(login string) string {
	u := s.GitHub.User(login)
	return strings.Join([]string{strconv.FormatInt(u.ID, 10), "+", login, "@users.noreply.github.example"}, "")
}

// backported is a backport to three branches, one of which conflicts.
var backported = resumable{
	func(t *testing.T) *story {
		s := backportable(t, bottest.ByRebase)
		s.Repo.SetBranch("old", s.Repo.Branch("release"))
		s.Repo.SetBranch("older", s.Repo.Branch("release"))
		s.Repo.Push("old", map[string]string{"main.go": "package main // other\n"})
		return s
	},
	func(s *story) { s.pull.Comment("maria", "/tenon backport release old older") },
}

func TestWhatConflictsIsListedAndTheOtherBranchesAreDone(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.Repo.SetBranch("it's", s.Repo.Branch("release"))
	s.Repo.Push("it's", map[string]string{"main.go": "package main // other\n"})
	got := s.say("/tenon backport it's release nope main")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, "⚠️ **Backported to 1 of 4 branches**\n\n❌ **`it's`**: 1 conflict, 1 open\n\n"+
		"Nothing was made for this branch. To settle it, comment `/tenon backport it's C1 theirs`; what is settled "+
		"already is kept. "+
		"Ours is this branch, theirs the pull request.\n")
	picks := s.Repo.Commits("main")
	require.Contains(t, got.answer, "\n\n```sh\ngit fetch origin\n"+
		"git switch -c \"tenon/backport-1-to-it's\" \"origin/it's\"\n"+
		"git cherry-pick -x "+picks[1].SHA+" "+picks[0].SHA+"\ntenon resolve\n```\n\n")
	require.Contains(t, got.answer, "\n\n✅ **`release`**: [#2](")
	require.Contains(t, got.answer, "\n\n❌ **`nope`**: There is no such branch.\n")
	require.Contains(t, got.answer, "\n\n❌ **`main`**: The pull request was merged into this branch, which has ")
	require.Equal(t, []string{s.backportOf("release")}, s.Repo.Branches("tenon/"))
	require.Nil(t, s.Repo.PullOf(s.backportOf("it's")))
}

func TestNothingIsBackportedOfWhatIsNotMerged(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "This pull request is not merged yet, so there is nothing to backport. Give "+
		"the command again when it is.")
	require.NotContains(t, got.answer, "label")
	s.settings("backport_labels: allow\n")
	require.Contains(t, s.say("/tenon backport release").answer, "or set the label `backport BRANCH` now")
	s.pull.SetOpen(false)
	require.Contains(t, s.say("/tenon backport release").answer, "This pull request was closed without being merged")
	require.Contains(t, s.sayIn(s.issue(""), "/tenon backport release").answer, "this is an issue")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestABackportIsNotMadeTwice(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.say("/tenon backport release")
	head := s.backportOf("release")
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer,
		"💬 **Nothing to backport**\n\n💬 **`release`**: already in the open pull request [#2](")
	require.Equal(t, "confused", got.verdict)

	s.Repo.PullOf(head).Merge()
	got = s.say("/tenon backport release")
	picks := s.Repo.Commits(head)
	require.Contains(t, got.answer, "💬 **`release`**: it has everything:\n- [`")
	require.Contains(t, got.answer, ") is there as [`"+picks[0].SHA[:7]+"`](")
	require.Equal(t, []string{head}, s.Repo.Branches("tenon/"))
}

func TestABackportThatGitHubDoesNotListYetIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.Repo.Lag(true)
	s.pull.Comment("maria", "/tenon backport release")
	s.RunFor(10 * time.Second)
	s.pull.Comment("maria", "/tenon backport release")
	s.RunFor(10 * time.Second)
	s.Repo.Lag(false)
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "💬 **`release`**: already in the open pull request [#2](")
	require.Equal(t, []string{s.backportOf("release")}, s.Repo.Branches("tenon/"))
}

func TestAClosedBackportIsMadeAgainOnAnotherBranch(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.say("/tenon backport release")
	s.Repo.PullOf(s.backportOf("release")).SetOpen(false)
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**")
	require.NotNil(t, s.Repo.PullOf(s.backportNo("-2", "release")))
}

func TestABranchWithoutAPullRequestIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.Repo.SetBranch(s.backportOf("release"), s.Repo.Branch("main"))
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer,
		"❌ **`release`**: There is a branch `tenon/backport-1-to-release` already, without a "+
			"pull request. [Open it](https://github.example/acme/lathe/compare/"+
			"release...tenon/backport-1-to-release?expand=1), "+
			"or delete the branch")
	require.Equal(t, s.Repo.Branch("main"), s.Repo.Branch(s.backportOf("release")))
}

// One commit changes nothing on the branch, and one was picked to it by hand.
func TestACommitThatIsThereIsLeftOut(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.push(map[string]string{"more.txt": "more\n"})
	s.pull.MergeBy(bottest.ByRebase)
	originals := s.Repo.Commits("main")
	s.Repo.Push("release", map[string]string{"speed.txt": "fast\n"})
	byHand := s.Repo.PushFiles("release", map[string]bottest.File{"main.go": {Data: "package main // by hand\n"}},
		"By hand\n\n(cherry picked from commit "+originals[1].SHA+")\n")
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, " · 1 commit · left out:\n- [`"+originals[2].SHA[:7]+"`](")
	require.Contains(t, got.answer, ") changes nothing there\n- [`"+originals[1].SHA[:7]+"`](")
	require.Contains(t, got.answer, ") is there as [`"+byHand[:7]+"`](")
	head := s.backportOf("release")
	require.Len(t, s.picks(head, "release"), 1)
	require.Equal(t, "package main // by hand\n", s.File(head, "main.go"))
	require.Contains(t, s.Repo.PullOf(head).Text(), "\n\nLeft out:\n- [`")
}

// It was backported, and the backport was reverted.
func TestWhatWasRevertedOnABranchIsBackportedAgain(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	before := s.File("release", "main.go")
	s.say("/tenon backport release")
	s.Repo.PullOf(s.backportOf("release")).MergeBy(bottest.ByRebase)
	last := s.Repo.Commits("release")[0].SHA
	s.Repo.PushFiles("release", map[string]bottest.File{"main.go": {Data: before}},
		"Revert \"Push\"\n\nThis reverts commit "+last+".\n")
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**")
	require.Contains(t, got.answer, " · 1 commit · left out:\n- [`")
	require.Equal(t, "package main // faster\n", s.File(s.backportNo("-2", "release"), "main.go"))
}

// Its pull request was merged with the undo. That names the last of the two commits, and the run of both.
func TestWhatWasUndoneOnABranchIsBackportedAgain(t *testing.T) {
	t.Parallel()
	for _, method := range []bottest.MergeMethod{bottest.ByMerge, bottest.ByRebase} {
		s := backportable(t, bottest.ByRebase)
		s.say("/tenon backport release")
		pull := s.Repo.PullOf(s.backportOf("release"))
		s.sayIn(pull, "/tenon undo")
		pull.MergeBy(method)
		require.Contains(t, s.say("/tenon backport release").answer, " · 2 commits\n", method)
		require.Equal(t, "package main // faster\n", s.File(s.backportNo("-2", "release"), "main.go"))
	}
}

// The merges of the base may have settled conflicts of which the commits know nothing.
func TestAPullRequestThatItsBaseWasMergedIntoIsOneCommit(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.Repo.Push("main", map[string]string{"later.txt": "later\n"})
	s.say("/tenon update")
	s.push(map[string]string{"more.txt": "more\n"})
	s.pull.Merge()
	merge := s.Repo.Commits("main")[0]
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, " · the pull request as 1 commit\n")
	head := s.backportOf("release")
	picks := s.picks(head, "release")
	require.Len(t, picks, 1)
	require.True(t, strings.HasPrefix(picks[0].Message, "Be fast (#1)\n\n* Push\n* Push\n* Push\n\n(cherry picked from "))
	require.Equal(t, 4, strings.Count(picks[0].Message, "(cherry picked from commit "))
	require.Contains(t, picks[0].Message, "(cherry picked from commit "+merge.SHA+")\nCo-authored-by: ")
	require.Equal(t, "more\n", s.File(head, "more.txt"))
	_, later := s.Repo.File(head, "later.txt")
	require.False(t, later, "that is the base's")
	s.Repo.PullOf(head).Merge()
	require.Contains(t, s.say("/tenon backport release").answer, "it has everything")
}

func TestALongPullRequestIsOneCommit(t *testing.T) {
	t.Parallel()
	for _, method := range []bottest.MergeMethod{bottest.ByMerge, bottest.ByRebase} {
		s := backportable(t, "")
		for i := range 9 {
			s.push(map[string]string{"many.txt": strings.Repeat("line\n", i+1)})
		}
		s.pull.MergeBy(method)
		got := s.say("/tenon backport release")
		require.Contains(t, got.answer, " · the pull request as 1 commit\n", method)
		head := s.backportOf("release")
		require.Len(t, s.picks(head, "release"), 1)
		require.Equal(t, strings.Repeat("line\n", 9), s.File(head, "many.txt"))
		require.Equal(t, "package main // faster\n", s.File(head, "main.go"))
	}
}
