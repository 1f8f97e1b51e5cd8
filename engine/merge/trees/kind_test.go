package trees

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// poem is a text of twenty lines, some replaced.
func poem(changed map[int]string) string {
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		line, ok := changed[i]
		if !ok {
			line = fmt.Sprintf("line %d of a poem that nobody wrote\n", i)
		}
		b.WriteString(line)
	}
	return b.String()
}

func text(changed map[int]string) file { return file{Regular, poem(changed)} }

var (
	plain  = text(nil)
	first  = text(map[int]string{1: "first\n"})
	last   = text(map[int]string{20: "last\n"})
	other  = text(map[int]string{1: "other\n"})
	short  = file{Regular, "something else\n"}
	module = func(id string) file { return file{Submodule, strings.Repeat(id, 40)} }
	link   = func(to string) file { return file{Symlink, to} }
)

func mergeOf(t *testing.T, base, ours, theirs files) Result {
	t.Helper()
	w := world{base, ours, theirs}
	got, err := Merge(nil, w.input())
	require.NoError(t, err)
	require.Empty(t, got.Refusal)
	requireNoMarkers(t, got)
	requireSymmetric(t, w, got)
	return got
}

var words = Words{Ours: "The branch", Theirs: "main", Quote: func(s string) string { return "`" + s + "`" }}

