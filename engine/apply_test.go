package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// linkTree is a MemTree in which some names are links or submodules, and some cannot be read or written.
type fakeTree struct {
	MemTree
	kinds  map[string]Kind
	broken map[string]error
}

func (t fakeTree) Kind(name string) (Kind, error) {
	if k, ok := t.kinds[name]; ok {
		return k, t.broken["kind "+name]
	}
	return t.MemTree.Kind(name)
}

func (t fakeTree) ReadFile(name string) ([]byte, error) {
	if err := t.broken["read "+name]; err != nil {
		return nil, err
	}
	return t.MemTree.ReadFile(name)
}

func (t fakeTree) WriteFile(name string, data []byte) error {
	if err := t.broken["write "+name]; err != nil {
		return err
	}
	return t.MemTree.WriteFile(name, data)
}

func TestNothingIsWrittenThroughSymlinksOrSubmodules(t *testing.T) {
	t.Parallel()
	tree := fakeTree{MemTree: MemTree{"real/x": []byte("a\n")}, kinds: map[string]Kind{"ln": Symlink, "sub": Submodule, "real/link": Symlink}}
	for path, detail := range map[string]string{
		"ln":        "Unsafe path: ln is a symbolic link",
		"ln/x":      "Unsafe path: ln is a symbolic link",
		"sub/x":     "Unsafe path: sub is a submodule",
		"sub":       "Unsafe path: sub is a submodule",
		"real/link": "Unsafe path: real/link is a symbolic link",
		"ln/new/f":  "Unsafe path: ln is a symbolic link",
	} {
		for _, find := range []string{"", "a"} {
			res := Check(tree, blockOf(path, find, "b"), Options{})
			require.Equal(t, UnsafePath, res.Reason, "%s %q", path, find)
			require.Equal(t, detail, res.Detail)
		}
	}
}

func TestADryRunWritesNothing(t *testing.T) {
	t.Parallel()
	tree := MemTree{"f": []byte("a\n")}
	blocks := []Block{blockOf("f", "a", "b"), blockOf("new", "", "x")}
	dry, err := Apply(tree, blocks, Options{DryRun: true})
	require.NoError(t, err)
	require.Equal(t, MemTree{"f": []byte("a\n")}, tree)
	wet, err := Apply(tree, blocks, Options{})
	require.NoError(t, err)
	require.Equal(t, wet, dry)
	require.Equal(t, []string{"f", "new"}, wet.Changed)
	require.Equal(t, MemTree{"f": []byte("b\n"), "new": []byte("x\n")}, tree)
}

func TestANewFileCanBeEditedByTheSameReply(t *testing.T) {
	t.Parallel()
	tree := MemTree{}
	out, err := Apply(tree, []Block{blockOf("d/new", "", "a\nb"), blockOf("d/new", "b", "c")}, Options{})
	require.NoError(t, err)
	require.Equal(t, Applied, out.Results[1].Status, out.Results[1].Detail)
	require.Equal(t, "a\nc\n", string(tree["d/new"]))
}

func TestAnEditThatIsRevertedChangesNothing(t *testing.T) {
	t.Parallel()
	out, err := Apply(MemTree{"f": []byte("a\n")}, []Block{blockOf("f", "a", "b"), blockOf("f", "b", "a")}, Options{})
	require.NoError(t, err)
	require.Empty(t, out.Changed)
	require.Equal(t, Applied, out.Results[1].Status)
}

func TestWhatWasShownLimitsTheLevel(t *testing.T) {
	t.Parallel()
	const file = "def f():\n    one(1)\n\n    two(2)  \n"
	for _, c := range []struct {
		shown      Shown
		find       string
		want       Reason
		wantDetail string
	}{
		{ShownChanged, "    two(2)  ", "", ""},
		{ShownChanged, "    two(2)", "", ""},
		{ShownChanged, "    one(1)\n    two(2)", Stale, sentences[Stale]},
		{ShownChanged, "one(1)", Stale, sentences[Stale]},
		{ShownChanged, "gone(1)", NotFound, sentences[NotFound]},
		{ShownUnknown, "    one(1)\n    two(2)", "", ""},
		{ShownUnknown, "one(1)", Stale, sentenceStaleUnknown},
		{ShownSame, "one(1)", "", ""},
	} {
		opts := Options{Shown: func(string) Shown { return c.shown }}
		res := Check(MemTree{"f": []byte(file)}, blockOf("f", c.find, "x"), opts)
		require.Equal(t, c.want, res.Reason, "%d %q: %s", c.shown, c.find, res.Detail)
		require.Equal(t, c.wantDetail, res.Detail)
	}
}

