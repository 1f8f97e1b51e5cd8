package wording

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the repository.
const root = "../.."

// texts are the files that people read, or that models are told to write by, as patterns.
var texts = []string{
	"README.md", "CONTRIBUTING.md", "app.yml", "docs/*.md", "docs/adr/*.md", "prompts/*.md", "prompts/*/*.md",
	"cmd/tenon/testdata/answers/*.md", "bot/report/testdata/*/*.txtar", "bot/report/testdata/*/*.md",
	"bot/record/testdata/answers/*.md",
}

// notForPeople are folders whose Go strings nobody reads but who tests tenon.
var notForPeople = []string{
	"bot/bottest", "bot/internal", "internal/github/sim", "internal/killtest", "internal/mutants", "internal/store/pgtest",
	"internal/store/storetest", "internal/wording", "testdata",
}

func TestNoTextHasAPhraseThatReadersStopAt(t *testing.T) {
	t.Parallel()
	files := os.DirFS(root)
	n := 0
	for _, pattern := range texts {
		names, err := fs.Glob(files, pattern)
		require.NoError(t, err)
		for _, name := range names {
			text, err := fs.ReadFile(files, name)
			require.NoError(t, err)
			refuse(t, name, 0, string(text))
			n++
		}
	}
	require.Greater(t, n, 100, "the patterns fit the files of today")
	changes, err := fs.ReadFile(files, "CHANGELOG.md")
	require.NoError(t, err)
	refuse(t, "CHANGELOG.md, unreleased", 0, unreleased(t, string(changes)))
}

// Answers, refusals, errors and help are made of the strings of the program. A comment is for who reads the code.
func TestNoStringHasAPhraseThatReadersStopAt(t *testing.T) {
	t.Parallel()
	files := os.DirFS(root)
	n := 0
	require.NoError(t, fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if unread(name) {
				return fs.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		for _, s := range stringsOf(t, name, source) {
			refuse(t, name, s.line-1, s.text)
			n++
		}
		return nil
	}))
	require.Greater(t, n, 5000, "the strings of the whole program are read")
}

func TestAPhraseIsFoundWhereverATextHasIt(t *testing.T) {
	t.Parallel()
	source := "package p\n\nconst a = \"this is in \" +\n\t\"work\" // anew\n\n" +
		"var b = f(`one\nMend it there`, `json:\"anew\"`)\n"
	var found []string
	for _, s := range stringsOf(t, "p.go", []byte(source)) {
		for _, f := range Find(s.text) {
			found = append(found, f.Phrase)
		}
	}
	require.Equal(t, []string{"in work", "Mend", "anew"}, found)

	require.Equal(t, []Found{{Line: 2, Phrase: "anew", Instead: "again, resets"}}, Find("a\nBegin anew"))
	for _, text := range []string{
		"The settings that hold.", "the settings\nthat hold", "this takes the commit back", "IN WORK", "It was not tried.",
		"(a box at the side of the pull request)", "where that answer stands on", "a slip of the pen", "it gives back",
	} {
		require.NotEmpty(t, Find(text), text)
	}
	for _, text := range []string{
		"understands", "network", "recommend", "standard", "`partial: hold` holds edits for later"[:15], "in workers",
		"standing here", "outstanding",
	} {
		require.Empty(t, Find(text), text)
	}
}

func refuse(t *testing.T, name string, before int, text string) {
	t.Helper()
	for _, f := range Find(text) {
		f.Line += before
		t.Errorf("%s, %s", name, f)
	}
}

func unread(name string) bool {
	for _, folder := range notForPeople {
		if name == folder || path.Base(name) == folder {
			return true
		}
	}
	return name != "." && strings.HasPrefix(path.Base(name), ".")
}

// unreleased returns the entries of a change log that describe no version yet.
func unreleased(t *testing.T, changes string) string {
	_, after, ok := strings.Cut(changes, "\n## ")
	require.True(t, ok)
	first, _, _ := strings.Cut(after, "\n## ")
	return first
}

type literal struct {
	line int
	text string
}

// stringsOf returns the strings of a Go file, those that are added to each other as one, without those of imports and
// tags.
func stringsOf(t *testing.T, name string, source []byte) (list []literal) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BinaryExpr, *ast.BasicLit:
			if text, ok := stringOf(n.(ast.Expr)); ok {
				list = append(list, literal{set.Position(n.Pos()).Line, text})
				return false
			}
		}
		return true
	})
	return list
}

// stringOf returns the text of an expression that adds up strings, with an ellipsis for each part that is not known.
func stringOf(e ast.Expr) (text string, ok bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, ok1 := stringOf(e.X)
		right, ok2 := stringOf(e.Y)
		return left + right, e.Op == token.ADD && (ok1 || ok2)
	case *ast.ParenExpr:
		return stringOf(e.X)
	}
	return "…", false
}
