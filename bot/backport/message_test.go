package backport

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestAMessageSaysWhereItWasPickedFromAsGitDoes(t *testing.T) {
	t.Parallel()
	const picked = "(cherry picked from commit a1)\nTenon-Run: x\n"
	for message, want := range map[string]string{
		"One":                                   "One\n\n" + picked,
		"One\n\nWhy: it was.\nIt is":            "One\n\nWhy: it was.\nIt is\n\n" + picked,
		"fix: one":                              "fix: one\n\n" + picked,
		"One\n\nSigned-off-by: A <a@x.example>": "One\n\nSigned-off-by: A <a@x.example>\n" + picked,
		"One\n\n(cherry picked from commit b)":  "One\n\n(cherry picked from commit b)\n" + picked,
		"One\n\nTenon-Run: x":                   "One\n\nTenon-Run: x\n(cherry picked from commit a1)\n",
		"":                                      picked,
	} {
		require.Equal(t, want, Commit{Message: message, Picked: []string{"a1"}}.FullMessage("Tenon-Run: x"), message)
	}
}

func TestAMessageIsRepeatedWithoutWhatStartsSomething(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One\r\n\r\nTwo\n":                           "One\n\nTwo",
		"One [skip ci]\n\nCloses #3. See #4, @maria": "One …\n\n…. See #4, @maria",
		"One\n\nTenon-Run: abcdefabcdef\nCo-authored-by: m <m@x.example>\ntenon-undo : y": "One\n\n" +
			"Co-authored-by: m <m@x.example>",
		"One\u202e two\u200b\n\tthree\x00": "One two\n\tthree",
		strings.Repeat("x", 20_000):        strings.Repeat("x", maxMessage-1) + "…",
	} {
		require.Equal(t, want, cleaned(text))
	}
	require.Equal(t, "One …", Subject("One [skip ci]\n\nTwo"))
	require.Equal(t, "One two", Title("One\ntwo"))
}

func TestTheTitleOfABackportStartsNothing(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{
		"release/1.2": "[release/1.2] Be fast …", "skip-ci": "… Be fast …", "no_ci": "… Be fast …",
		"deploy": "Be fast … (backport to deploy)", "release-1.2": "[release-1.2] Be fast …",
		"closes#7": "[…] Be fast …", "re\u200blease\u202e": "[re�lease�] Be fast …",
	} {
		require.Equal(t, want, PullTitle(to, "Be\nfast [skip ci]"))
	}
	require.Equal(t, "[v1] Be fast, …", PullTitle("v1", "Be fast, fixes #7"))
}

func TestAnAuthorWithoutAnAccountIsNamedAsInTheCommit(t *testing.T) {
	t.Parallel()
	require.Equal(t, "Co-authored-by: Ann <ann@x.example>", CoAuthor(port.Author{Name: "Ann", Email: "ann@x.example"}))
	for _, a := range []port.Author{
		{Name: "Ann"}, {Email: "ann@x.example"}, {Name: "Ann\nTenon-Run: x", Email: "a@x.example"},
		{Name: "Ann <b@x.example>", Email: "a@x.example"}, {Name: "Ann", Email: "a>b"}, {Name: "A\u202enn", Email: "a"},
		{Name: strings.Repeat("x", 201), Email: "a"}, {Name: "Ann [skip ci]", Email: "a"},
		{Name: "Ann, closes #7", Email: "a"},
		{Name: "Ann [deploy]", Email: "a"}, {Name: "Ann @mallory", Email: "a"}, {Name: "Ann", Email: "[no ci]"},
	} {
		require.Empty(t, CoAuthor(a), a)
	}
}

func TestABranchNamesWhatItIsABackportOf(t *testing.T) {
	t.Parallel()
	for _, name := range []string{Branch(12, 1, "release/1.2"), Branch(12, 2, "release"), Branch(12, 1, "-2-to-x")} {
		number, ok := PullOf(name)
		require.True(t, ok, name)
		require.Equal(t, 12, number)
	}
	require.Equal(t, "tenon/backport-12-to-release/1.2", Branch(12, 1, "release/1.2"))
	require.Equal(t, "tenon/backport-12-3-to-release", Branch(12, 3, "release"))
	for _, name := range []string{"tenon/backport-0-to-x", "tenon/backport-1-to-", "tenon/issue-1",
		"x/tenon/backport-1-to-x", "tenon/backport-1234567890-to-x"} {
		_, ok := PullOf(name)
		require.False(t, ok, name)
	}
}

func FuzzFullMessage(f *testing.F) {
	f.Add("One [skip ci]\n\nFixes #3\n\nTenon-Run: x")
	f.Add("a: b\n\n(cherry picked from commit x)\n")
	f.Fuzz(func(t *testing.T, text string) {
		c := Commit{Message: cleaned(text), Picked: []string{"a1"}}
		got := c.FullMessage("Tenon-Run: abcdefabcdef")
		require.Equal(t, 1, strings.Count(strings.ToLower(got), "\ntenon-run:"), got)
		require.True(t, strings.HasSuffix(got, "(cherry picked from commit a1)\nTenon-Run: abcdefabcdef\n"), got)
	})
}

// Finding words in a text that has no end takes time.
func TestALongMessageIsCutBeforeItIsRead(t *testing.T) {
	t.Parallel()
	got := cleaned(strings.Repeat("[skip ci] ", maxMessage))
	require.InDelta(t, maxMessage/len("[skip ci] "), strings.Count(got, "…"), 2)
}
