package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gotest"
)

// TestMain saves time in the go commands of these tests: what they build needs neither vet nor debug information, and
// they end before garbage matters.
func TestMain(m *testing.M) {
	for name, value := range map[string]string{"GOFLAGS": "-vet=off -ldflags=-w", "GOGC": "off"} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	m.Run()
}

// broken returns the code of a test that does something in its first runs, and passes after that. It counts its runs in
// a file beside it.
func broken(name string, runs int, does string) string {
	return fmt.Sprintf(`
func %[1]s(t *testing.T) {
	runs, _ := os.ReadFile(%[1]q)
	_ = os.WriteFile(%[1]q, append(runs, 'x'), 0o600)
	if len(runs) < %[2]d {
		%[3]s
	}
}
`, name, runs, does)
}

const good = "\nfunc TestGood(t *testing.T) {}\n"

// module writes a module of one package for each text of tests, named a, b and so on, and returns its folder.
func module(t *testing.T, tests ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(root, "go.mod"), []byte("module example.com/m\n\ngo 1.26\n"), 0o600))
	for i, text := range tests {
		name := string(rune('a' + i))
		require.NoError(t, os.Mkdir(filepath.Join(root, name), 0o700))
		code := "package " + name + "\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n" + text
		require.NoError(t, os.WriteFile(filepath.Join(root, name, "x_test.go"), []byte(code), 0o600))
	}
	return root
}

// tested runs the tests of a module, and returns what is printed.
func tested(t *testing.T, root string, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(t.Context(), &out, root, append(args, "./..."))
	return out.String(), err
}

// runs returns how often a test was run.
func runs(t *testing.T, root, path string) int {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	require.NoError(t, err)
	return len(data)
}

func TestATestThatFailsOnceOrTwiceIsFlakyAndDoesNotDecide(t *testing.T) {
	t.Parallel()
	root := module(t,
		good+broken("TestOnce", 1, `t.Run("sub", func(t *testing.T) { t.Error("unlucky") })`)+broken("TestEach", 0, ""),
		broken("TestTwice", 2, `t.Error("unlucky twice")`))
	flaky, events := filepath.Join(root, "flaky.txt"), filepath.Join(root, "events.json")
	out, err := tested(t, root, "-flaky", flaky, "-json", events)
	require.NoError(t, err, out)
	want := []string{
		"example.com/m/a TestOnce/sub failed in 1 of 2 runs", "example.com/m/b TestTwice failed in 2 of 3 runs",
	}
	end := "4 passed, 0 failed, 0 skipped\nFLAKY: " + strings.Join(want, "\nFLAKY: ") + "\n"
	require.True(t, strings.HasSuffix(out, end), out)
	require.Contains(t, out, "unlucky twice", "what they printed is not lost")
	require.Equal(t, 1, runs(t, root, "a/TestEach"), "only what failed is run again")
	require.Equal(t, 3, runs(t, root, "b/TestTwice"))
	written, err := os.ReadFile(flaky)
	require.NoError(t, err)
	require.Equal(t, strings.Join(want, "\n")+"\n", string(written))
	written, err = os.ReadFile(events)
	require.NoError(t, err)
	require.Equal(t, 3, strings.Count(string(written), `"Action":"run","Package":"example.com/m/b"`))
}

func TestATestThatFailsThreeTimesDecides(t *testing.T) {
	t.Parallel()
	root := module(t, good+broken("TestBad", 9, `t.Error("wrong")`))
	out, err := tested(t, root)
	require.EqualError(t, err, "failed each time: example.com/m/a TestBad")
	require.Contains(t, out, "1 passed, 1 failed, 0 skipped\n")
	require.NotContains(t, out, "FLAKY")
	require.NotContains(t, out, "=== RUN")
	require.Equal(t, 3, runs(t, root, "a/TestBad"))
}

