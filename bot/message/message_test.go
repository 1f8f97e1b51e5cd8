package message

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// corpus returns the lines of a file in testdata, each read as a Go string.
func corpus(t *testing.T, name string) (list []string) {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	require.NoError(t, err)
	for line := range strings.SplitSeq(strings.TrimSpace(string(data)), "\n") {
		if strings.HasPrefix(line, "#") {
			continue
		}
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(line, `"`, `\"`) + `"`)
		require.NoError(t, err, line)
		list = append(list, text)
	}
	return list
}

func TestNoHostileLineIsASubject(t *testing.T) {
	t.Parallel()
	list := corpus(t, "hostile.txt")
	require.GreaterOrEqual(t, len(list), 120)
	for _, line := range list {
		require.False(t, IsSubject(line), "%q", line)
		require.Equal(t, "revert: the commit of run abc", RevertOf(line, "abc"), "%q", line)
	}
}

// The names of branches are anybody's.
func TestTheSubjectOfAMergeIsGitsOwn(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Merge branch 'main' into feature/x-1", MergeOf("main", "feature/x-1"))
	for _, line := range corpus(t, "hostile.txt") {
		for _, subject := range []string{MergeOf(line, "main"), MergeOf("main", line)} {
			require.False(t, acts(subject), "%q", subject)
			require.NotContains(t, subject, "\n")
		}
	}
}

// A title is shown without what programs act on, and tenon acts on the rest as little as on a subject.
func TestNothingHostileRemainsInATitle(t *testing.T) {
	t.Parallel()
	for _, line := range corpus(t, "hostile.txt") {
		title := Title(line, 200, "Issue 12")
		require.NotContains(t, title, "\n")
		require.False(t, acts(title), "%q became %q", line, title)
		for _, piece := range []string{"@", "#1", "://", "skip ci]", "BREAKING CHANGE:", "!:"} {
			require.NotContains(t, title, piece, "%q", line)
		}
		text := Text("before\n" + line + "\nafter")
		for part := range strings.SplitSeq(text, "\n") {
			require.False(t, acts(part), "%q became %q", line, text)
		}
	}
}

func TestAnHonestLineIsTakenAsItIs(t *testing.T) {
	t.Parallel()
	list := corpus(t, "honest.txt")
	require.GreaterOrEqual(t, len(list), 50)
	for _, line := range list {
		require.True(t, IsSubject(line), "%q acts as %q", line, neutral(line, rules))
		require.Equal(t, line, Title(line, 200, "Issue 12"))
		require.Equal(t, line, Text(line))
		require.True(t, strings.HasPrefix(RevertOf(line, "abc"), "revert: "+line[:10]))
	}
}

func TestASubjectIsOneLineOfAConventionalCommit(t *testing.T) {
	t.Parallel()
	for story, line := range map[string]string{
		"no type": "greet with a comma", "longer than 72": "fix: " + strings.Repeat("x", 70), "nothing": "",
		"empty after the type": "fix: ", "two lines": "fix: a\nb", "no UTF-8": "fix: \xff",
	} {
		require.False(t, IsSubject(line), story)
	}
}

func TestATitleKeepsWhatIsHarmless(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"Crash when @Component is missing":    "Crash when … is missing",
		"TypeError since #123":                "TypeError since …",
		"Broken link https://x.example/a":     "Broken link …",
		"It greets\ntoo early":                "It greets too early",
		"@maria":                              "Issue 12",
		"":                                    "Issue 12",
		"#1 #2":                               "Issue 12",
		"chore: apply edits from #3":          "Issue 12",
		"Support C# and F#":                   "Support C# and F#",
		"A title that is too long to be used": "A title that is too lon…",
	} {
		require.Equal(t, want, Title(title, 24, "Issue 12"), title)
	}
}

func TestTenonsOwnSubjectsAreRevertedByName(t *testing.T) {
	t.Parallel()
	require.Equal(t, "revert: chore: apply edits from #12", RevertOf("chore: apply edits from #12", "abc"))
	require.Equal(t, "revert: revert: the commit of run abc", RevertOf("revert: the commit of run abc", "def"))
	require.Equal(t, "revert: the commit of run abc", RevertOf("", "abc"))
	require.Len(t, RevertOf("fix: "+strings.Repeat("x", 67), "abc"), maxSubject+len("…")-1)
}

// A squash merge takes the description for the commit's message, and code in it for text.
func TestADescriptionSkipsNoCIAndClosesNoIssueInCode(t *testing.T) {
	t.Parallel()
	require.Equal(t, "```diff\n+// … is …\n+@Override // by @maria, see https://x.example\n```\n`…`",
		Shown("```diff\n+// [skip  ci] is fixes #12\n+@Override // by @maria, see https://x.example\n```\n`fixes LIN-1`"))
}

func FuzzTitle(f *testing.F) {
	f.Add("[skip [skip ci] ci]")
	f.Add("fix fixes #1#2: @@")
	f.Fuzz(func(t *testing.T, title string) {
		got := Title(title, 200, "Issue 12")
		require.False(t, acts(got), "%q became %q", title, got)
		require.NotContains(t, got, "\n")
	})
}
