package ci_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

// failed returns a failure with a log.
func failed(t *testing.T, name, output string) ci.Failure {
	t.Helper()
	log, job := jobLog("Run make", output)
	return ci.Failure{Name: name, Conclusion: "failure", Log: read(t, log, job)}
}

// errorsIn returns the errors of a compiler.
func errorsIn(file string, n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%s:%d:1: undefined: name%d of %s\n\n", file, i+1, i, file)
	}
	return b.String()
}

func TestJobsShareTheRoom(t *testing.T) {
	t.Parallel()
	var failures []ci.Failure
	for i := range 10 {
		failures = append(failures, failed(t, fmt.Sprint("job ", i), errorsIn(fmt.Sprintf("f%d.go", i), 2000)))
	}
	failures[3] = failed(t, "small", "panic: small\n")
	total := 0
	for i, e := range ci.Excerpts(failures, ci.MaxTokens) {
		total += len(e.Text)
		if i == 3 {
			require.Equal(t, "Run make\npanic: small\nError: Process completed with exit code 1.\n", e.Text)
			continue
		}
		require.Contains(t, e.Text, fmt.Sprintf("f%d.go:1:1: undefined: name0", i))
		require.Greater(t, len(e.Text), ci.MaxTokens*port.BytesPerToken/11)
	}
	require.LessOrEqual(t, total, ci.MaxTokens*port.BytesPerToken)
	require.Greater(t, total, ci.MaxTokens*port.BytesPerToken*4/5, "what one does not need, the others get")
}

func TestAnyNumberOfFailuresFits(t *testing.T) {
	t.Parallel()
	var failures []ci.Failure
	for i := range 30 {
		failures = append(failures, failed(t, fmt.Sprint("job ", i), errorsIn(fmt.Sprintf("f%d.go", i), 40)))
		failures[i].Said = strings.Repeat("it failed ", 100)
		failures[i].Annotations = []port.Annotation{{Path: "a.go", StartLine: 1, Message: fmt.Sprint("no ", i)}}
	}
	for _, tokens := range []int{-1, 0, 1, 5, 100, 1000, ci.MaxTokens, 100 * ci.MaxTokens} {
		total := 0
		for _, e := range ci.Excerpts(failures, tokens) {
			total += len(e.Text)
		}
		require.LessOrEqual(t, total, max(0, tokens)*port.BytesPerToken)
	}
	require.Empty(t, ci.Excerpts(nil, 100))
}

func TestJobsWithTheSameErrorsAreShownOnce(t *testing.T) {
	t.Parallel()
	out := ci.Excerpts([]ci.Failure{
		failed(t, "test (ubuntu)", "--- FAIL: TestX (0.01s)\n    x_test.go:7: no\n"),
		failed(t, "test (macos)", "--- FAIL: TestX (0.42s)\n    x_test.go:7: no\n"),
		failed(t, "lint", "x.go:1:1: unused\n"),
		{Name: "deploy"}, {Name: "docs"},
	}, ci.MaxTokens)
	require.Empty(t, out[0].SameAs)
	require.Equal(t, "test (ubuntu)", out[1].SameAs)
	require.Empty(t, out[1].Text)
	require.Empty(t, out[2].SameAs)
	require.Empty(t, out[4].SameAs, "nothing is known of either")
}

func TestAnnotationsAndWhatACheckSaidAreShown(t *testing.T) {
	t.Parallel()
	notes := []port.Annotation{
		{Path: "src/a.ts", StartLine: 12, Level: "failure", Title: "TS2345", Message: "wrong type\nin the second line"},
		{Path: ".github", StartLine: 3, Level: "failure", Message: "Process completed with exit code 1."},
		{Path: "src/b.ts", StartLine: 1, Level: "notice", Message: "a notice"},
		{Path: ".github", Level: "warning", Message: "Node.js 20 is deprecated"},
	}
	out := ci.Excerpts([]ci.Failure{{
		Name: "check\n\x1b[31mof\u202e  types", Conclusion: "timed_out", Said: "3 problems\r\nwere \x00found",
		Annotations: notes,
	}}, 100)
	require.Equal(t, []ci.Excerpt{{Name: "check of types", Conclusion: "timed_out",
		Text: "src/a.ts:12: TS2345\nwrong type\nin the second line\nNode.js 20 is deprecated\n3 problems\nwere found\n",
	}}, out)

	f := failed(t, "check", "src/a.ts(12,5): error TS2345: wrong type\n")
	f.Annotations = notes[:1]
	require.Equal(t, 1, strings.Count(ci.Excerpts([]ci.Failure{f}, 200)[0].Text, "wrong type"), "the log says so, too")
	f = failed(t, "check", errorsIn("a.go", 500))
	for range 50 {
		f.Annotations = append(f.Annotations, port.Annotation{Path: "b.go", StartLine: 1, Level: "failure", Message: "other"})
	}
	text := ci.Excerpts([]ci.Failure{f}, 300)[0].Text
	require.Contains(t, text, "b.go:1: other\n")
	require.Contains(t, text, "a.go:1:1: undefined: name0", "annotations leave room for the log")
}