func TestAPackageThatPanicsIsRunOnceMoreAsAWhole(t *testing.T) {
	t.Parallel()
	for name, does := range map[string]string{"panic": `panic("boom")`, "exit": "os.Exit(1)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := module(t, broken("TestA", 1, does)+broken("TestB", 0, ""), good)
			out, err := tested(t, root)
			require.NoError(t, err, out)
			require.Contains(t, out, "3 passed, 0 failed, 0 skipped\n"+
				"FLAKY: example.com/m/a ended before its tests did in 1 of 2 runs\n")
			require.Equal(t, 1, runs(t, root, "a/TestB"), "which the end kept from running")

			root = module(t, broken("TestA", 2, does))
			out, err = tested(t, root)
			require.EqualError(t, err, "failed each time: example.com/m/a")
			require.Contains(t, out, "0 passed, 1 failed, 0 skipped\n")
			require.Equal(t, 2, runs(t, root, "a/TestA"))
		})
	}
}

// go test remembers which tests passed, and files outside of the module do not count.
func TestATestIsReallyRunAgain(t *testing.T) {
	t.Parallel()
	wrong := filepath.Join(t.TempDir(), "wrong")
	root := module(t, fmt.Sprintf(`
func TestA(t *testing.T) {
	if _, err := os.ReadFile(%q); err == nil {
		t.Error("wrong")
	}
}
`, wrong))
	alone := gotest.Options{Dir: root, Args: []string{limit, "-run=^TestA$", "example.com/m/a"}}
	for range 2 {
		report, err := gotest.Run(t.Context(), alone)
		require.NoError(t, err)
		require.True(t, report.OK())
	}
	require.NoError(t, os.WriteFile(wrong, nil, 0o600))
	report, err := gotest.Run(t.Context(), alone)
	require.NoError(t, err)
	require.Contains(t, report.Packages[0].Result, "(cached)")
	_, err = tested(t, root)
	require.EqualError(t, err, "failed each time: example.com/m/a TestA")
}

func TestATestThatFailsAfterAPanicIsRunAgainToo(t *testing.T) {
	t.Parallel()
	root := module(t, broken("TestA", 1, `panic("boom")`)+broken("TestB", 1, `t.Error("unlucky")`)+
		broken("TestC", 9, `t.Error("wrong")`))
	out, err := tested(t, root)
	require.EqualError(t, err, "failed each time: example.com/m/a TestC")
	require.Contains(t, out, "FLAKY: example.com/m/a TestB failed in 1 of 2 runs\n")
	require.Contains(t, out, "2 passed, 1 failed, 0 skipped\n")
}

func TestMoreThanEightFailuresDecideAtOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		tests  int
		flaky  bool
		reason string
	}{{8, true, ""}, {9, false, "9 tests and packages failed; more than 8 are not run again"}} {
		text := good
		for i := range c.tests {
			text += broken(fmt.Sprintf("Test%d", i), 1, `t.Error("unlucky")`)
		}
		root := module(t, text)
		out, err := tested(t, root)
		if c.flaky {
			require.NoError(t, err, out)
			require.Equal(t, c.tests, strings.Count(out, "FLAKY:"))
			continue
		}
		require.EqualError(t, err, c.reason)
		require.Contains(t, out, "1 passed, 9 failed, 0 skipped\n")
		require.Equal(t, 1, runs(t, root, "a/Test0"))
	}
}

func TestCodeThatDoesNotBuildDecidesAtOnce(t *testing.T) {
	t.Parallel()
	root := module(t, broken("TestA", 1, `t.Error("unlucky")`), "\nfunc TestX(t *testing.T) { y() }\n")
	out, err := tested(t, root)
	require.EqualError(t, err, "the code does not build; the lines above say why")
	require.Contains(t, out, "undefined: y")
	require.Equal(t, 1, runs(t, root, "a/TestA"))
}

func TestWithoutAPackageNothingIsTested(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.ErrorContains(t, run(t.Context(), &out, t.TempDir(), nil), "usage: retest")
	require.ErrorContains(t, run(t.Context(), &out, t.TempDir(), []string{"-json", "no/where", "."}), "no/where")
}