func TestWhatIsNotMergedHasAKindAndASentence(t *testing.T) {
	t.Parallel()
	same := files{"d/a": plain, "d/b": short, "d/c": file{Regular, "c\n"}}
	for name, c := range map[string]struct {
		base, ours, theirs files
		kind               Kind
		path, says         string
	}{
		"the same lines changed": {
			files{"a": plain}, files{"a": first}, files{"a": other}, Text, "a",
			"The branch and main both changed `a` in the same place. Choose which lines to keep.",
		},
		"two texts added": {
			files{}, files{"a": plain}, files{"a": short}, Text, "a",
			"The branch and main both added `a` with different content. Choose which lines to keep.",
		},
		"a text changed that was renamed, in the same lines": {
			files{"a": plain}, files{"b": first}, files{"a": other}, Text, "b",
			"The branch and main both changed `b` in the same place. Choose which lines to keep.",
		},
		"bytes": {
			files{"a": file{Regular, "\x00"}}, files{"a": file{Regular, "\x001"}}, files{"a": file{Regular, "\x002"}},
			Binary, "a",
			"The branch and main both changed `a`, which is not text. Choose one of the two versions.",
		},
		"a large file": {
			files{"a": large("0")}, files{"a": large("1")}, files{"a": large("2")}, Large, "a",
			"The branch and main both changed `a`, which is too large to be merged. Choose one of the two versions.",
		},
		"a lock file": {
			files{"web/package-lock.json": plain}, files{"web/package-lock.json": first}, files{"web/package-lock.json": other},
			Generated, "web/package-lock.json",
			"The branch and main both changed the generated file `web/package-lock.json`. Settle the other conflicts, then " +
				"run `npm install --package-lock-only` to make it again.",
		},
		"a submodule": {
			files{"m": module("1")}, files{"m": module("2")}, files{"m": module("3")}, Submodules, "m",
			"The branch and main both changed the submodule `m`. Choose one of the two commits, or a newer one that has both.",
		},
		"a link": {
			files{"l": link("a")}, files{"l": link("b")}, files{"l": link("c")}, Symlinks, "l",
			"The branch and main both changed the symbolic link `l`. Choose one of the two versions.",
		},
		"a file and a link": {
			files{}, files{"l": link("b")}, files{"l": plain}, Types, "l",
			"`l` is a symbolic link on The branch, and a file on main. Choose one of the two versions.",
		},
		"one executable": {
			files{}, files{"a": file{Executable, "x\n"}}, files{"a": file{Regular, "x\n"}}, Modes, "a",
			"The branch and main both added `a`, as an executable file only on The branch. Choose whether it is executable.",
		},
		"changed and deleted": {
			files{"a": plain}, files{"a": first}, files{}, ModifyDelete, "a",
			"main deleted `a`, which The branch changed. Keep the file or delete it.",
		},
		"deleted and changed": {
			files{"a": plain}, files{}, files{"a": first}, ModifyDelete, "a",
			"The branch deleted `a`, which main changed. Keep the file or delete it.",
		},
		"renamed and deleted": {
			files{"a": plain}, files{"b": first}, files{}, RenameDelete, "b",
			"The branch renamed `a` to `b`, and main deleted it. Keep the file or delete it.",
		},
		"deleted and renamed": {
			files{"a": plain}, files{}, files{"b": plain}, RenameDelete, "b",
			"main renamed `a` to `b`, and The branch deleted it. Keep the file or delete it.",
		},
		"renamed twice": {
			files{"a": plain}, files{"b": plain}, files{"c": last}, RenameApart, "b",
			"The branch renamed `a` to `b`, and main renamed it to `c`. Choose one of the two names.",
		},
		"renamed to where another one is": {
			files{"a": plain}, files{"b": plain}, files{"a": first, "b": short}, RenameTogether, "b",
			"One side renamed `a` to `b`, where the other one has another file. Give one of them another name, or keep only " +
				"one.",
		},
		"renamed and made a link": {
			files{"a": plain}, files{"b": plain}, files{"a": link("x")}, RenameType, "b",
			"One side renamed `a` to `b`, and the other one replaced it by something of another type. Keep one of them.",
		},
		"renamed to one of two places": {
			files{"a": plain}, files{"b": plain, "c": plain}, files{"a": first}, RenameUnclear, "a",
			"One side renamed or deleted `a`, and the other one changed or deleted it; whether it is now `b` or `c` is " +
				"unclear, since several files are similar. Make the change where it belongs.",
		},
		"a file and a directory": {
			files{"x": short}, files{"x": short, "a": plain}, files{"x": short, "a/b": plain}, Directory, "a",
			"`a` is a file on The branch, and a directory on main. Give one of them another name, or keep only one.",
		},
		"a changed file that became a directory": {
			files{"a": short}, files{"a": text(map[int]string{2: "two\n"})}, files{"a/b": plain}, Directory, "a",
			"`a` is a file on The branch, and a directory on main. Give one of them another name, or keep only one.",
		},
		"a file renamed to the place of a directory": {
			files{"x": plain}, files{"x": first, "a/b": short}, files{"a": text(map[int]string{1: "other\n"})}, Directory, "a",
			"`a` is a file on main, and a directory on The branch. Give one of them another name, or keep only one.",
		},
		"added to a directory that was renamed": {
			same, files{"e/a": plain, "e/b": short, "e/c": file{Regular, "c\n"}}, same.with("d/new", last), Location, "d/new",
			"main put `d/new` into a directory that The branch renamed to `e`. Leave the file where it is, or move it too.",
		},
		"added to a directory that was divided": {
			files{"d/a": plain, "d/b": short}, files{"e/a": plain, "f/b": short},
			files{"d/a": plain, "d/b": short, "d/new": last}, Location, "d/new",
			"main put `d/new` into a directory whose files The branch moved to several others. Leave the file where it is, or " +
				"move it too.",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := mergeOf(t, c.base, c.ours, c.theirs)
			var kinds []Kind
			for _, conflict := range got.Conflicts {
				kinds = append(kinds, conflict.Kind)
				if conflict.Kind == c.kind {
					require.Equal(t, c.path, conflict.Path)
					require.Equal(t, c.says, conflict.Describe(words))
				}
			}
			require.Contains(t, kinds, c.kind, "%+v", got)
		})
	}
}

func large(end string) file {
	return file{Regular, strings.Repeat("a line of a large file\n", 1<<17) + end}
}

