package engine

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// fakeTree is a MemTree with entries of other kinds, and with errors by operation and name.
type fakeTree struct {
	MemTree
	kinds  map[string]Kind
	broken map[string]error
}

func (t fakeTree) Kind(name string) (Kind, error) {
	if err := t.broken["kind "+name]; err != nil {
		return Absent, err
	}
	if k, ok := t.kinds[name]; ok {
		return k, nil
	}
	return t.MemTree.Kind(name)
}

func (t fakeTree) Files() ([]string, error) {
	if err := t.broken["files"]; err != nil {
		return nil, err
	}
	return t.MemTree.Files()
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

func TestANewFile(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		path, content string
		reason        Reason
		written       string
	}{
		"ends with one line feed":          {path: "new", content: "a\n\n\n", written: "a\n"},
		"keeps a last line of blanks":      {path: "new", content: "a\n  \n\n", written: "a\n  \n"},
		"is not made of blanks":            {path: "new", content: "  \n\t\n", reason: NoChange},
		"fills an empty one":               {path: "empty", content: "a", written: "a\n"},
		"is not made for nothing":          {path: "new", reason: NoChange},
		"is not changed to nothing":        {path: "empty", content: "\n", reason: NoChange},
		"has no placeholder":               {path: "new", content: "a\n// ... existing code ...", reason: Placeholder},
		"does not replace another":         {path: "full", content: "b", reason: FileExists, written: "a\n"},
		"may be there already":             {path: "full", content: "a  \n\n", reason: AlreadyApplied, written: "a\n"},
		"is not made in place of a folder": {path: "dir", content: "a", reason: FileExists},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			tree := MemTree{"empty": {}, "full": []byte("a\n"), "dir/f": []byte("x\n")}
			out, err := Apply(tree, []Block{blockOf(c.path, "", c.content)}, Options{})
			require.NoError(t, err)
			require.Equal(t, c.reason, out.Results[0].Reason, out.Results[0].Detail)
			require.Equal(t, c.written, string(tree[c.path]))
		})
	}
}

func TestOnlyASectionCreatesAnEmptyFile(t *testing.T) {
	t.Parallel()
	for path, written := range map[string]bool{"new": true, "empty": false} {
		tree := MemTree{"empty": {}}
		reply := Parse("### File: "+path+"\n<<<<<<< NEW_FILE\n>>>>>>> NEW_FILE\n", ParseOptions{})
		require.Len(t, reply.Blocks, 1, reply.Problems)
		out, err := Apply(tree, reply.Blocks, Options{})
		require.NoError(t, err)
		require.Equal(t, written, len(out.Changed) == 1)
		require.Equal(t, written, out.Results[0].Status == Applied, out.Results[0].Reason)
		require.Contains(t, tree, path)
	}
}

func TestALineMovesWithLaterEdits(t *testing.T) {
	t.Parallel()
	out, err := Apply(MemTree{"f": []byte("a1\nb2\nc3\nd4\ne5\n")}, []Block{
		blockOf("f", "d4", "D4"), blockOf("f", "a1", "x\ny\na1"),
		blockOf("f", "e5", "E5\nz"), blockOf("f", "b2\nc3\nD4", "b"),
	}, Options{})
	require.NoError(t, err)
	var lines []int
	for _, r := range out.Results {
		require.Equal(t, Applied, r.Status, r.Detail)
		lines = append(lines, r.Line)
	}
	require.Equal(t, []int{5, 1, 5, 4}, lines, "the first one was replaced by the last, so it is the line after that")
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
		{ShownChanged, "    one(1)\n    two(2)", Stale, details[Stale]},
		{ShownChanged, "one(1)", Stale, details[Stale]},
		{ShownChanged, "gone(1)", NotFound, details[NotFound]},
		{ShownUnknown, "    one(1)\n    two(2)", "", ""},
		{ShownUnknown, "one(1)", Stale, detailStaleUnknown},
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
	all := []Level{
		LevelExact, LevelTrailingSpace, LevelBlankLines, LevelIndent, LevelHomoglyph, LevelEllipsis, LevelFuzzyContext,
	}
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
	blocks := []Block{blockOf("f", "line", "x"), blockOf("g", "a", strings.Repeat("b", 200)), blockOf("h", "", "x")}
	out, err := Apply(tree, blocks, Options{Limits: Limits{FileBytes: 100, Blocks: 2}})
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
	full := MemTree{"f": []byte("a\n" + strings.Repeat("b", 97) + "\n")}
	for limit, reason := range map[int]Reason{99: TooLarge, 100: TooLarge, 102: ""} {
		res := Check(full, blockOf("f", "a", "x"), Options{Limits: Limits{FileBytes: limit}})
		require.Equal(t, reason, res.Reason, "%d: new lines count in addition to those that they replace", limit)
	}
	require.Equal(t, NotFound, Check(full, blockOf("f", "x", "a"), Options{Limits: Limits{FileBytes: 100}}).Reason)
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
	require.Equal(t, Applied, Check(tree, blockOf("new.yml", "", "b"), opts).Status)
}

