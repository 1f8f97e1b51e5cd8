package testclock

import (
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// root is the repository.
const root = "../.."

// allowed is the file that lists where tests may use a clock.
const allowed = "allowed.txt"

const instead = `
No test is decided by elapsed time: it has the same answer on a machine that is twenty times slower. Run it in a bubble
of testing/synctest, whose clock is fake; count work instead of time; or wait for an event, such as a channel or a hook
of what is tested, for as long as it takes. If it needs this clock, add a line to internal/testclock/%s:
%s %s: the reason`

func TestNoTestIsDecidedByElapsedTime(t *testing.T) {
	t.Parallel()
	reasons := readAllowed(t)
	used := map[string]bool{}
	n := 0
	for _, files := range readTests(t) {
		n += len(files)
		uses, err := Find(files)
		require.NoError(t, err)
		for _, use := range uses {
			place := use.File + " " + use.Func
			used[place] = true
			if reasons[place] == "" {
				t.Errorf("%s."+instead, use, allowed, use.File, use.Func)
			}
		}
	}
	require.Greater(t, n, 600, "the tests of all packages are read")
	for place := range reasons {
		if !used[place] {
			t.Errorf("internal/testclock/%s names %s, which no longer uses a clock: remove the line", allowed, place)
		}
	}
}

// readAllowed returns the reasons of the list by place: a file and a function.
func readAllowed(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile(allowed)
	require.NoError(t, err)
	reasons := map[string]string{}
	var places []string
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		place, reason, _ := strings.Cut(line, ": ")
		require.NotEmpty(t, reason, "%q has no reason", line)
		require.Empty(t, reasons[place], "%s is listed twice", place)
		reasons[place] = reason
		places = append(places, place)
	}
	require.True(t, slices.IsSorted(places), "%s is sorted", allowed)
	return reasons
}

// readTests returns the files of all packages that only tests use, by package and name: those of tests, and those that
// import package testing.
func readTests(t *testing.T) map[string]map[string][]byte {
	t.Helper()
	files := os.DirFS(root)
	packages := map[string]map[string][]byte{}
	require.NoError(t, fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case path.Ext(name) != ".go":
			return nil
		}
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, "_test.go") || strings.Contains(string(source), "\n\t\"testing\"\n") {
			folder := path.Dir(name)
			if packages[folder] == nil {
				packages[folder] = map[string][]byte{}
			}
			packages[folder][name] = source
		}
		return nil
	}))
	return packages
}

