package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

func TestALabelOfAMergedPullRequestAsksForABackport(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.settings("backport_labels: allow\n")
	s.pull.Label("maria", "Backport release")
	s.pull.Label("maria", "backport")
	s.pull.Label("maria", "backport of something")
	s.Run()
	require.Empty(t, s.pull.Said(), "its merge comes later")
	require.Empty(t, s.Repo.Branches("tenon/"))
	s.pull.MergeBy(bottest.BySquash)
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**\n\n✅ **`release`**: [#2](")
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	s.pull.Label("maria", "backport old")
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**\n\n✅ **`old`**: [#3](")
	require.Contains(t, s.pull.LastAnswer(), "<sub>@maria · run ")
}

// A label is set before the merge, and another one of the same branch after it.
func TestALabelAndTheMergeOfWhatHasItAskForOneBackport(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.settings("backport_labels: allow\n")
	s.pull.Label("maria", "backport release")
	s.pull.MergeBy(bottest.BySquash)
	s.pull.Label("maria", "Backport  release")
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**")
	require.Len(t, s.Repo.Branches("tenon/"), 1)
}

func TestWhatThereIsNoRoomForOfTheLabelsOfAMergeIsNamed(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.settings("backport_labels: allow\n")
	for n := range 23 {
		s.pull.Label("maria", fmt.Sprintf("backport v%02d", n))
		s.Repo.SetBranch(fmt.Sprintf("v%02d", n), s.Repo.Branch("main"))
	}
	s.pull.MergeBy(bottest.BySquash)
	s.Run()
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 10 branches**\n\n✅ **`v00`**: [#2](")
	require.Contains(t, s.pull.LastAnswer(),
		"❌ **13 branches left out**, because the labels of one merge ask for 10 at "+
			"most. To have them, give:\n\n```text\n/tenon backport v10 v11 v12 v13 v14 v15 v16 v17 v18 v19\n"+
			"/tenon backport v20 v21 v22\n```\n")
	require.Len(t, s.Repo.Branches("tenon/"), 10)
}

func TestALabelAsksForNoBackportUnlessTheSettingsSaySo(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.pull.Label("maria", "backport release")
	s.pull.MergeBy(bottest.BySquash)
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	s.pull.Label("maria", "backport old")
	s.Run()
	require.Empty(t, s.pull.Said())
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Equal(t, "fast\n", s.File("main", "speed.txt"))
}

// Who merges it decides.
func TestALabelOfWhatIsNotMergedIsNotRefused(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.settings("backport_labels: allow\n")
	s.Repo.SetRole("tess", "triage")
	s.pull.Label("tess", "backport release")
	s.Run()
	require.Empty(t, s.pull.Said())
	s.pull.Merge()
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**")
}

// Who may only triage may set labels.
func TestALabelOfSomebodyWhoMayNotWriteIsRefused(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	s.settings("backport_labels: allow\n")
	s.Repo.SetRole("tess", "triage")
	s.pull.Label("tess", "backport release")
	s.Run()
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Contains(t, s.pull.LastAnswer(), "`/tenon backport` needs write permission in this repository")
}

func TestAnUndoTakesABackportBackAsAWhole(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.Repo.PushFiles("speed", map[string]bottest.File{"link": {Mode: port.ModeLink, Data: "main.go"}}, "Link\n")
	s.pull.Merge()
	s.Repo.Push("release", map[string]string{"release.txt": "1.2\n"})
	s.say("/tenon backport release")
	head := s.backportOf("release")
	pull := s.Repo.PullOf(head)
	got := s.sayIn(pull, "/tenon undo")
	require.Equal(t, "rocket", got.verdict, got.answer)
	_, ok := s.Repo.File(head, "speed.txt")
	require.False(t, ok)
	require.Equal(t, s.Repo.TreeID(s.Repo.Branch("release")), s.Repo.TreeID(s.Repo.Branch(head)))
	require.NotContains(t, s.sayIn(pull, "/tenon update").answer, "undo")
	for range 2 {
		got = s.sayIn(pull, "/tenon undo "+got.run)
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.NotContains(t, got.answer, "would remove", "that is so of a merge alone")
	}
	s.sayIn(pull, "/tenon undo "+got.run)
	require.Equal(t, "fast\n", s.File(head, "speed.txt"))
	require.Contains(t, s.say("/tenon undo").answer, "This pull request is merged")
}

func TestAnUndoOfABackportIsThatOfTheBranchOnWhichItIsGiven(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	made := s.say("/tenon backport release old")
	for _, to := range []string{"old", "release"} {
		head := s.backportOf(to)
		got := s.sayIn(s.Repo.PullOf(head), "/tenon undo "+made.run)
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, s.Repo.TreeID(s.Repo.Branch(to)), s.Repo.TreeID(s.Repo.Branch(head)))
		require.Len(t, s.picks(head, to), 3)
		again := s.sayIn(s.Repo.PullOf(head), "/tenon undo "+made.run)
		require.Contains(t, again.answer, "was already undone by run `"+got.run)
	}
}

func TestAnyNameOfABranchIsBackportedTo(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	names := []string{"$(x)", "a`b", "x|y;z", "<b>x</b>", "@maria", "é", "#7", "a'b"}
	for _, name := range names {
		s.Repo.SetBranch(name, s.Repo.Branch("release"))
	}
	got := s.say("/tenon backport `$(x)` `a`b` x|y;z <b>x</b> @maria é #7 a'b")
	require.Contains(t, got.answer, "✅ **Backported to 8 branches**")
	for _, name := range names {
		require.Equal(t, "fast\n", s.File(s.backportOf(name), "speed.txt"))
		require.Equal(t, name, s.Repo.PullOf(s.backportOf(name)).Base())
	}
	long := strings.Repeat("x", 230)
	s.Repo.SetBranch(long, s.Repo.Branch("release"))
	require.Contains(t, s.say("/tenon backport "+long).answer, "The name is too long for the name of a branch that ")
}

func TestABackportTakesTwoWritesForACommitAndTwoForABranch(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.ByRebase)
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	s.say("/tenon backport release old")
	for op, calls := range map[string]int{
		"PullRequest": 1, "PullCommits": 1, "Log": 3, "Tips": 2, "FindPull": 2, "Open": 6, "MakeCommit": 4, "MoveBranch": 2,
		"CreatePull": 2, "Post": 1, "MergeBase": 0, "FindCommit": 0,
	} {
		require.Len(t, s.Calls(op), calls, op)
	}
}

func TestThereAreNoMoreThanTwentyBranchesForABackport(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	for n := range 20 {
		name := ""
		if n > 0 {
			name = fmt.Sprint("-", n+1)
		}
		s.say("/tenon backport release")
		s.Repo.PullOf(s.backportNo(name, "release")).SetOpen(false)
	}
	require.Contains(t, s.say("/tenon backport release").answer,
		"❌ **`release`**: There are 20 branches for it already, "+
			"none of which has an open pull request. Delete some of them: `tenon/backport-1-2-to-release` …")
}

// What a commit has at a protected path was reviewed. A merge of it with what the branch has was not.
func TestABackportMayBringAProtectedPathAsItIs(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.push(map[string]string{".github/CODEOWNERS": "* @maria\n* @victor\n"})
	s.pull.MergeBy(bottest.ByRebase)
	s.say("/tenon backport release")
	require.Equal(t, "* @maria\n* @victor\n", s.File(s.backportOf("release"), ".github/CODEOWNERS"))

	s = backportable(t, "")
	s.Repo.Push("main", map[string]string{".github/CODEOWNERS": "a @maria\nb\nc\nd\n"})
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.Repo.Push("release", map[string]string{".github/CODEOWNERS": "a @maria\nb\nc\nd @maria\n"})
	s.Repo.SetBranch("speed", s.Repo.Branch("main"))
	s.push(map[string]string{".github/CODEOWNERS": "a @victor\nb\nc\nd\n"})
	s.pull.MergeBy(bottest.ByRebase)
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "❌ **Nothing backported**\n\n❌ **`release`**: what [`")
	require.Contains(t, got.answer, ") changes is not allowed there\n\n- `.github/CODEOWNERS`: it is protected: ")
	require.NotContains(t, got.answer, "tenon resolve")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

func TestABackportOfAWorkflowIsLeftToPeople(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.push(map[string]string{".github/workflows/ci.yml": "on: push\n"})
	s.pull.MergeBy(bottest.BySquash)
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer,
		"❌ **`release`**: Nothing was made, because it changes workflows, and GitHub lets no "+
			"app commit that without the permission to write workflows; make the change with git.")
	require.Empty(t, s.Repo.Branches("tenon/"))
}

