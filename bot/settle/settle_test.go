package settle_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/settle"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/merge/trees"
)

// blobs are the contents of versions, by their ids.
type blobs map[string]string

func (b blobs) read(id string) ([]byte, error) {
	text, ok := b[id]
	if !ok {
		return nil, errors.New("there is no such blob")
	}
	return []byte(text), nil
}

// text is a conflict in a text.
func text(t *testing.T, b blobs, path, base, ours, theirs string) trees.Conflict {
	t.Helper()
	pieces, refusal := merge.Pieces([]byte(base), []byte(ours), []byte(theirs))
	require.Empty(t, refusal)
	version := func(side, text string) trees.Version {
		id := path + side
		b[id] = text
		return trees.Version{Path: path, Entry: trees.Entry{Mode: trees.Regular, ID: id}}
	}
	return trees.Conflict{Kind: trees.Text, Path: path, Mode: trees.Regular, Pieces: pieces, Base: version("b", base),
		Ours: version("o", ours), Theirs: version("t", theirs)}
}

func entry(path string, mode trees.Mode, id string) trees.Version {
	return trees.Version{Path: path, Entry: trees.Entry{Mode: mode, ID: id}}
}

func nothing(string) string { return "" }

func merged(t *testing.T, b blobs, list ...trees.Conflict) settle.Merge {
	t.Helper()
	m, err := settle.New(list, b.read, nothing)
	require.NoError(t, err)
	return m
}

// twice is a text with two places.
func twice(a, b string) string { return a + "\n1\n2\n3\n4\n5\n6\n7\n8\n9\n" + b + "\n" }

func chosen(m settle.Merge, choices ...string) settle.State {
	s := settle.State{}
	for i, c := range m.Conflicts {
		s[c.ID] = record.ResolvedConflict{Key: c.Key, Choice: choices[i]}
	}
	return s
}

func TestConflictsAreNumberedByPathAndPlace(t *testing.T) {
	t.Parallel()
	b := blobs{}
	m := merged(t, b, text(t, b, "a.txt", twice("b", "b"), twice("o", "o"), twice("t", "t")),
		trees.Conflict{Kind: trees.Binary, Path: "b.bin", Mode: trees.Regular},
		text(t, b, "c.txt", "b\n", "o\n", "t\n"))
	var got []string
	for _, c := range m.Conflicts {
		got = append(got, fmt.Sprintf("%d %s:%d", c.ID, c.Path, c.Line))
	}
	require.Equal(t, []string{"1 a.txt:1", "2 a.txt:11", "3 b.bin:0", "4 c.txt:1"}, got)
}

func TestATextIsMadeOfItsChoices(t *testing.T) {
	t.Parallel()
	b := blobs{}
	m := merged(t, b, text(t, b, "a.txt", twice("b", "b"), twice("o", "o"), twice("t", "t")))
	for choices, want := range map[[2]string]string{
		{"ours", "theirs"}: twice("o", "t"), {"none", "ours, theirs"}: strings.TrimPrefix(twice("", "o\nt"), "\n"),
		{"new\n```\nx\n```", "base"}: twice("x", "b"),
	} {
		settled, left := m.Outcome(chosen(m, choices[0], choices[1]))
		require.Empty(t, left)
		require.Len(t, settled, 1)
		require.Equal(t, want, string(settled[0].Text))
		require.Equal(t, trees.Regular, settled[0].Entry.Mode)
	}
	settled, left := m.Outcome(chosen(m, "ours", ""))
	require.Empty(t, settled, "a path is settled whole")
	require.Len(t, left, 1)
	settled, left = m.Outcome(chosen(m, "ours", "ours"))
	require.Empty(t, settled, "it is as it is")
	require.Empty(t, left)
	settled, _ = m.Outcome(chosen(m, "theirs", "theirs"))
	require.Nil(t, settled[0].Text)
	require.Equal(t, "a.txtt", settled[0].Entry.ID, "it is the very file of theirs")
}

func TestNoChoiceMakesAPointerOfGitLFS(t *testing.T) {
	t.Parallel()
	const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 1\n"
	b := blobs{}
	m := merged(t, b, text(t, b, "a.bin", "b\n", "o\n", "t\n"), text(t, b, "b.bin", "b\n", "o\n", pointer))
	settled, left := m.Outcome(chosen(m, "new\n```\n"+pointer+"```", "theirs"))
	require.Len(t, left, 1)
	require.Equal(t, "a.bin", left[0].Path)
	require.Len(t, settled, 1, "a side may have one")
	require.Equal(t, "b.bint", settled[0].Entry.ID)
}

func TestASideIsTakenOfWhatIsNotOfLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		what         trees.Conflict
		ours, theirs []trees.Merged
	}{
		"a deleted file": {
			trees.Conflict{Kind: trees.ModifyDelete, Path: "a", Ours: entry("a", trees.Regular, "o"), Theirs: entry("a", 0, "")},
			nil, []trees.Merged{{Path: "a"}},
		},
		"a file that ours deleted": {
			trees.Conflict{Kind: trees.ModifyDelete, Path: "a", Ours: entry("a", 0, ""), Theirs: entry("a", trees.Regular, "t")},
			nil, []trees.Merged{{Path: "a", Entry: trees.Entry{Mode: trees.Regular, ID: "t"}}},
		},
		"a file that theirs renamed": {
			trees.Conflict{Kind: trees.Binary, Path: "new", Ours: entry("old", trees.Regular, "o"),
				Theirs: entry("new", trees.Regular, "t")},
			[]trees.Merged{{Path: "new", Entry: trees.Entry{Mode: trees.Regular, ID: "o"}}},
			[]trees.Merged{{Path: "new", Entry: trees.Entry{Mode: trees.Regular, ID: "t"}}},
		},
		"a link": {
			trees.Conflict{Kind: trees.Types, Path: "a", Ours: entry("a", trees.Symlink, "o"),
				Theirs: entry("a", trees.Submodule, "t")},
			nil, []trees.Merged{{Path: "a", Entry: trees.Entry{Mode: trees.Submodule, ID: "t"}}},
		},
	} {
		m := merged(t, nil, c.what)
		for choice, want := range map[string][]trees.Merged{"ours": c.ours, "theirs": c.theirs} {
			settled, left := m.Outcome(chosen(m, choice))
			require.Empty(t, left, name)
			require.Equal(t, want, settled, "%s: %s", name, choice)
		}
		for _, choice := range []string{"ours, theirs", "lines o1", "none", "base", "", "new\n```\nx\n```"} {
			_, left := m.Outcome(chosen(m, choice))
			require.Len(t, left, 1, choice)
		}
	}
}

func TestWhatIsAboutSeveralPathsIsNotSettled(t *testing.T) {
	t.Parallel()
	for _, kind := range []trees.Kind{trees.RenameApart, trees.RenameTogether, trees.RenameType, trees.RenameUnclear,
		trees.Directory, trees.Location} {
		m := merged(t, nil, trees.Conflict{Kind: kind, Path: "a"})
		require.Len(t, m.Unsettled(), 1, kind)
		_, left := m.Outcome(chosen(m, "ours"))
		require.Len(t, left, 1, kind)
	}
}

func TestAProtectedTextIsTakenWholeFromTheirs(t *testing.T) {
	t.Parallel()
	b := blobs{}
	m, err := settle.New([]trees.Conflict{text(t, b, "ci.yml", twice("b", "b"), twice("o", "o"), twice("t", "t"))}, b.read,
		func(string) string { return "it runs" })
	require.NoError(t, err)
	require.Len(t, m.Conflicts, 1)
	require.Empty(t, m.Files, "nobody is asked about its lines")
	_, left := m.Outcome(chosen(m, "ours"))
	require.Len(t, left, 1)
	settled, _ := m.Outcome(chosen(m, "theirs"))
	require.Equal(t, []trees.Merged{{Path: "ci.yml", Entry: trees.Entry{Mode: trees.Regular, ID: "ci.ymlt"}}}, settled)
}

func TestChoicesHoldForTheConflictsThatAreTheSame(t *testing.T) {
	t.Parallel()
	b := blobs{}
	before := merged(t, b, text(t, b, "a.txt", twice("b", "c"), twice("o", "p"), twice("t", "u")),
		text(t, b, "b.txt", "b\n", "o\n", "t\n"))
	list := before.Record(chosen(before, "ours", "theirs", "ours"))
	after := merged(t, b, text(t, b, "a.txt", twice("b", "c"), twice("o", "P"), twice("t", "u")),
		text(t, b, "b.txt", "b\n", "o\n", "t\n"))
	s := after.Restore(list)
	require.Equal(t, "ours", s[1].Choice)
	require.Empty(t, s[2].Choice, "it is another one")
	require.Equal(t, "ours", s[3].Choice)
	require.Equal(t, map[int]int{1: 1, 3: 3}, after.Same(list))
	moved := merged(t, b, text(t, b, "c.txt", "b\n", "o\n", "t\n"))
	require.Empty(t, moved.Same(list), "a path is part of a conflict")
}

// Of conflicts that are alike, it is certain which is which only if they are as many as before.
func TestConflictsThatAreAlikeAreMatchedInOrderOrNotAtAll(t *testing.T) {
	t.Parallel()
	b := blobs{}
	const around = "1\n2\n3\n4\n5\n6\n7\n8\n"
	alike := func(first, second string) string {
		return "top\n" + around + first + "\n" + around + "middle\n" + around + second + "\n" + around + "end\n"
	}
	two := merged(t, b, text(t, b, "a.txt", alike("b", "b"), alike("o", "o"), alike("t", "t")))
	list := two.Record(chosen(two, "ours", "theirs"))
	require.Equal(t, list[0].Key, list[1].Key)
	s := two.Restore(list)
	require.Equal(t, [2]string{"ours", "theirs"}, [2]string{s[1].Choice, s[2].Choice})
	one := merged(t, b, text(t, b, "a.txt", alike("b", "b"), alike("o", "b"), alike("t", "b")))
	require.Equal(t, list[0].Key, one.Conflicts[0].Key)
	require.Empty(t, one.Restore(list)[1].Choice)
}