func TestAClockIsFoundWhereATestUsesIt(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ code, want string }{
		{"func TestA(t *testing.T) { time.Sleep(1) }", "TestA uses time.Sleep"},
		{"func TestA(t *testing.T) { f(time.Since) }", "TestA uses time.Since"},
		{"func TestA(t *testing.T) { f(time.Now(), time.Second, time.Unix(0, 0)) }", ""},
		{"func TestA(t *testing.T) { t.Run(\"b\", func(t *testing.T) { <-time.After(1) }) }", "TestA uses time.After"},
		{"func TestA(t *testing.T) { c, d := context.WithTimeout(t.Context(), 1) }", "TestA uses context.WithTimeout"},
		{"func TestA(t *testing.T) { c, d := context.WithCancel(t.Context()) }", ""},
		{"func TestA(t *testing.T) { require.Eventually(t, f, 1, 1) }", "TestA uses Eventually"},
		{"func TestA(t *testing.T) { require.New(t).Neverf(f, 1, 1, \"x\") }", "TestA uses Neverf"},
		{"func TestA(t *testing.T) { conn.SetReadDeadline(soon) }", "TestA uses SetReadDeadline"},
		{"func TestA(t *testing.T) { x := time.Now().Sub(begun) }", "TestA uses Sub with time.Now"},
		{"func TestA(t *testing.T) { for end.After(time.Now()) {} }", "TestA uses After with time.Now"},
		{"func TestA(t *testing.T) { require.WithinDuration(t, time.Now(), x, 1) }",
			"TestA uses WithinDuration with time.Now"},
		{"func TestA(t *testing.T) { x := clock.Now().Sub(begun); y := end.After(x) }", ""},
		{"func (s *server[T]) wait() { time.Sleep(1) }", "server.wait uses time.Sleep"},
		{"var pause, other = time.NewTimer(1), 2", "pause uses time.NewTimer"},
		{"func BenchmarkA(b *testing.B) { time.Sleep(1) }", ""},

		{"func TestA(t *testing.T) { synctest.Test(t, func(t *testing.T) { time.Sleep(1) }) }", ""},
		{"func TestA(t *testing.T) { synctest.Test(t, func(t *testing.T) {}); time.Sleep(1) }", "TestA uses time.Sleep"},
		{"func TestA(t *testing.T) { synctest.Test(at(time.Tick(1)), func(t *testing.T) {}) }", "TestA uses time.Tick"},
		{"func TestA(t *testing.T) { synctest.Test(t, story) }\nfunc story(t *testing.T) { time.Sleep(1) }",
			"story uses time.Sleep"},
		{"func in(t *testing.T, story func()) { synctest.Test(t, func(t *testing.T) { story() }) }\n" +
			"func TestA(t *testing.T) { in(t, func() { time.Sleep(1) }); other.in(t, func() { time.Sleep(1) }) }",
			"TestA uses time.Sleep"},
		{"func in(t *testing.T, story func()) { story(); synctest.Test(t, func(t *testing.T) { other() }) }\n" +
			"func TestA(t *testing.T) { in(t, func() { time.Sleep(1) }) }", "TestA uses time.Sleep"},
	} {
		source := "package p\n\nimport (\n\t\"context\"\n\t\"testing\"\n\t\"testing/synctest\"\n\t\"time\"\n)\n\n"
		require.Equal(t, c.want, found(t, map[string][]byte{"x_test.go": []byte(source + c.code)}), c.code)
	}
}

// found returns what is found in the files of a package, without where.
func found(t *testing.T, files map[string][]byte) string {
	t.Helper()
	uses, err := Find(files)
	require.NoError(t, err)
	var all []string
	for _, use := range uses {
		_, what, _ := strings.Cut(use.String(), ": ")
		all = append(all, what)
	}
	return strings.Join(all, ", ")
}

func TestAClockIsFoundByWhateverNameAFileImportsIt(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"import clock \"time\"\nfunc TestA() { clock.Sleep(1) }":           "TestA uses time.Sleep",
		"import . \"time\"\nfunc TestA() { Sleep(1) }":                     `the file uses import . "time"`,
		"import \"example.com/time\"\nfunc TestA() { time.Sleep(1) }":      "",
		"import time \"example.com/slow\"\nfunc TestA() { time.Sleep(1) }": "",
	} {
		require.Equal(t, want, found(t, map[string][]byte{"x_test.go": []byte("package p\n" + source)}), source)
	}
}

func TestABubbleOfAnotherFileOfThePackageIsOne(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{
		"a_test.go": []byte("package p\nimport \"time\"\nfunc TestA() { in(func() { time.Sleep(1) }) }"),
		"b_test.go": []byte("package p\nimport fake \"testing/synctest\"\nfunc in(story func()) { fake.Test(t, story) }"),
	}
	require.Empty(t, found(t, files))
	delete(files, "b_test.go")
	require.Equal(t, "TestA uses time.Sleep", found(t, files))

	uses, err := Find(map[string][]byte{"a/x_test.go": []byte("package p\n\nimport \"time\"\n\nvar a = time.Sleep\n")})
	require.NoError(t, err)
	require.Equal(t, []Use{{File: "a/x_test.go", Line: 5, Func: "a", Name: "time.Sleep"}}, uses)
	_, err = Find(map[string][]byte{"a_test.go": []byte("package")})
	require.ErrorContains(t, err, "a_test.go")
}
