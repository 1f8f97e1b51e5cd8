package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

const list = "../../.ci/mutants.txt"

// TestMain saves time in the go commands of these tests: what they build needs no debug information, and they end
// before garbage matters.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GOFLAGS": "-ldflags=-w", "GOGC": "off"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// Who changes the code that a mutation is about sees it here, before any test is run on mutated code.
func TestEachMutationOfTheListFitsThePresentCode(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(list)
	require.NoError(t, err)
	mutations, err := parse(string(text))
	require.NoError(t, err)
	require.NotEmpty(t, mutations)
	for _, m := range mutations {
		_, err := m.mutate(os.DirFS("../.."))
		require.NoError(t, err, "the mutation %q of .ci/mutants.txt", m.name)
		for _, p := range m.test.packages {
			require.Regexp(t, `^\./(bot|cmd|engine|internal|meter|syntax|webhook)(/|$)`, p,
				"%s: the tests of these packages should find it", m.name)
		}
		requireTests(t, m)
	}
}

var testName = regexp.MustCompile(`\b(?:Test|Fuzz|Example)\w+`)

// requireTests fails if a test that a mutation names is in none of its packages.
func requireTests(t *testing.T, m mutation) {
	t.Helper()
	var code strings.Builder
	for _, p := range m.test.packages {
		files, err := filepath.Glob(filepath.Join("../..", p, "*_test.go"))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			code.Write(text)
		}
	}
	for _, name := range testName.FindAllString(m.test.run, -1) {
		require.Contains(t, code.String(), "func "+name, "%s: name a test that is there", m.name)
	}
}

func TestAListIsRead(t *testing.T) {
	t.Parallel()
	mutations, err := parse(
		"# A heading\n\nmutation: one: two\ntest: ./a ./b -run A|B -c\nfile: a.go\n-\told\n# a comment\n" +
			"+\tnew\n+\tnewer\n-a\n-b\n+c\nfile: b.go\n-x\n\n\nmutation: another\ntest: ./c\nfile: c.go\n-y\n+")
	require.NoError(t, err)
	require.Equal(t, []mutation{
		{"one: two", test{[]string{"./a", "./b"}, "A|B -c"}, []change{
			{"a.go", "\told\n", "\tnew\n\tnewer\n"}, {"a.go", "a\nb\n", "c\n"}, {"b.go", "x\n", ""},
		}},
		{"another", test{[]string{"./c"}, ""}, []change{{"c.go", "y\n", "\n"}}},
	}, mutations)
}

func TestAListThatIsWrongIsRefused(t *testing.T) {
	t.Parallel()
	const good = "mutation: a\ntest: ./a\nfile: a.go\n-x\n+y\n"
	for text, says := range map[string]string{
		good + "\n" + good: `mutation 2, "a": another one has this name`,
		strings.Replace(good, "mutation: a\n", "", 1):    "needs a name, a test and a change",
		strings.Replace(good, "test: ./a\n", "", 1):      "needs a name, a test and a change",
		strings.Replace(good, "-x\n+y\n", "", 1):         "needs a name, a test and a change",
		strings.Replace(good, "file: a.go\n", "", 1):     `"-x" is of no file`,
		strings.Replace(good, "-x\n", "", 1):             "adds lines without one to replace",
		strings.Replace(good, "test: ./a", "tset: a", 1): `"tset: a" is none of`,
	} {
		_, err := parse(text)
		require.ErrorContains(t, err, says)
	}
}

