package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot"
	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
)

// githubBody is the longest comment that GitHub takes, in characters.
const githubBody = 65536

func TestACommentThatNamesThousandsOfFilesCostsNoMoreThanOne(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	var names strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&names, "%d.c ", i)
	}
	got := s.say("/tenon fix `main.go` and " + names.String())
	require.Equal(t, "rocket", got.verdict)
	require.Less(t, len(s.Model.Questions()[0]), 3*githubBody)
	require.LessOrEqual(t, utf8.RuneCountInString(got.answer), githubBody)
}

func TestTheLongestCommentOfMarkupAloneIsRead(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"[", "`", "<a ", "![](", "<!--", "**_", "a.b/"} {
		s := newStory(t, goodbye)
		require.Equal(
			t,
			"rocket",
			s.say("/tenon fix `main.go`\n\n"+strings.Repeat(piece, (githubBody-100)/len(piece))).verdict,
			piece,
		)
	}
}

func TestAReplyOfThreeHundredEditsIsTakenUpToTheLimit(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	for i := range 300 {
		reply.WriteString(edit(fmt.Sprintf("made/f%d.txt", i), "", fmt.Sprint(i)))
	}
	s := newStory(t, reply.String())
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, " · 200 of 300 edits committed")
	require.Contains(t, got.answer, "/pull/1/checks", "where there is room for more")
	require.LessOrEqual(t, utf8.RuneCountInString(got.answer), githubBody)
	require.Equal(t, "199\n", s.File("speed", "made/f199.txt"))
}

func TestAReplyOfMegabytesIsAnswered(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye+strings.Repeat("blah blah `@maria` #1 <img src=x>\n", 1<<20/34))
	got := s.say("/tenon fix `main.go`")
	require.LessOrEqual(t, utf8.RuneCountInString(got.answer), githubBody)
	require.NotContains(t, got.answer, "internal error")
}

// Each of these edits is refused, and the one that may be made is.
func TestEditsThatLeadOutOfTheTreeAreRefusedOneByOne(t *testing.T) {
	t.Parallel()
	paths := []string{
		"link/f.txt",
		"current",
		"main.go/x",
		"real",
		"vendored/x",
		"vendored",
		".git/config",
		".GIT/hooks/pre-commit",
		"git~1/config",
		".git./config",
		".git::$INDEX_ALLOCATION/config",
		".g\u200cit/config",
		"../up.txt",
		"a/../../up.txt",
		"/etc/passwd",
		"C:/x.txt",
		"nul.txt",
		"~/x.txt",
		strings.Repeat("d/", 260) + "x.txt",
		".github/workflows/ci.yml",
		".GitHub/Workflows/ci.yml",
		".github/workflows./ci.yml",
		".github/workflows",
		"CODEOWNERS",
		".gitmodules",
		".GitModules ",
		"deep/.gitattributes",
		".github/tenon.yml",
	}
	var reply strings.Builder
	for _, p := range paths {
		reply.WriteString("### File: " + p + "\n" + strings.TrimPrefix(edit("", "", "evil"), "\n"))
	}
	s := newStory(t, reply.String()+goodbye)
	s.Repo.PushFiles("speed", map[string]bottest.File{
		"link": {Mode: "120000", Data: "real"}, "current": {Mode: "120000", Data: "main.go"}, "real/f.txt": {Data: "f\n"},
		"vendored": {Mode: "160000", Data: strings.Repeat("12", 20)},
	}, "Links\n")
	got := s.say("/tenon fix `main.go`")
	require.Contains(
		t,
		got.answer,
		fmt.Sprintf(" · 1 of %d edits committed", len(paths)+1),
	)
	require.Contains(t, s.File("speed", "main.go"), "goodbye")
}

// A file in Git LFS is a pointer here, which nobody means to edit.
func TestAFileInLFSIsNotEdited(t *testing.T) {
	t.Parallel()
	const line = "version https://git-lfs.github.com/spec/v1"
	s := newStory(t, edit("large.psd", line, "evil"))
	s.push(map[string]string{"large.psd": line + "\noid sha256:" + strings.Repeat("a", 64) + "\nsize 1\n"})
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "confused", got.verdict)
	require.Contains(t, got.answer, "Git LFS")
	require.True(t, strings.HasPrefix(s.File("speed", "large.psd"), line))
}