func TestEachLevelCanBeDisabled(t *testing.T) {
	t.Parallel()
	all := []Level{LevelExact, LevelTrailingSpace, LevelBlankLines, LevelIndent, LevelHomoglyph, LevelEllipsis, LevelFuzzyContext}
	tree := MemTree{"f": []byte("alpha(one)\nbeta(two)\n\n    gamma(\"three\")\ndelta(four)\n")}
	for level, find := range map[Level]string{
		LevelExact:         "beta(two)",
		LevelTrailingSpace: "beta(two) ",
		LevelBlankLines:    "beta(two)\n    gamma(\"three\")",
		LevelIndent:        "  gamma(\"three\")",
		LevelHomoglyph:     "    gamma(“three”)",
	} {
		b := blockOf("f", find, "x")
		require.Equal(t, level, Check(tree, b, Options{}).Level, find)
		require.NotEqual(t, Applied, Check(tree, b, Options{DisabledLevels: all}).Status)
		require.Equal(t, Failed, Check(tree, b, Options{DisabledLevels: all[level-1:]}).Status, find)
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	tree := MemTree{"f": []byte(strings.Repeat("line\n", 30)), "g": []byte("a\n")}
	out, err := Apply(tree, []Block{blockOf("f", "line", "x"), blockOf("g", "a", strings.Repeat("b", 200)), blockOf("h", "", "x")},
		Options{Limits: Limits{FileBytes: 100, Blocks: 2}})
	require.NoError(t, err)
	require.Empty(t, out.Changed)
	for i, detail := range []string{
		"The file is too large: at most 100 bytes are edited",
		"The file is too large: at most 100 bytes are edited",
		"Too much in one reply: at most 2 blocks and 2097152 bytes are applied",
	} {
		require.Equal(t, TooLarge, out.Results[i].Reason)
		require.Equal(t, detail, out.Results[i].Detail)
	}
	b := blockOf("g", "a", "b")
	b.Raw = strings.Repeat("x", 11)
	require.Equal(t, TooLarge, Check(tree, b, Options{Limits: Limits{ReplyBytes: 10}}).Reason)
	require.Equal(t, Applied, Check(tree, b, Options{Limits: Limits{ReplyBytes: 11}}).Status)
}

func TestProtectedPathsAreNotEdited(t *testing.T) {
	t.Parallel()
	opts := Options{Protected: func(path string) bool { return strings.HasPrefix(path, ".github/") }}
	tree := MemTree{".github/x.yml": []byte("a\n")}
	for _, path := range []string{".github/x.yml", "a/.github/x.yml", "./.github/x.yml"} {
		res := Check(tree, blockOf(path, "a", "b"), opts)
		require.Equal(t, ProtectedPath, res.Reason, path)
		require.Equal(t, "Edits of this path are not allowed: .github/x.yml", res.Detail)
	}
	require.Equal(t, ProtectedPath, Check(tree, blockOf(".github/new.yml", "", "b"), opts).Reason)
}

func TestErrorsOfTheTreeAreReturned(t *testing.T) {
	t.Parallel()
	gone := errors.New("disk on fire")
	tree := fakeTree{MemTree: MemTree{"f": []byte("a\n")}, broken: map[string]error{"read f": gone}}
	_, err := Apply(tree, []Block{blockOf("f", "a", "b")}, Options{})
	require.ErrorIs(t, err, gone)
	require.ErrorContains(t, err, "reading f")
	require.Equal(t, Failed, Check(tree, blockOf("f", "a", "b"), Options{}).Status)

	tree.broken = map[string]error{"write f": gone}
	_, err = Apply(tree, []Block{blockOf("f", "a", "b")}, Options{})
	require.ErrorIs(t, err, gone)
	require.ErrorContains(t, err, "writing f")

	tree.kinds, tree.broken = map[string]Kind{"f": Absent}, map[string]error{"kind f": gone}
	_, err = Paths(tree, []Block{blockOf("f", "a", "b")})
	require.ErrorIs(t, err, gone)
}

func TestPathsAreTheFilesThatApplyReads(t *testing.T) {
	t.Parallel()
	tree := MemTree{"src/a.go": nil, "b.go": nil, "x/c.go": nil, "y/c.go": nil, "other": nil}
	names, err := Paths(tree, []Block{
		blockOf("a/src/a.go", "x", "y"), blockOf("b.go", "x", "y"), blockOf("b.go", "z", "y"), blockOf("new.go", "", "y"),
		blockOf("lib/c.go", "x", "y"), blockOf("../b.go", "x", "y"), blockOf("nowhere", "x", "y"),
	})
	require.NoError(t, err)
	require.Equal(t, []string{"b.go", "src/a.go", "x/c.go", "y/c.go"}, names)
}

func TestPreviewsAreFiftyCharacters(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("ü", 60)
	res := Check(MemTree{"f": []byte("a\n" + long + "\n")}, blockOf("f", "a\n"+long, "a\nshort\ntwo"), Options{})
	require.Equal(t, "a", res.AnchorPreview)
	require.Equal(t, strings.Repeat("ü", 50), res.OldPreview)
	require.Equal(t, "short\ntwo", res.NewPreview)
}

func TestAFailureShowsTheClosestMatch(t *testing.T) {
	t.Parallel()
	var file strings.Builder
	for i := range 100 {
		fmt.Fprintf(&file, "line %d\n", i)
	}
	res := Check(MemTree{"f": []byte(file.String())}, blockOf("f", "line 40\nline 41\nLINE 42\nline 43 is other\nline 44", "x"), Options{})
	require.Equal(t, Failed, res.Status)
	require.Equal(t, &Difference{Line: 43, Want: "LINE 42", Have: "line 42"}, res.Difference)
	require.Equal(t, &Excerpt{Line: 41, Lines: []string{"line 40", "line 41", "line 42", "line 43", "line 44"}}, res.ClosestMatch)
	require.Equal(t, 43, res.Line)
	none := Check(MemTree{"f": []byte("a\n")}, blockOf("f", "nothing like it", "x"), Options{})
	require.Nil(t, none.ClosestMatch)
	require.Nil(t, none.Difference)
}

// A bare word above a block is its path when the tree has it, be it one that cannot be written: the block is not meant for
// the file before.
func TestABlockForASymlinkIsNotAppliedToThePreviousBlocksFile(t *testing.T) {
	t.Parallel()
	tree := fakeTree{MemTree: MemTree{"a.txt": []byte("one\ntwo\n")}, kinds: map[string]Kind{"current": Symlink, "vendored": Submodule}}
	for _, name := range []string{"current", "vendored"} {
		reply := Parse("a.txt\n<<<<<<< SEARCH\none\n=======\n1\n>>>>>>> REPLACE\n\n"+name+"\n<<<<<<< SEARCH\ntwo\n=======\n2\n>>>>>>> REPLACE\n", ParseOptions{})
		out, err := Apply(tree, reply.Blocks, Options{DryRun: true})
		require.NoError(t, err)
		require.Equal(t, UnsafePath, out.Results[1].Reason, name)
		require.Contains(t, out.Results[1].Detail, name)
	}
}

// Whatever a block names, it is a refusal of that block; the others are applied.
func TestAFileThatCannotBeEditedDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	tree := fakeTree{MemTree: MemTree{
		"a.txt": []byte("a\n"), "huge": nil,
		"model.bin": []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"),
	}, broken: map[string]error{"read huge": fmt.Errorf("reading huge: %w", ErrTooLarge)}}
	deep := strings.Repeat("d/", maxPathNames) + "f"
	out, err := Apply(tree, []Block{
		blockOf("huge", "a", "b"), blockOf("model.bin", "size 12345", "size 1"), blockOf(deep, "", "x"),
		blockOf("new/x", "", "x"), blockOf("new", "", "x"), blockOf("new/x/y", "", "x"), blockOf("a.txt", "a", "b"),
	}, Options{})
	require.NoError(t, err)
	var got []string
	for _, r := range out.Results {
		got = append(got, string(r.Reason))
	}
	require.Equal(t, []string{string(TooLarge), string(BinaryFile), string(UnsafePath), "", string(FileExists), string(FileExists), ""}, got)
	require.Contains(t, out.Results[1].Detail, "Git LFS")
	require.Equal(t, []string{"a.txt", "new/x"}, out.Changed)
}