// What was allowed when the commits were made is asked again before they are on a branch.
func TestABackportIsAskedForAgainBeforeItsBranchIsMade(t *testing.T) {
	t.Parallel()
	for why, do := range map[string]func(s *story){
		"nothing was made, because victor now has read permission here": func(s *story) {
			s.Repo.SetRole("victor", port.PermissionRead)
		},
		"nothing was made, because the settings of the repository changed in the meantime": func(s *story) {
			s.settings("protected: [speed.txt]\n")
		},
		"nothing was made, because this repository is archived": func(s *story) { s.Repo.Archive(true) },
		"nothing was made, because somebody else made this branch in the meantime": func(s *story) {
			s.Repo.SetBranch(s.backportOf("release"), s.Repo.Branch("main"))
		},
		"nothing was made, because a rule or protection of the branch keeps this app from writing to it. GitHub " +
			"said:\n\n```text\n": func(s *story) {
			s.Repo.Protect(s.backportOf("release"), "Nobody makes that.")
		},
	} {
		s := backportable(t, bottest.BySquash)
		s.After("MakeCommit").Do(func() { do(s) })
		s.addVictor()
		got := s.sayAs("victor", s.pull, "/tenon backport release")
		if strings.Contains(why, "archived") {
			require.Empty(t, s.Repo.Branches("tenon/"))
			continue
		}
		require.Contains(t, got.answer, "❌ **`release`**: "+why)
		require.Equal(t, "confused", got.verdict)
		require.Nil(t, s.Repo.PullOf(s.backportOf("release")))
	}
}