func TestAMutationReplacesWholeLinesThatOccurOnce(t *testing.T) {
	t.Parallel()
	files := fstest.MapFS{"a.go": {Data: []byte("first\nsecond\nsecond \n\tthird\nfirst\nfourth\nfirst\nfourth")}}
	mutated, err := mutation{changes: []change{
		{"a.go", "second\n", "2\n"}, {"a.go", "\tthird\nfirst\n", ""},
	}}.mutate(files)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"a.go": "first\n2\nsecond \nfourth\nfirst\nfourth"}, mutated)

	for before, says := range map[string]string{
		"third\n":           "occur 0 times in a.go instead of once",
		"first\n":           "occur 3 times in a.go",
		"2\n":               "occur 0 times in a.go",
		"second\n\tthird\n": "occur 0 times",
	} {
		_, err := mutation{changes: []change{{"a.go", before, "x\n"}}}.mutate(files)
		require.ErrorContains(t, err, says)
		require.ErrorContains(t, err, "change the mutation so that it plants the same fault")
	}
	_, err = mutation{changes: []change{{"b.go", "x\n", "y\n"}}}.mutate(files)
	require.ErrorContains(t, err, "b.go")
}

// module makes a module with a function, a test of it and a list of mutations, and returns where they are.
func module(t *testing.T, mutations string) (root, list string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/double\n\ngo 1.26\n",
		"double.go": "package double\n\nfunc Double(n int) int {\n\treturn 2 * n\n}\n\n" +
			"func Half(n int) int {\n\treturn n / 2\n}\n",
		"double_test.go": "package double\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\n" +
			"func TestDouble(t *testing.T) {\n\tt.Run(\"of 3\", func(t *testing.T) {\n" +
			"\t\tif Double(3) == 0 {\n\t\t\tos.Exit(1)\n\t\t}\n\t\tif Double(3) != 6 {\n\t\t\tt.Error(\"it is " +
			"wrong\")\n\t\t}\n\t})\n}\n\n" +
			"func TestHalf(t *testing.T) { Half(4) }\n",
		"list.txt": mutations,
	} {
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	return root, filepath.Join(root, "list.txt")
}

func TestEachMutationIsFoundOrItIsSaidWhatToDo(t *testing.T) {
	t.Parallel()
	const half, double = "file: double.go\n-\treturn n / 2\n", "file: double.go\n-\treturn 2 * n\n"
	root, list := module(t, "mutation: doubled twice\ntest: .\n"+double+"+\treturn 4 * n\n\n"+
		"mutation: not halved\ntest: . -run Half\n"+half+"+\treturn n\n\n"+
		"mutation: no number\ntest: .\n"+half+"+\treturn true\n\n"+
		"mutation: no test\ntest: . -run Third\n"+half+"+\treturn 0\n\n"+
		"mutation: the end\ntest: .\n"+double+"+\treturn 0\n\n"+
		"mutation: of old code\ntest: .\nfile: double.go\n-\treturn n << 1\n+\treturn n\n")
	var out bytes.Buffer
	err := run(t.Context(), &out, root, []string{list})
	require.EqualError(t, err, "5 of 6 mutations were not found; the lines above say what to do")
	for _, says := range []string{
		"found     doubled twice: TestDouble/of_3 (example.com/double)\n",
		"SURVIVED  not halved: go test . -run 'Half' passes with it; write the test that fails, or name it in the mutation\n",
		"INVALID   no number: the mutated code does not compile; correct the mutation:\n",
		"INVALID   no test: go test . -run 'Third' has no such test; name those that find the mutation\n",
		"INVALID   the end: go test . ended without the result of a test, so it is not known whether one finds the mutation;",
		"INVALID   of old code: these lines occur 0 times in double.go instead of once;",
		"\n1 of 6 mutants found\n",
	} {
		require.Contains(t, out.String(), says)
	}
	require.Contains(t, out.String(), "cannot use true", "the compiler's words")
	unchanged, err := os.ReadFile(filepath.Join(root, "double.go"))
	require.NoError(t, err)
	require.Contains(t, string(unchanged), "return 2 * n")

	out.Reset()
	require.NoError(t, run(t.Context(), &out, root, []string{list, "twice"}))
	require.Equal(t, "found     doubled twice: TestDouble/of_3 (example.com/double)\n1 of 1 mutants found\n", out.String())
	require.ErrorContains(t, run(t.Context(), &out, root, []string{list, "thrice"}), "no mutation")
}

