package ci_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

var update = flag.Bool("update", false, "write the golden files")

// at is a time in a log.
func at(second int) string { return fmt.Sprintf("2026-05-06T12:%02d:%02d", second/60, second%60) }

// stamped returns lines as GitHub stores them, all of one second.
func stamped(second int, text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		fmt.Fprintf(&b, "%s.1234567Z %s", at(second), line)
	}
	return strings.ReplaceAll(b.String(), "␛", "\x1b")
}

// jobLog returns the log of a job whose third step, of the given name, printed something and failed.
func jobLog(step, output string) (string, port.Job) {
	log := "\ufeff" + stamped(0, "Current runner version: '2.316.0'\n##[group]Operating System\nUbuntu\n##[endgroup]\n") +
		stamped(1, "##[group]Run actions/checkout@v4\nwith:\n  repository: acme/lathe\n##[endgroup]\n"+
			"error: of another step\n") +
		stamped(2, "##[group]"+step+"\n␛[36;1m"+strings.TrimPrefix(step, "Run ")+"␛[0m\n"+
			"shell: /usr/bin/bash -e {0}\nenv:\n  CI: true\n##[endgroup]\n") +
		stamped(3, output) + stamped(4, "##[error]Process completed with exit code 1.\n") +
		stamped(5, "Post job cleanup.\nfatal: error: after it\nCleaning up orphan processes\n")
	return log, port.Job{Name: "test", Conclusion: "failure", Steps: []port.JobStep{
		{Number: 1, Name: "Set up job", Conclusion: "success", Started: at(0) + "Z", Completed: at(1) + "Z"},
		{Number: 2, Name: "Check out", Conclusion: "success", Started: at(1) + "Z", Completed: at(2) + "Z"},
		{Number: 3, Name: step, Conclusion: "failure", Started: at(2) + "Z", Completed: at(4) + "Z"},
		{Number: 4, Name: "Post Check out", Conclusion: "success", Started: at(5) + "Z", Completed: at(5) + "Z"},
	}}
}

// read reads a log.
func read(t testing.TB, log string, job port.Job) ci.Log {
	t.Helper()
	out, err := ci.NewReader().Read(strings.NewReader(log), job)
	require.NoError(t, err)
	return out
}

// excerpt returns the text of the excerpt of one log.
func excerpt(log ci.Log, tokens int) string {
	return ci.Excerpts([]ci.Failure{{Name: "test", Log: log}}, tokens)[0].Text
}

// The cases are what tools print. Those of Go, Rust, Python, Java, GCC and Node were printed by these tools.
func TestWhatToolsPrintBecomesExcerpts(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/tools/*.txtar")
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(files), 25)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			archive, err := txtar.ParseFile(name)
			require.NoError(t, err)
			part := map[string]string{}
			for _, f := range archive.Files {
				part[f.Name] = string(f.Data)
			}
			got := excerpt(read2(t, part), ci.MaxTokens)
			require.NotContains(t, got, "another step")
			require.NotContains(t, got, "after it")
			require.NotContains(t, got, "\x1b")
			require.NotContains(t, got, "2026-05-06T12")
			if *update {
				set(archive, "excerpt", got)
				require.NoError(t, os.WriteFile(name, txtar.Format(archive), 0o600))
				return
			}
			require.Equal(t, part["excerpt"], got)
		})
	}
}

func read2(t *testing.T, part map[string]string) ci.Log {
	t.Helper()
	log, job := jobLog(strings.TrimSpace(part["step"]), part["output"])
	return read(t, log, job)
}

// set sets a file of an archive.
func set(a *txtar.Archive, name, text string) {
	for i := range a.Files {
		if a.Files[i].Name == name {
			a.Files[i].Data = []byte(text)
			return
		}
	}
	a.Files = append(a.Files, txtar.File{Name: name, Data: []byte(text)})
}
