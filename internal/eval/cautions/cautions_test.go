package cautions

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/caution"
)

// ordinary are changes without a caution, in several languages.
var ordinary = [][]caution.File{
	{{Path: "README.md", After: []byte("# a\n")}},
	{{Path: "a/b.go", Before: []byte("package a\n"), After: []byte("package a\n\nfunc f() {}\n")}},
	{{Path: "src/a.py", Before: []byte("a = 1\n"), After: []byte("a = 2\n")},
		{Path: "tests/test_a.py", Before: []byte("def test_a():\n    assert a() == 1\n    assert b() == 2\n" +
			strings.Repeat("    more()\n", 20)), After: []byte("def test_a():\n    assert a() == 1\n    assert b() == 3\n")}},
	{{Path: "a.js", After: []byte("const a = 1\n")}, {Path: "a.rs", After: []byte("fn a() {}\n")},
		{Path: "A.java", After: []byte("class A {}\n")}, {Path: "a.rb", After: []byte("a = 1\n")}},
}

func TestEachFormIsFoundInOrdinaryChanges(t *testing.T) {
	t.Parallel()
	for i, files := range ordinary {
		f := newFigures()
		c := Change{files: files}
		f.add(c)
		f.plant(t.Context(), c, "")
		require.Empty(t, f.Missed, "change %d", i)
		require.Equal(t, len(forms), total(f.Found))
	}
}

func TestAFormIsFoundWhereAChangeHasTheSame(t *testing.T) {
	t.Parallel()
	files := []caution.File{{Path: "AGENTS.md", After: []byte("Be brief.\n")},
		{Path: "a/gone_test.go", Before: []byte(strings.Repeat("func TestA(t *testing.T) {}\n", 20))}}
	for i := range 21 {
		files = append(files, caution.File{Path: fmt.Sprintf("requirements/%d.txt", i), After: fmt.Appendf(nil, "a%d\n", i)})
	}
	f := newFigures()
	f.plant(t.Context(), Change{files: files, Cautions: caution.Find(nil, files)}, "")
	require.Empty(t, f.Missed)
}

func TestARuleThatIsLeftOutFindsNothing(t *testing.T) {
	t.Parallel()
	f := newFigures()
	f.plant(t.Context(), Change{}, "hosts")
	require.Zero(t, f.Found[caution.Host])
	require.NotZero(t, f.Planted[caution.Host])
	require.NotEmpty(t, f.Missed)
}

func TestEachKindIsPlanted(t *testing.T) {
	t.Parallel()
	f := newFigures()
	f.plant(t.Context(), Change{}, "")
	for _, k := range caution.Kinds() {
		if k != caution.Unexamined {
			require.NotZero(t, f.Planted[k], k)
		}
	}
}

func TestThePullRequestsOfPeopleAreExamined(t *testing.T) {
	t.Parallel()
	folder := repository(t)
	var seen []Change
	f, err := Run(t.Context(), []string{"ada/app"}, func(string) string { return folder }, Options{Changes: 10, Plant: 1,
		Each: func(c Change) error { seen = append(seen, c); return nil }})
	require.NoError(t, err)
	require.Equal(t, 2, f.Changes)
	require.Equal(t, 1, f.Cautioned)
	require.Equal(t, "Build it (#2)", seen[0].Subject)
	require.Equal(t, "Say hello (#1)", seen[1].Subject)
	older, err := Run(t.Context(), []string{"ada/app"}, func(string) string { return folder },
		Options{Changes: 10, Skip: 1})
	require.NoError(t, err)
	require.Equal(t, 1, older.Changes, "without the newest")
	require.Zero(t, older.Cautioned)
	var out bytes.Buffer
	for _, c := range seen {
		require.NoError(t, c.Print(&out))
	}
	require.NoError(t, f.Print(&out))
	require.Contains(t, out.String(), "  runs         \"Makefile\":2 \"\"\n")
	require.True(t, strings.HasSuffix(out.String(),
		fmt.Sprintf("changes=2 cautioned=1 planted=%d found=%d\n", len(forms), total(f.Found))))
}

// repository is a bare repository with two pull requests of people, one of an app, and a push.
func repository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	folder := t.TempDir()
	git := func(input string, args ...string) {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Stdin = folder, strings.NewReader(input)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_CONFIG_GLOBAL=" + os.DevNull}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, string(out))
	}
	git("", "init", "--quiet", "--bare", "--initial-branch=main")
	var in strings.Builder
	for _, c := range []struct{ author, subject, path, text string }{
		{"Ada", "Begin", "a.txt", "a\n"}, {"Ada", "Say hello (#1)", "a.txt", "hello\n"},
		{"Ada", "Push", "Makefile", "all:\n"}, {"Ada", "Build it (#2)", "Makefile", "all:\n\techo all\n"},
		{"dependabot[bot]", "Bump (#3)", "Makefile", "all:\n\techo more\n"},
	} {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter %s <a@example.com> 1700000000 +0000\ndata %d\n%s\n"+
			"M 100644 inline %s\ndata %d\n%s\n", c.author, len(c.subject), c.subject, c.path, len(c.text), c.text)
	}
	git(in.String(), "fast-import", "--quiet")
	return folder
}