// A test that fails anyway would seem to find every mutation.
func TestNothingIsPlantedWhileTheTestsFail(t *testing.T) {
	t.Parallel()
	root, list := module(t, "mutation: not halved\ntest: . -run Half\nfile: double.go\n-\treturn n / 2\n+\treturn n\n\n"+
		"mutation: doubled twice\ntest: .\nfile: double.go\n-\treturn 2 * n\n+\treturn 4 * n\n")
	source := filepath.Join(root, "double.go")
	for code, says := range map[string]string{
		"package double\n\nfunc Double(n int) int {\n\treturn n\n}\n\n" +
			"func Half(n int) int {\n\treturn n\n}\n": "it is wrong",
		"package double\n\nfunc Double(n int) int {\n\treturn true\n}\n": "cannot use true",
	} {
		require.NoError(t, os.WriteFile(source, []byte(code), 0o600))
		var out bytes.Buffer
		err := run(t.Context(), &out, root, []string{list})
		require.ErrorContains(t, err, "the tests fail without a mutation")
		require.ErrorContains(t, err, says)
		require.Empty(t, out.String())
	}
}

func TestWithoutAListNothingIsPlanted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.ErrorContains(t, run(t.Context(), &out, t.TempDir(), nil), "usage: mutants [-since REVISION] LIST")
	require.ErrorContains(t, run(t.Context(), &out, t.TempDir(), []string{"nowhere.txt"}), "nowhere.txt")
	root, list := module(t, "mutation: x\n")
	require.ErrorContains(t, run(t.Context(), &out, root, []string{list}), "list.txt: mutation 1")
	require.Empty(t, out.String())
}

func TestOnlyWhatAChangeTouchesIsPlanted(t *testing.T) {
	t.Parallel()
	const double = "mutation: of double\ntest: . -run Double\nfile: double.go\n-\treturn 2 * n\n+\treturn n\n\n"
	const other = "mutation: of another file\ntest: ./other\nfile: other/other.go\n-\treturn 1\n+\treturn 2\n\n"
	root, list := module(t, double+other)
	for name, text := range map[string]string{
		"other/other.go": "package other\n\nfunc One() int {\n\treturn 1\n}\n",
		"other/other_test.go": "package other\n\nimport \"testing\"\n\n" +
			"func TestOne(t *testing.T) {\n\tif One() != 1 {\n\t\tt.Error()\n\t}\n}\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Join(root, "other"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(text), 0o600))
	}
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "-A"}, {"-c", "user.name=m", "-c", "user.email=m@example.com", "commit", "-qm", "start"},
	} {
		_, err := git(t.Context(), root, args...)
		require.NoError(t, err)
	}
	since := func(revision string) (string, error) {
		var out bytes.Buffer
		err := run(t.Context(), &out, root, []string{"-since", revision, list})
		return out.String(), err
	}
	extend := func(name, text string) {
		data, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(root, name), []byte(string(data)+text), 0o600))
	}

	out, err := since("HEAD")
	require.NoError(t, err)
	require.Equal(t, "0 of 0 mutants found\n", out)

	extend("other/other.go", "// changed\n")
	out, err = since("HEAD")
	require.NoError(t, err)
	require.Equal(t, "found     of another file: TestOne (example.com/double/other)\n1 of 1 mutants found\n", out)

	require.NoError(t, os.WriteFile(filepath.Join(root, "other/other.go"),
		[]byte("package other\n\nfunc One() int {\n\treturn 1\n}\n"), 0o600))
	data := filepath.Join(root, "other/testdata")
	require.NoError(t, os.Mkdir(data, 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(data, "a new one.txt"), nil, 0o600))
	out, err = since("HEAD")
	require.NoError(t, err)
	require.Contains(t, out, "1 of 1 mutants found\n", "its tests may have changed")

	require.NoError(t, os.RemoveAll(data))
	extend("list.txt", strings.ReplaceAll(strings.Replace(double, "of double", "new", 1), "return n", "return 3 * n"))
	out, err = since("HEAD")
	require.NoError(t, err)
	require.Contains(t, out, "found     new: TestDouble/of_3 (example.com/double)\n")

	_, err = since("nowhere")
	require.ErrorContains(t, err, "git diff: ")
}
