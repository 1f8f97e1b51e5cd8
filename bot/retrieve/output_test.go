package retrieve

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the golden files")

// meant returns the files that output names, as "path:line (reason)", each place once.
func meant(text string, files []string) (out []string) {
	slices.Sort(files)
	x := indexOf(files...)
	x.repository = "lathe"
	for _, r := range innermostFirst(outputReferences(text)) {
		for _, name := range r.names {
			found := x.resolve(name)
			for _, f := range found.files {
				if r.lines.From > 0 {
					f += fmt.Sprintf(":%d", r.lines.From)
				}
				if f += " (" + reasons[r.reason].words + ")"; !slices.Contains(out, f) {
					out = append(out, f)
				}
			}
			if len(found.files) > 0 {
				break
			}
		}
	}
	return out
}

// The excerpts are those that package ci makes of what tools print.
func TestTheFilesThatToolsNameAreFound(t *testing.T) {
	t.Parallel()
	cases, err := filepath.Glob("../ci/testdata/tools/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, name := range cases {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			part := map[string]string{}
			for _, f := range archive.Files {
				part[f.Name] = string(f.Data)
			}
			got := strings.Join(meant(part["excerpt"], strings.Fields(part["files"])), "\n") + "\n"
			if *update {
				archive.Files = slices.DeleteFunc(archive.Files, func(f txtar.File) bool { return f.Name == "references" })
				archive.Files = append(archive.Files, txtar.File{Name: "references", Data: []byte(got)})
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o600))
				return
			}
			require.Equal(t, part["references"], got)
		})
	}
}

func TestPathsOfRunnersAreThoseOfTheRepository(t *testing.T) {
	t.Parallel()
	files := []string{
		"main.go", "cmd/x/main.go", "src/X.cs", "lib/src/X.cs", "vendor/dep/dep.go", "src/Framework/TestCase.php",
	}
	for line, want := range map[string]string{
		"/home/runner/work/lathe/lathe/main.go:12:5: undefined: x":           "main.go:12",
		"\t/home/runner/work/lathe/lathe/main.go:12 +0x44":                   "main.go:12",
		"/Users/runner/work/lathe/lathe/main.go:12:5: undefined: x":          "main.go:12",
		"/__w/lathe/lathe/main.go:12:5: undefined: x":                        "main.go:12",
		"/home/ci/actions-runner/_work/lathe/lathe/main.go:12:5: no":         "main.go:12",
		"/github/workspace/main.go:12:5: undefined: x":                       "main.go:12",
		`D:\a\lathe\lathe\src\X.cs(12,5): error CS1002: ; expected`:          "src/X.cs:12",
		`   at Acme.X.Run() in D:\a\lathe\lathe\src\X.cs:line 12`:            "src/X.cs:12",
		`##[error]D:\a\lathe\lathe\src\X.cs(12,5): error CS1002: no`:         "src/X.cs:12",
		"Error: /home/runner/work/lathe/lathe/main.go:12:5: no":              "main.go:12",
		"/app/lib/src/X.cs:12:5: of a container":                             "lib/src/X.cs:12",
		"file:///home/runner/work/lathe/lathe/main.go:12":                    "main.go:12",
		"/home/runner/work/lathe/other/cmd/x/main.go:12:5: of no checkout":   "cmd/x/main.go:12",
		"/home/runner/work/linter/linter/cmd/x/main.go:12:5: a tool's own":   "",
		"\t/home/runner/work/linter/linter/main.go:12 +0x44":                 "",
		`D:\a\plugin\plugin\src\X.cs(12,5): error: a tool's own`:             "",
		"/__w/linter/linter/main.go:12:5: a tool's own":                      "",
		"/home/runner/work/Lathe/Lathe/main.go:12:5: in another case":        "main.go:12",
		"/builds/work/foo/foo/cmd/x/main.go:12:5: no runner of GitHub's":     "cmd/x/main.go:12",
		"\t/home/runner/go/pkg/mod/github.com/acme/dep@v1/main.go:12 +0x4":   "",
		"/usr/local/go/src/runtime/main.go:12:5: in Go itself":               "",
		"/opt/hostedtoolcache/go/1.26.0/x64/src/cmd/x/main.go:12: no":        "",
		"node_modules/dep/main.go:12:5: a dependency":                        "",
		"/home/runner/work/r/r/vendor/phpunit/src/Framework/TestCase.php:12": "",
		"/home/runner/work/lathe/lathe/vendor/dep/dep.go:12:5: it has it":    "vendor/dep/dep.go:12",
		"/home/runner/work/lathe/lathe/nowhere.go:12:5: no":                  "",
		"../../../etc/passwd:1:1: no":                                        "",
	} {
		got := meant(line, files)
		if want == "" {
			require.Empty(t, got, line)
			continue
		}
		require.Len(t, got, 1, line)
		require.True(t, strings.HasPrefix(got[0], want+" "), "%s: %s", line, got)
	}
}

func TestOutputIsAskedForItsFiles(t *testing.T) {
	t.Parallel()
	st := story{body: "fix ci", files: map[string]string{
		"server/start.go": numbered("// line", 1500), "server/start_test.go": "x\n", "store/start_test.go": "y\n",
		"README.md": "z\n", "docs/a.md": "z\n",
	}}
	s := st.repository()
	q := st.query(s)
	q.Output = "    start_test.go:1: no\nFAIL\tgithub.com/acme/lathe/server\t0.1s\nserver/start.go:300:1: no\n" +
		"see docs/ and *.md, `README`\nPASS server/other.go\n"
	checkout, err := s.Open(t.Context(), q.Repo, "", headSHA)
	require.NoError(t, err)
	out, err := Select(t.Context(), checkout, q, RoomOf(96_000))
	require.NoError(t, err)
	require.Equal(t, []string{"server/start_test.go", "server/start.go 240-360"}, found{Found: out}.names())
	require.Equal(t, "in an error message", out.Selection.Files[0].Why)
	require.Empty(t, out.Selection.LeftOut)
	require.Empty(t, out.Listings)
	require.Empty(t, out.Missing)
}

func TestManyPlacesInOutputAreBounded(t *testing.T) {
	t.Parallel()
	require.Len(t, outputReferences(strings.Repeat("a/b.go:1:1: no\n", 5000)), maxReferences)
	require.LessOrEqual(t, len(outputReferences(strings.Repeat("a/b.go ", 5000))), maxReferences)
	require.Empty(t, outputReferences(strings.Repeat("\t", 5000)+"a/b.go:1:1: no\n"))
}

func FuzzOutputReferences(f *testing.F) {
	for _, s := range []string{
		"server/start.go:12:5: x", "  Line   a.php\n  20     x", "src/a.js\n  3:7  error  x", "#0 a.php(3): f()",
		"FAIL\ta/b\t1s",
		`D:\a\r\r\x.cs(1,2): error`, "./a.ts 1:2-3", "# ./a.rb:1:in `x'", "file:///home/runner/work/a/a/x.mjs:1:2",
	} {
		f.Add(s)
	}
	x := indexOf(tree...)
	f.Fuzz(func(t *testing.T, text string) {
		refs := outputReferences(text)
		require.LessOrEqual(t, len(refs), maxReferences)
		for _, r := range refs {
			require.NotEmpty(t, r.names)
			require.NotZero(t, r.score(0))
			for _, name := range r.names {
				x.resolve(name)
			}
		}
	})
}
