package retrieve

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPatternsAndFolders(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"api/a.proto": "a\n", "api/v2/b.proto": "b\n", "web/x.js": "x\n", "vendor/c.proto": "c\n",
		"small/one.md": "1\n", "small/two.md": "2\n",
	}
	for i := range 60 {
		files["many/"+strings.Repeat("f", i+1)+".txt"] = "x\n"
	}
	names := func(body string) []string { return story{body: body, files: files}.selects(t).names() }
	require.Equal(t, []string{"api/a.proto", "api/v2/b.proto"}, names("all `api/**/*.proto`"))
	require.Equal(t, []string{"api/a.proto", "api/v2/b.proto"}, names("all *.proto files"))
	require.Equal(t, []string{"api/a.proto"}, names("in `api/*.{proto,md}`"))
	require.Equal(t, []string{"small/one.md", "small/two.md"}, names("everything in small/ please"))
	q := story{body: "`many/*.txt` and `many` and `[a-`, `*{a,{b,{c}}}`", files: files}.selects(t)
	require.Empty(t, q.Files)
	require.Equal(t, "60 files match the pattern, more than 50; use a narrower one", q.why("many/*.txt"))
	require.Equal(t, "many", q.Listings[0].Folder)
	require.Equal(t, "f.txt", q.Listings[0].Names[0])
	require.Contains(t, q.why("*{a,{b,{c}}}"), "too complicated")

	q = story{body: "`*.a` `*.b` `*.c` `*.d` `*.e` `*.proto`", files: files}.selects(t)
	require.Equal(t, "only the first 5 patterns of a comment are looked up", q.why("*.proto"))
}

func TestFoldersAreListedEachOnce(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 70 {
		files["src/"+string(rune('a'+i%26))+strings.Repeat("x", i/26)+"/deep/file.md"] = "x\n"
		files["docs/"+strings.Repeat("d", i+1)+".md"] = "x\n"
	}
	q := story{body: "`src` and `src/` and `docs`", files: files}.selects(t)
	require.Len(t, q.Listings, 2)
	require.Equal(t, "a/", q.Listings[0].Names[0])
	for _, l := range q.Listings {
		require.Len(t, l.Names, 61)
		require.Equal(t, "…", l.Names[60])
	}
}

func TestANameThatSeveralFilesHave(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a/util.go": "package a\n", "b/util.go": "package b\n", "main.go": "package main\n"}
	q := story{body: "fix util.go, and main.go", files: files}.selects(t)
	require.Equal(t, []string{"main.go", "a/util.go", "b/util.go"}, q.names())
	require.Equal(t, []int{75, 45}, q.scores()[:2])
	for _, folder := range []string{"c", "d", "e", "f", "g", "h", "i"} {
		files[folder+"/util.go"] = "package " + folder + "\n"
	}
	files["h/util.go"] = "package h\n\nfunc round() {}\n"
	q = story{body: "fix `util.go`: it rounds twice", files: files}.selects(t)
	require.Equal(t, "9 files have this name; write the folder with it", q.why("util.go"))
	require.Equal(t, "h/util.go", q.names()[0], "the words may tell which one is meant")
	for _, f := range q.Selection.Files {
		require.Equal(t, "has the words of the task", f.Why, "%s was not named", f.Path)
	}
}

func TestWhatACommandAndATaskName(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.txt": numbered("a", 1000), "b.txt": "b\n", "c.txt": "c\n"}
	q := story{
		body: "also `c.txt`", files: files, options: []string{"b.txt", "gone.txt"},
		task: []TaskFile{{Path: "a.txt", Lines: Span{500, 501}}},
	}.selects(t)
	require.Equal(t, []string{"b.txt", "a.txt 440-561", "c.txt"}, q.names())
	require.Equal(t, []int{110, 105, 85}, q.scores())
	require.Equal(t, []string{"gone.txt"}, q.Missing)
}