func TestABackportWhosePullRequestGitHubDoesNotOpenSaysHowToOpenIt(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	s.Before("CreatePull").Fail(&port.TokenError{Kind: port.JobToken})
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "⚠️ **Backported without a pull request**\n\n⚠️ **`release`**: "+
		"1 commit on `tenon/backport-1-to-release`\n\n**No pull request**: "+
		"GitHub did not open one. [Open it here](")
}

func TestABackportWaitsUntilGitHubKnowsTheCommits(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.Repo.Lag(true)
	s.pull.MergeBy(bottest.BySquash)
	s.Before("PullCommits").Do(func() {
		if len(s.Calls("Log")) > 1 {
			s.Repo.Lag(false)
		}
	})
	s.Clock.Advance(time.Minute)
	s.pull.Comment("maria", "/tenon backport release")
	s.RunFor(20 * time.Second)
	s.Repo.Lag(false)
	s.Run()
	require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**")
}

// What the message of a commit says is repeated, but for what programs would do because of it.
func TestTheMessageOfABackportStartsNothing(t *testing.T) {
	t.Parallel()
	s := backportable(t, "")
	s.Repo.PushFiles("speed", map[string]bottest.File{"more.txt": {Data: "more\n"}},
		"Add more [skip ci]\n\nFixes #7, as @victor said in #8.\n\nSigned-off-by: Ann <ann@x.example>\n"+
			"Tenon-Run: abcdefabcdef\n")
	s.pull.MergeBy(bottest.ByRebase)
	got := s.say("/tenon backport release")
	message := s.Repo.Commits(s.backportOf("release"))[0].Message
	require.True(t, strings.HasPrefix(message, "Add more …\n\n…, as @victor said in #8.\n\n"+
		"Signed-off-by: Ann <ann@x.example>\n(cherry picked from commit "), message)
	require.Equal(t, 1, strings.Count(message, "Tenon-Run: "))
	require.Contains(t, message, got.run)
	require.NotContains(t, s.Repo.PullOf(s.backportOf("release")).Text(), "[skip ci]")
}