func TestWhatOnlyOneSideDidIsDone(t *testing.T) {
	t.Parallel()
	got := mergeOf(t,
		files{"changed": plain, "gone": short, "mode": file{Regular, "m\n"}, "old": last, "mine": other},
		files{"changed": plain, "gone": short, "mode": file{Regular, "m\n"}, "old": last},
		files{"changed": first, "mode": file{Executable, "m\n"}, "new": last, "mine": other, "link": link("new")})
	require.True(t, got.Clean())
	require.Equal(t, []Merged{
		{Path: "changed", Entry: first.entry()},
		{Path: "gone"},
		{Path: "link", Entry: link("new").entry()},
		{Path: "mode", Entry: file{Executable, "m\n"}.entry()},
		{Path: "new", Entry: last.entry()},
		{Path: "old"},
	}, got.Merged)
}

func TestTextsThatBothChangedAreMergedWithTheirModes(t *testing.T) {
	t.Parallel()
	both := text(map[int]string{1: "first\n", 20: "last\n"})
	got := mergeOf(t, files{"a": plain}, files{"a": file{Executable, first.text}}, files{"a": last})
	require.Equal(t, []Merged{{"a", Entry{Mode: Executable}, []byte(both.text)}}, got.Merged)
}

func TestAChangeFollowsTheFileToItsNewName(t *testing.T) {
	t.Parallel()
	both := []byte(poem(map[int]string{1: "first\n", 20: "last\n"}))
	got := mergeOf(t, files{"a": plain}, files{"d/b": first}, files{"a": last})
	require.Equal(t, []Merged{{"d/b", Entry{Mode: Regular}, both}}, got.Merged)
	got = mergeOf(t, files{"a": plain}, files{"a": first}, files{"d/b": last})
	require.Equal(t, []Merged{{Path: "a"}, {"d/b", Entry{Mode: Regular}, both}}, got.Merged)
	got = mergeOf(t, files{"a": plain}, files{"b": first}, files{"b": last})
	require.Equal(t, []Merged{{"b", Entry{Mode: Regular}, both}}, got.Merged, "both sides renamed it")
}

func TestAConflictInATextHasItsPieces(t *testing.T) {
	t.Parallel()
	got := mergeOf(t, files{"a": plain}, files{"a": first}, files{"a": other})
	require.Len(t, got.Conflicts, 1)
	require.Equal(t, Regular, got.Conflicts[0].Mode)
	require.Len(t, got.Conflicts[0].Pieces, 2)
	require.Equal(t, []string{"first\n"}, got.Conflicts[0].Pieces[0].Conflict.Ours)
}

func TestALockFileWithoutConflictsIsMerged(t *testing.T) {
	t.Parallel()
	got := mergeOf(t, files{"go.sum": plain}, files{"go.sum": first}, files{"go.sum": last})
	require.True(t, got.Clean())
}

func TestADirectoryThatIsGoneOnOneSideAloneMovesNothing(t *testing.T) {
	t.Parallel()
	base := files{"d/a": plain, "d/b": short}
	got := mergeOf(t, base, files{}, base.with("d/new", last))
	require.True(t, got.Clean(), "%+v", got)
	got = mergeOf(t, base, files{"e/a": plain, "d/b": short}, base.with("d/new", last))
	require.True(t, got.Clean(), "the directory is still there: %+v", got)
}

func TestAFileWithTheSameNameIsTakenBeforeALikerOneOnlyIfItIsLikeEnough(t *testing.T) {
	t.Parallel()
	changed := func(n int) file {
		lines := map[int]string{}
		for i := range n {
			lines[i+2] = "a line that the other version does not have\n"
		}
		return text(lines)
	}
	for lines, want := range map[int]string{3: "y/name", 7: "y/else"} {
		ours := files{"y/name": changed(lines), "y/else": changed(1)}
		got := mergeOf(t, files{"x/name": plain}, ours, files{"x/name": last})
		require.Len(t, got.Merged, 1)
		require.Equal(t, want, got.Merged[0].Path)
	}
}