// A new pointer would stand for another object of the store.
func TestNoNewPointerOfGitLFSIsCommitted(t *testing.T) {
	t.Parallel()
	pointer := "version https://git-lfs.github.com/spec/v1\noid sha256:" + strings.Repeat("a", 64) + "\nsize 1"
	s := newStory(t, edit("large.psd", "", pointer)+edit("main.go", helloLine, byeLine))
	got := s.say("/tenon fix `main.go`")
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
	require.Contains(t, got.answer, "it would become a pointer of Git LFS")
	_, there := s.Repo.File("speed", "large.psd")
	require.False(t, there)
}

// A file that is too large to be loaded fails alone.
func TestAFileThatIsTooLargeFailsAlone(t *testing.T) {
	t.Parallel()
	s := newStory(t, edit("large.txt", "0123456789abcdef", "x")+edit("main.go", helloLine, byeLine))
	s.push(map[string]string{"large.txt": strings.Repeat("0123456789abcdef\n", 1<<20)})
	got := s.say("/tenon fix `main.go`")
	require.Equal(t, "rocket", got.verdict)
	require.Contains(t, got.answer, " · 1 of 2 edits committed")
}

func TestHunksOfHiddenFilesAndLongHunksAreNotShownWhole(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE")
	s.push(map[string]string{".env": "TOKEN=1\n", "long.txt": strings.Repeat(strings.Repeat("x", 99)+"\n", 60)})
	s.pull.ReviewComment("maria", ".env", 1, "/tenon fix this")
	s.Run()
	require.NotContains(t, s.Model.Questions()[0], "TOKEN=1")
	s.pull.ReviewComment("maria", "long.txt", 60, "/tenon fix that")
	s.Run()
	require.NotContains(t, s.Model.LastQuestion(), "@@ -0,0 +1,60 @@", "its end is shown")
	s.pull.ReviewComment("maria", ".env", 1, "Why?")
	s.say("/tenon address")
	require.NotContains(t, s.Model.LastQuestion(), "TOKEN=1")
}

// A hunk is redacted before its end is cut off: of the middle of a key, nothing says what it is.
func TestKeysInLongHunksAreNotShown(t *testing.T) {
	t.Parallel()
	s := newStory(t, "NO CHANGE")
	var key strings.Builder
	for i := range 60 {
		fmt.Fprintf(&key, "%s%03d\n", strings.Repeat("Qm9v/", 12), i)
	}
	begin, end := "-----BEGIN PRIVATE "+"KEY-----\n", "-----END PRIVATE "+"KEY-----\n"
	s.push(map[string]string{"notes.txt": begin + key.String() + end})
	s.pull.ReviewComment("maria", "notes.txt", 58, "/tenon fix this")
	s.Run()
	require.Contains(t, s.Model.Questions()[0], "diff above the comment")
	require.NotContains(t, s.Model.Questions()[0], "Qm9v/")
	s.pull.ReviewComment("maria", "notes.txt", 57, "Why?")
	s.say("/tenon address")
	require.NotContains(t, s.Model.LastQuestion(), "Qm9v/")
}

func TestACommentOnAnOutdatedLineNamesItsFile(t *testing.T) {
	t.Parallel()
	s := newStory(t, faster)
	first := s.pull.ReviewComment("maria", "speed.txt", 1, "This is slow.")
	s.push(map[string]string{"speed.txt": "changed\n"})
	first.Reply("maria", "/tenon fix it")
	s.Run()
	require.Contains(t, s.Model.Questions()[0], "speed.txt")
	require.NotContains(t, s.Model.Questions()[0], "speed.txt, line")
}

// In a public repository anybody may give commands; they are answered for a while.
func TestAStrangerIsTurnedAwayOnce(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for range 3 {
		require.Equal(t, []string{"-1"}, s.sayAs("stranger", s.pull, "/tenon fix it").reactions)
	}
	require.Len(t, s.pull.Answers(), 1)
	require.Contains(
		t,
		s.pull.LastAnswer(),
		"needs write permission in this repository, and you have read permission. Ask a maintainer to run it.",
	)
	require.Empty(t, s.Model.Questions())
	other := s.sayAs("guest", s.pull, "/tenon fix it")
	require.Equal(t, []string{"-1"}, other.reactions)
	require.Len(t, s.pull.Answers(), 2, "each person once")
}