func TestAnEditHasTheLinesOfTheFile(t *testing.T) {
	t.Parallel()
	file := "one\n\tif a {\n\t\tbegin()\n\t\tc()\n\t\td()\n\t}\ntail\n"
	res := Check(MemTree{"f": []byte(file)}, blockOf("f", "begin()\nc()\nd()", "B()\nc()\nD()\ne()"), Options{})
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, &Edit{
		Line: 3, Removed: []string{"\t\tbegin()", "\t\tc()", "\t\td()"}, Added: []string{"\t\tB()", "\t\tc()", "\t\tD()", "\t\te()"},
		ContextBefore: []string{"one", "\tif a {"}, ContextAfter: []string{"\t}", "tail"},
	}, res.Edit)
}

func TestAnEditIsRelativeToTheFileAtItsTime(t *testing.T) {
	t.Parallel()
	tree := MemTree{"f": []byte("a1\nb2\nc3\nd4\n"), "crlf": []byte("a1\r\nb2\r\n")}
	out, err := Apply(tree, []Block{
		blockOf("f", "a1", "x\ny\nz\na1"), blockOf("f", "c3\nd4", "d4"), blockOf("f", "nothing like it", "x"),
		blockOf("new", "", "first\nsecond"), blockOf("crlf", "b2", "B2"), blockOf("f", "d4", "d4"),
	}, Options{})
	require.NoError(t, err)
	require.Equal(t, &Edit{Line: 1, Removed: []string{}, Added: []string{"x", "y", "z"}, ContextBefore: []string{}, ContextAfter: []string{"a1", "b2", "c3"}}, out.Results[0].Edit)
	require.Equal(t, &Edit{Line: 6, Removed: []string{"c3"}, Added: []string{}, ContextBefore: []string{"z", "a1", "b2"}, ContextAfter: []string{"d4"}}, out.Results[1].Edit)
	require.Nil(t, out.Results[2].Edit, "a block that failed")
	require.Equal(t, &Edit{Line: 1, Removed: []string{}, Added: []string{"first", "second"}, ContextBefore: []string{}, ContextAfter: []string{}}, out.Results[3].Edit)
	require.Equal(t, &Edit{Line: 2, Removed: []string{"b2"}, Added: []string{"B2"}, ContextBefore: []string{"a1"}, ContextAfter: []string{}}, out.Results[4].Edit)
	require.Nil(t, out.Results[5].Edit, "a block that was skipped")
}

func TestLineFeedsIsAnOption(t *testing.T) {
	t.Parallel()
	mixed := "\ufeffone\r\ntwo\nthree\r\r\nlone\rfour\r\nno end\r"
	for lineFeeds, want := range map[bool]string{
		false: strings.Replace(mixed, "two", "2", 1),
		true:  "\ufeffone\n2\nthree\nlone\rfour\nno end\r",
	} {
		tree := MemTree{"f": []byte(mixed), "left": []byte("a\r\nb\r\n"), "back": []byte("a\r\nb\r\n")}
		out, err := Apply(tree, []Block{
			blockOf("f", "two", "2"), blockOf("left", "a", "a"), blockOf("back", "a", "x"), blockOf("back", "x", "a"),
		}, Options{LineFeeds: lineFeeds})
		require.NoError(t, err)
		require.Equal(t, []string{"f"}, out.Changed, "only what is edited")
		require.Equal(t, want, string(tree["f"]))
	}
}