func TestABackportCanBeForbiddenLikeOtherCommands(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	s.settings("verbs: [fix]\nbackport_labels: allow\n")
	require.Contains(t, s.say("/tenon backport release").answer, "`/tenon backport` is not allowed here")
	s.sayAs("victor", s.pull, "/tenon backport release")
	require.Contains(t, s.pull.LastAnswer(), "`/tenon backport` needs write permission")
}

// Whoever merged the pull request of a stranger has adopted it.
func TestALabelAsksForABackportOfAForksPullRequest(t *testing.T) {
	t.Parallel()
	for _, method := range []bottest.MergeMethod{bottest.ByMerge, bottest.BySquash, bottest.ByRebase} {
		s := newStory(t)
		s.Repo.SetBranch("release", s.Repo.Branch("main"))
		s.settings("backport_labels: allow\n")
		s.fromFork("stranger")
		s.pull.MergeBy(method)
		s.pull.Label("maria", "backport release")
		s.Run()
		require.Contains(t, s.pull.LastAnswer(), "✅ **Backported to 1 branch**", method)
		require.Equal(t, "one\ntwo\nthree\n", s.File(s.backportOf("release"), "theirs.txt"))
	}
}

// The process dies before it has recorded the pull request, and meanwhile people merge that, and delete its branch.
func TestABackportThatWasMergedMeanwhileIsNotMadeAgain(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	head := s.backportOf("release")
	s.After("CreatePull").Do(func() {
		s.Repo.PullOf(head).Merge()
		s.Repo.SetBranch(head, "")
	})
	s.After("CreatePull").Kill()
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**\n\n✅ **`release`**: [#2](")
	require.Empty(t, s.Repo.Branches("tenon/"))
	require.Nil(t, s.Repo.Thread(3))
}

// The process dies before it has recorded the pull request, and meanwhile somebody pushes to its branch.
func TestABackportThatPeoplePushedToMeanwhileIsFound(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	head := s.backportOf("release")
	s.After("CreatePull").Do(func() { s.Repo.Push(head, map[string]string{"more.txt": "more\n"}) })
	s.After("CreatePull").Kill()
	got := s.say("/tenon backport release")
	require.Contains(t, got.answer, "✅ **Backported to 1 branch**\n\n✅ **`release`**: [#2](")
	require.Equal(t, "rocket", s.sayIn(s.Repo.PullOf(head), "/tenon undo").verdict)
	require.Equal(t, "more\n", s.File(head, "more.txt"))
	require.Nil(t, s.Repo.Thread(3))
}

// Somebody opened another pull request from the branch.
func TestAPullRequestIntoAnotherBranchIsNoBackport(t *testing.T) {
	t.Parallel()
	s := backportable(t, bottest.BySquash)
	s.say("/tenon backport release")
	head := s.backportOf("release")
	s.Repo.PullOf(head).SetOpen(false)
	s.Repo.SetBranch("old", s.Repo.Branch("release"))
	s.Repo.OpenPull("maria", "Another", head, "old")
	require.Contains(t, s.say("/tenon backport release").answer, "✅ **Backported to 1 branch**")
	require.Equal(t, "release", s.Repo.PullOf(s.backportNo("-2", "release")).Base())
}

func obeysBackportLabels(t *testing.T, s *story) {
	t.Helper()
	s.Repo.SetBranch("release", s.Repo.Branch("main"))
	s.pull.Merge()
	s.pull.Label("maria", "backport release")
	s.Run()
	require.NotNil(t, s.Repo.PullOf(s.backportOf("release")))
}
