package unmerged_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/internal/unmerged"
)

const (
	base   = "one\ntwo\nthree\nfour\nfive\nsix\nseven\n"
	ours   = "one\nTWO\nthree\nfour\nfive\nSIX\nseven\n"
	theirs = "one\n2\nthree\nfour\nfive\n6\nseven\neight\n"
	asGit  = "one\n<<<<<<< HEAD\nTWO\n=======\n2\n>>>>>>> feature\nthree\nfour\nfive\n" +
		"<<<<<<< HEAD\nSIX\n||||||| 1234567\nsix\n=======\n6\n>>>>>>> feature\nseven\neight\n"
)

func file(t *testing.T, now string) unmerged.File {
	t.Helper()
	f, refusal := unmerged.New("count.txt", []byte(base), []byte(ours), []byte(theirs), []byte(now), 4)
	require.Empty(t, refusal)
	return f
}

func openIn(f unmerged.File) (names []string) {
	for _, c := range f.Open {
		names = append(names, choice.Name(c.ID))
	}
	return names
}

func settled(text string) []choice.Line { return []choice.Line{{Text: text, Origin: choice.Ours}} }

func TestConflictsAreSettledOneAfterTheOther(t *testing.T) {
	t.Parallel()
	f := file(t, asGit)
	require.Equal(t, unmerged.Marked, f.State)
	require.Equal(t, []string{"C4", "C5"}, openIn(f))
	text, open := f.Text(map[int][]choice.Line{5: settled("SIX\n")})
	require.Equal(t, []int{4}, open)
	require.Regexp(t, "^one\n<<<<<<< C4 ours [0-9a-f]{12}\nTWO\n\\|{7} C4 base [0-9a-f]{12}\ntwo\n=======\n2\n"+
		">>>>>>> C4 theirs [0-9a-f]{12}\nthree\nfour\nfive\nSIX\nseven\neight\n$", string(text))

	f = file(t, "written by hand\n"+string(text))
	require.Equal(t, unmerged.Marked, f.State)
	require.Equal(t, []string{"C4"}, openIn(f))
	text, open = f.Text(map[int][]choice.Line{4: nil})
	require.Empty(t, open)
	require.Equal(t, "written by hand\none\nthree\nfour\nfive\nSIX\nseven\neight\n", string(text))

	f = file(t, string(text))
	require.Equal(t, unmerged.Done, f.State)
	require.Empty(t, f.Open)
}

func TestWhatPeopleChangedInAConflictIsKept(t *testing.T) {
	t.Parallel()
	for _, changed := range []string{
		strings.Replace(asGit, "TWO", "TWO AND", 1),
		strings.Replace(asGit, "three", "THREE", 1),
		strings.Replace(asGit, "=======\n2\n", "", 1),
		strings.Replace(asGit, ">>>>>>> feature\nthree", "three", 1),
	} {
		f := file(t, changed)
		require.Equal(t, unmerged.Edited, f.State, changed)
		require.Empty(t, f.Open)
		text, _ := f.Text(map[int][]choice.Line{4: nil, 5: nil})
		require.Equal(t, changed, string(text))
	}
}

func TestTheLineEndingsAreThoseOfTheWorkTree(t *testing.T) {
	t.Parallel()
	f := file(t, strings.ReplaceAll(asGit, "\n", "\r\n"))
	require.Equal(t, unmerged.Marked, f.State)
	lines, err := choice.Sides(choice.Theirs).Settle(f.Open[0].Sides, false)
	require.NoError(t, err)
	text, _ := f.Text(map[int][]choice.Line{4: lines, 5: nil})
	require.Equal(t, "one\r\n2\r\nthree\r\nfour\r\nfive\r\nseven\r\neight\r\n", string(text))
}

func TestAConflictThatIsThereTwiceIsNotTouched(t *testing.T) {
	t.Parallel()
	text, _ := file(t, asGit).Text(nil)
	only, _ := file(t, asGit).Text(map[int][]choice.Line{5: nil})
	block := strings.TrimPrefix(string(only), "one\n")
	block = block[:strings.Index(block, "three")]
	for _, now := range []string{string(text) + block, strings.Replace(string(text), block, "", 1) + block} {
		f := file(t, now)
		require.Equal(t, unmerged.Edited, f.State, now)
		require.Empty(t, f.Open)
	}
}

// Somebody who writes a version knows everything but the key, which depends on all versions.
func TestABlockInADocumentIsNoConflict(t *testing.T) {
	t.Parallel()
	imitated := "<<<<<<< C4 ours key\nTWO\n||||||| C4 base key\ntwo\n=======\n2\n>>>>>>> C4 theirs key\n"
	version := func(text string) []byte { return []byte(text + imitated) }
	f, refusal := unmerged.New("count.txt", version(base), version(ours), version(theirs), version(asGit), 4)
	require.Empty(t, refusal)
	require.NotEqual(t, unmerged.Done, f.State)
	require.NotEqual(t, []string{"C4"}, openIn(f))
	text, open := f.Text(map[int][]choice.Line{4: settled("TWO\n"), 5: settled("SIX\n")})
	require.Contains(t, string(text), imitated)
	require.Empty(t, open)
}

func TestAConflictAtTheEndMayHaveNoLastLineEnding(t *testing.T) {
	t.Parallel()
	for _, v := range [][4]string{
		{"a\nx", "a\ny", "a\nz", "a\n<<<<<<< HEAD\ny\n=======\nz\n>>>>>>> b\n"},
		{"a\nx\n", "a\ny", "a\nz\n", "a\n<<<<<<< HEAD\ny\n=======\nz\n>>>>>>> b\n"},
		{"a\nx\n", "a\ny\n", "a\nz", "a\n<<<<<<< HEAD\ny\n=======\nz\n>>>>>>> b\n"},
	} {
		f, refusal := unmerged.New("a.txt", []byte(v[0]), []byte(v[1]), []byte(v[2]), []byte(v[3]), 1)
		require.Empty(t, refusal)
		require.Equal(t, unmerged.Marked, f.State)
		lines, err := choice.Sides(choice.Ours).Settle(f.Open[0].Sides, f.Open[0].Last)
		require.NoError(t, err)
		text, _ := f.Text(map[int][]choice.Line{1: lines})
		require.Equal(t, v[1], string(text))
	}
}