func TestTheSameLinesInConflictElsewhereInAFileAreAnotherConflict(t *testing.T) {
	t.Parallel()
	b := blobs{}
	first := merged(t, b, text(t, b, "a.txt", twice("b", "b"), twice("o", "b"), twice("t", "t")))
	list := first.Record(chosen(first, "ours"))
	second := merged(t, b, text(t, b, "a.txt", twice("b", "b"), twice("t", "o"), twice("t", "t")))
	require.Len(t, second.Conflicts, 1)
	require.Equal(t, first.Conflicts[0].Lines.Sides, second.Conflicts[0].Lines.Sides)
	require.Empty(t, second.Restore(list)[1].Choice)
}

func TestARevisionChangesWithWhatBoxesMean(t *testing.T) {
	t.Parallel()
	list := []record.ResolvedConflict{{Key: "a"}, {Key: "b", Proposal: "new\n```\nx\n```"}}
	revision := settle.Revision(list)
	require.Len(t, revision, 8)
	require.NotEqual(t, revision, settle.Revision(list[:1]))
	require.NotEqual(t, revision, settle.Revision([]record.ResolvedConflict{list[1], list[0]}))
	require.NotEqual(t, revision, settle.Revision([]record.ResolvedConflict{{Key: "a"}, {Key: "b", Proposal: "ours"}}))
	list[0].Choice, list[0].ByHand = "ours", true
	require.Equal(t, revision, settle.Revision(list), "a choice changes no meaning")
}

func TestAMergeWithTooManyConflictsIsRefused(t *testing.T) {
	t.Parallel()
	var base, ours, theirs strings.Builder
	for i := range settle.MaxConflicts + 1 {
		for side, b := range map[string]*strings.Builder{"b": &base, "o": &ours, "t": &theirs} {
			fmt.Fprintf(b, "%s%d\n%d\n%d\n%d\n%d\n", side, i, i, i, i, i)
		}
	}
	b := blobs{}
	one := text(t, b, "a.txt", base.String(), ours.String(), theirs.String())
	_, err := settle.New([]trees.Conflict{one}, b.read, nothing)
	require.ErrorIs(t, err, settle.ErrTooMany)
	list := make([]trees.Conflict, settle.MaxConflicts+1)
	for i := range list {
		list[i] = trees.Conflict{Kind: trees.Binary, Path: fmt.Sprint(i)}
	}
	_, err = settle.New(list, b.read, nothing)
	require.ErrorIs(t, err, settle.ErrTooMany)
	_, err = settle.New(list[1:], b.read, nothing)
	require.NoError(t, err)
}

func TestChoicesThatAreTooLongAreNotKept(t *testing.T) {
	t.Parallel()
	b := blobs{}
	m := merged(t, b, text(t, b, "a.txt", twice("b", "b"), twice("o", "o"), twice("t", "t")))
	s := m.Fits(chosen(m, "new\n```\n"+strings.Repeat("x\n", 200_000)+"```", "ours"))
	require.Empty(t, s[1].Choice)
	require.Contains(t, s[1].Note, "too long")
}

func TestATextWithAProblemIsShownBeforeItHolds(t *testing.T) {
	t.Parallel()
	b := blobs{}
	m := merged(t, b, text(t, b, "a.go", "package a\n\nvar x = 1\n", "package a\n\nvar x = 2\n", "package a\n\nvar x = "+
		"3\n"))
	s := chosen(m, "ours, theirs")
	broken := m.Broken(nil, s)
	require.Len(t, broken, 1)
	require.Equal(t, []int{1}, broken[0].IDs)
	shown := m.Revoke(s, broken, nil)
	require.Equal(t, record.ResolvedConflict{Key: s[1].Key, Proposal: "ours, theirs"}, shown[1])
	require.Equal(t, "ours, theirs", s[1].Choice, "what is given is not changed")
	told := []string{broken[0].Sum}
	require.Equal(t, shown, m.Revoke(s, broken, told), "nobody has taken it")
	s[1] = record.ResolvedConflict{Key: s[1].Key, Choice: "ours, theirs", ByHand: true}
	require.Equal(t, s, m.Revoke(s, broken, told))
	require.Equal(t, shown, m.Revoke(s, broken, nil))
	require.Empty(t, m.Broken(nil, chosen(m, "ours")))
}