// Each rank above what they have is refused, from the one right above on.
func TestEachRankIsHeldTo(t *testing.T) {
	t.Parallel()
	ranks := []port.Permission{
		port.PermissionRead,
		port.PermissionTriage,
		port.PermissionWrite,
		port.PermissionMaintain,
		port.PermissionAdmin,
	}
	for command, c := range map[string]struct {
		settings string
		least    int
	}{
		"/tenon help": {"", 0}, "/tenon status": {"", 0}, "/tenon config": {"", 2}, "/tenon cancel": {"", 2},
		"/tenon fix `main.go`":          {"", 2},
		"/tenon ask what is `main.go`?": {"who: maintain\n", 3}, "/tenon fix the words of `main.go`": {"who: maintain\n", 3},
		"/tenon undo": {"who: admin\n", 4},
	} {
		for i, rank := range ranks {
			s := newStory(t, goodbye)
			s.Repo.Private()
			s.Repo.SetRole("victor", rank)
			if c.settings != "" {
				s.settings(c.settings)
			}
			got := s.sayAs("victor", s.pull, command)
			require.Equal(t, i < c.least, got.verdict == "-1", "%s as %s: %v", command, rank, got.reactions)
		}
	}
}

func TestSomebodyWhomGitHubDoesNotKnowMayNothing(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.Before("Permission").Fail(port.ErrNotFound)
	require.Equal(t, []string{"-1"}, s.say("/tenon fix it").reactions)
	require.Contains(t, s.pull.LastAnswer(), "and you have none")
}

// A stranger's commands are answered ten times an hour.
func TestAStrangersCommandsAreAnsweredTenTimesAnHour(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	for range 15 {
		s.sayAs("stranger", s.pull, "/tenon help")
	}
	require.Len(t, s.pull.Answers(), 10)
	require.NotEmpty(t, s.sayAs("guest", s.pull, "/tenon help").answer, "others have their own")
	for range 12 {
		require.NotEmpty(t, s.say("/tenon help").answer, "who may write is not counted")
	}
	s.Clock.Advance(time.Hour)
	require.NotEmpty(t, s.sayAs("stranger", s.pull, "/tenon help").answer)
}

func TestWhereNobodyIsServedRepliesAreLimitedToo(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.bot.Owners = []string{"others"}
	for range 12 {
		s.say("/tenon fix it")
	}
	require.Len(t, s.Calls("React"), 10)
	require.Len(t, s.pull.Answers(), 1)
}

// What has to be ended is ended, however many commands there were.
func TestAStrangersQueuedNoticeIsEndedBeyondTheLimit(t *testing.T) {
	t.Parallel()
	s := newStory(t, goodbye)
	s.addVictor()
	s.while(func() {
		s.pull.Comment("victor", "/tenon fix it")
		s.NotifyQueued()
		s.Repo.SetRole("victor", port.PermissionRead)
		for range 11 {
			s.pull.Comment("victor", "/tenon help")
		}
		s.RunImmediate()
	})
	s.pull.Comment("maria", "/tenon fix `main.go`")
	s.Run()
	require.NotContains(t, strings.Join(s.pull.Answers(), ""), "Waiting")
}

func TestARefusalThatCannotBeMadeIsTriedAgain(t *testing.T) {
	t.Parallel()
	for _, op := range []string{"FindComment", "Post"} {
		s := newStory(t, goodbye)
		s.Before(op).Fail(bottest.Retryable(time.Minute))
		require.Equal(t, []string{"-1"}, s.sayAs("stranger", s.pull, "/tenon fix it").reactions)
		require.Len(t, s.pull.Answers(), 1)
	}
}

// The record of a run can be read by people and played again.
func TestARunIsRead(t *testing.T) {
	t.Parallel()
	s := newStory(t, halfReplies("NO CHANGE")...)
	got := s.say("/tenon fix `main.go` and `greet.go`")
	run, _, err := s.Queue.FindRun(t.Context(), got.run)
	require.NoError(t, err)
	read, err := bot.ReadReplay(run)
	require.NoError(t, err)
	require.Len(t, read.Calls, 3)
	require.Equal(t, "fix", read.Calls[0].Kind)
	require.Equal(t, "repair", read.Calls[1].Kind)
	require.Len(t, read.Calls[1].Request.Messages, 3)
	require.Equal(t, halfReplies()[0], read.Calls[0].Answer.Text)
	require.Len(t, read.Results, 2)
	require.Equal(t, "main.go", read.Results[0].Path)
	require.Equal(t, s.Repo.Branch("speed"), read.Commit)
	require.Contains(t, read.Answer, "#pullrequestreview-")

	asked := s.say("/tenon ask what is `main.go`?")
	run, _, err = s.Queue.FindRun(t.Context(), asked.run)
	require.NoError(t, err)
	read, err = bot.ReadReplay(run)
	require.NoError(t, err)
	require.Len(t, read.Calls, 1)
	require.Empty(t, read.Results)

	for _, step := range []string{"context", "ask.1", "commit"} {
		run.Steps = map[string]port.Step{step: {Version: 99, Data: []byte("[]")}}
		_, err = bot.ReadReplay(run)
		require.Error(t, err, step)
	}
}