func TestErrorsOfTheTreeAreReturned(t *testing.T) {
	t.Parallel()
	broken := errors.New("disk on fire")
	for step, c := range map[string]struct {
		path string
		says string
	}{
		"kind f":     {"f", "looking up f"},
		"kind d":     {"d/new", "looking up d"},
		"kind d/new": {"d/new", "looking up d/new"},
		"files":      {"elsewhere/f", "listing the files"},
		"read f":     {"f", "reading f"},
		"write f":    {"f", "writing f"},
	} {
		tree := fakeTree{MemTree: MemTree{"f": []byte("a\n")}, broken: map[string]error{step: broken}}
		_, err := Apply(tree, []Block{blockOf(c.path, "a", "b")}, Options{})
		require.ErrorIs(t, err, broken, step)
		require.ErrorContains(t, err, c.says)
		require.Equal(t, MemTree{"f": []byte("a\n")}, tree.MemTree)
		_, err = Paths(tree, []Block{blockOf(c.path, "a", "b")})
		require.Equal(t, step != "read f" && step != "write f", errors.Is(err, broken), step)
	}
	tree := fakeTree{MemTree: MemTree{"f": []byte("a\n")}, broken: map[string]error{"read f": broken}}
	res := Check(tree, blockOf("f", "a", "b"), Options{})
	require.Equal(t, Failed, res.Status)
	require.Contains(t, res.Detail, "disk on fire")
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
	block := blockOf("f", "line 40\nline 41\nLINE 42\nline 43 is other\nline 44", "x")
	res := Check(MemTree{"f": []byte(file.String())}, block, Options{})
	require.Equal(t, Failed, res.Status)
	require.Equal(t, &Difference{Line: 43, Want: "LINE 42", Have: "line 42"}, res.Difference)
	lines := []string{"line 40", "line 41", "line 42", "line 43", "line 44"}
	require.Equal(t, &Excerpt{Line: 41, Lines: lines}, res.ClosestMatch)
	require.Equal(t, 43, res.Line)
	none := Check(MemTree{"f": []byte("a\n")}, blockOf("f", "nothing like it", "x"), Options{})
	require.Nil(t, none.ClosestMatch)
	require.Nil(t, none.Difference)
}

func TestAFileThatCannotBeEditedDoesNotAffectOthers(t *testing.T) {
	t.Parallel()
	tree := fakeTree{MemTree: MemTree{
		"a.txt": []byte("a\n"), "huge": nil,
		"model.bin": []byte("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n"),
	}, broken: map[string]error{"read huge": fmt.Errorf("reading huge: %w", ErrTooLarge)}}
	deep := strings.Repeat("d/", 256) + "f"
	out, err := Apply(tree, []Block{
		blockOf("huge", "a", "b"), blockOf("model.bin", "size 12345", "size 1"), blockOf(deep, "", "x"),
		blockOf("new/x", "", "x"), blockOf("new", "", "x"), blockOf("new/x/y", "", "x"), blockOf("a.txt", "a", "b"),
	}, Options{})
	require.NoError(t, err)
	var got []Reason
	for _, r := range out.Results {
		got = append(got, r.Reason)
	}
	require.Equal(t, []Reason{TooLarge, BinaryFile, UnsafePath, "", FileExists, FileExists, ""}, got)
	require.Contains(t, out.Results[1].Detail, "Git LFS")
	require.Equal(t, []string{"a.txt", "new/x"}, out.Changed)
}

func TestAnEditHasTheLinesOfTheFile(t *testing.T) {
	t.Parallel()
	file := "one\n\tif a {\n\t\tbegin()\n\t\tc()\n\t\td()\n\t}\ntail\n"
	res := Check(MemTree{"f": []byte(file)}, blockOf("f", "begin()\nc()\nd()", "B()\nc()\nD()\ne()"), Options{})
	require.Equal(t, Applied, res.Status, res.Detail)
	require.Equal(t, &Edit{
		Line:          3,
		Removed:       []string{"\t\tbegin()", "\t\tc()", "\t\td()"},
		Added:         []string{"\t\tB()", "\t\tc()", "\t\tD()", "\t\te()"},
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
	edit := func(line int, removed, added, before, after []string) *Edit {
		return &Edit{Line: line, Removed: removed, Added: added, ContextBefore: before, ContextAfter: after}
	}
	none := []string{}
	require.Equal(t, edit(1, none, []string{"x", "y", "z"}, none, []string{"a1", "b2", "c3"}), out.Results[0].Edit)
	require.Equal(t, edit(6, []string{"c3"}, none, []string{"z", "a1", "b2"}, []string{"d4"}), out.Results[1].Edit)
	require.Nil(t, out.Results[2].Edit, "a block that failed")
	require.Equal(t, edit(1, none, []string{"first", "second"}, none, none), out.Results[3].Edit)
	require.Equal(t, edit(2, []string{"b2"}, []string{"B2"}, []string{"a1"}, none), out.Results[4].Edit)
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

func TestAMissingFileIsReportedThoughTheTreeCannotBeListed(t *testing.T) {
	t.Parallel()
	r := resolver{tree: fakeTree{broken: map[string]error{"files": errors.New("disk on fire")}}}
	require.Equal(t, "File not found: a/b.go", r.notFound("a/b.go"))
}

func TestAStatusHasAName(t *testing.T) {
	t.Parallel()
	for status, want := range map[Status]string{Applied: "applied", Failed: "failed", Skipped: "skipped", 0: "invalid"} {
		require.Equal(t, want, status.String())
	}
}