func TestTheSameFailureHasTheSameFingerprint(t *testing.T) {
	t.Parallel()
	one := []ci.Failure{
		failed(t, "test", "=== RUN TestX\n--- FAIL: TestX (0.01s)\n    /tmp/TestX123/001/x_test.go:7: got 3, want 4\n"+
			"panic: at 0xc000123456 after 12ms, id 0b5c1c1e-3f1a-4a53-9d0e-5d6f3a1c2b4d\n"),
		failed(t, "lint", "src/x.go:12:5: unused: y\nsrc/y.go(3,4): error X1: no\n"),
	}
	two := []ci.Failure{
		failed(t, "lint", "src/y.go(9,1): error X1: no\nsrc/x.go:19:2: unused: y\n"),
		failed(t, "test", "a line more\n--- FAIL: TestX (1.41s)\n    /tmp/TestX987/001/x_test.go:9: got 3, want 4\n"+
			"panic: at 0xc000999999 after 1.5s, id 1b5c1c1e-3f1a-4a53-9d0e-5d6f3a1c2b4e\n"),
	}
	print := ci.Fingerprint(one)
	require.NotEmpty(t, print)
	require.Equal(t, print, ci.Fingerprint(two))
	for story, other := range map[string][]ci.Failure{
		"another error":        {one[0], failed(t, "lint", "src/x.go:12:5: unused: z\n")},
		"one is fixed":         one[:1],
		"one more":             append(two, ci.Failure{Name: "docs"}),
		"another name":         {one[0], failed(t, "vet", "src/x.go:12:5: unused: y\nsrc/y.go(3,4): error X1: no\n")},
		"another number in it": {one[1], failed(t, "test", "--- FAIL: TestX (0.01s)\npanic: got 5\n")},
	} {
		require.NotEqual(t, print, ci.Fingerprint(other), story)
	}
	status := func(said string, notes ...port.Annotation) string {
		return ci.Fingerprint([]ci.Failure{{Name: "x", Said: said, Annotations: notes}})
	}
	require.Equal(t, status("failed after 12s"), status("failed after 14s"))
	require.NotEqual(t, status("2 problems"), status("1 problem"))
	require.NotEqual(t, status("", port.Annotation{Message: "a"}), status("", port.Annotation{Message: "b"}))
	require.Empty(t, ci.Fingerprint(nil))
	require.NotEqual(t, ci.Fingerprint([]ci.Failure{failed(t, "x", "progress\nnothing known\n")}),
		ci.Fingerprint([]ci.Failure{failed(t, "x", "progress\nnothing else\n")}), "without an error, the end counts")
}

func TestWhatRunnersAndSystemsSayIsFound(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"Killed", "./build.sh: line 3:  1234 Killed                  make", "E: Unable to locate package libfoo",
		"##[error]Unable to resolve action `a/b@v9`", "bash: jq: command not found", "No space left on device",
		"npm error code ETARGET", "ld.lld: error: undefined symbol: foo", "Segmentation fault (core dumped)",
		`time="…" level=error msg="no go files"`, "fatal: could not read Username",
		"curl: (6) Could not resolve host: example.com",
	} {
		text := excerpt(read(t, head+line+"\n"+strings.Repeat("fine\n", 100), port.Job{}), ci.MaxTokens)
		require.Contains(t, text, strings.Replace(line, "##[error]", "Error: ", 1))
	}
}
