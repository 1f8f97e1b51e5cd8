package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/manpage"
)

// offered returns what a shell would offer for the last of some words, without descriptions, and the directive: 0 means
// files, 4 no files, 8 those with these extensions, 16 folders.
func offered(t *testing.T, words ...string) (values []string, directive string) {
	t.Helper()
	code, out, errOut := tenon(t, "", append([]string{"__complete"}, words...)...)
	require.Equal(t, exitOK, code, errOut)
	for line := range strings.Lines(out) {
		value, _, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		values = append(values, value)
	}
	last := len(values) - 1
	return values[:last], values[last]
}

func TestAShellOffersWhatFits(t *testing.T) {
	t.Setenv("TENON_CONFIG", filepath.Join(t.TempDir(), "tenon.yaml"))
	require.NoError(t, os.WriteFile(os.Getenv("TENON_CONFIG"),
		[]byte("models:\n  small:\n    id: m-1\n    provider: ollama\n"), 0o600))
	for line, want := range map[string]struct {
		values    []string
		directive string
	}{
		"appl|":                      {[]string{"apply"}, ":4"},
		"apply|":                     {nil, ":0"},
		"apply|--syntax=":            {[]string{"refuse", "warn", "off"}, ":4"},
		"apply|--base|":              {nil, ":4"},
		"completion|":                {[]string{"bash", "zsh", "fish", "powershell"}, ":4"},
		"cost|--by|":                 {[]string{"model", "month", "owner", "person", "repository"}, ":4"},
		"cost|--data|":               {nil, ":16"},
		"serve|--config|":            {[]string{"yaml", "yml"}, ":8"},
		"config|check|":              {nil, ":0"},
		"version|":                   {nil, ":4"},
		"man|events|":                {[]string{"drop", "retry"}, ":4"},
		"eval|--oracle|":             {nil, ":0"},
		"eval|retrieval|":            {nil, ":0"},
		"events|retry|":              {nil, ":4"},
		"man|--dir|":                 {nil, ":16"},
		"eval|retrieval|p|--mirror|": {nil, ":16"},
		"eval|replies|":              {nil, ":0"},
		"eval|replies|c|--only|":     {[]string{"equal", "line-ends", "refused", "other"}, ":4"},
		"demo|--reply|":              {nil, ":0"},
		"audit|--person|":            {nil, ":4"},
	} {
		words := strings.Split(line, "|")
		if words[0] == "appl" {
			words = words[:1]
		}
		values, directive := offered(t, words...)
		require.Equal(t, want.directive, directive, line)
		require.Equal(t, want.values, append([]string(nil), values...), line)
	}
	values, _ := offered(t, "audit", "--command", "")
	require.Contains(t, values, "fix")
	names, _ := completeModels(newRoot(), nil, "")
	require.Equal(t, []string{"small"}, names)
}

func TestAScriptForEachShell(t *testing.T) {
	t.Parallel()
	for _, s := range shells {
		code, out, errOut := tenon(t, "", "completion", s.name)
		require.Equal(t, exitOK, code, errOut)
		require.Contains(t, out, "__complete", s.name)
	}
	for _, args := range []string{"", "tcsh", "bash zsh"} {
		code, out, errOut := tenon(t, "", append([]string{"completion"}, strings.Fields(args)...)...)
		require.Equal(t, exitUsage, code)
		require.Empty(t, out)
		require.Equal(t, "tenon: name one shell: bash, zsh, fish, powershell\nSee tenon completion --help.\n", errOut)
	}
}

func TestEveryCommandHasAManPage(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "share", "man1")
	code, out, errOut := tenon(t, "", "man", "--dir", dir)
	require.Equal(t, exitOK, code, errOut)
	require.Empty(t, out)
	files, err := filepath.Glob(dir + "/*")
	require.NoError(t, err)
	commands := manpage.Commands(newRoot())
	require.Len(t, files, len(commands))
	for _, cmd := range commands {
		page := fileText(t, filepath.Join(dir, manpage.Name(cmd)+".1"))
		require.Contains(t, page, "\n.SH NAME\n")
	}
	code, out, _ = tenon(t, "", "man", "events", "retry")
	require.Equal(t, exitOK, code)
	require.Equal(t, fileText(t, filepath.Join(dir, "tenon-events-retry.1")), out)

	for _, args := range []string{"man aply", "man apply now", "man --dir " + dir + " apply"} {
		code, out, errOut = tenon(t, "", strings.Fields(args)...)
		require.Equal(t, exitUsage, code, args)
		require.Empty(t, out)
		require.Contains(t, errOut, "See tenon man --help.")
	}
}

func TestGroffHasNoComplaintAboutAManPage(t *testing.T) {
	t.Parallel()
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not installed")
	}
	var all strings.Builder
	for _, cmd := range manpage.Commands(newRoot()) {
		all.WriteString(manual().Page(cmd))
	}
	cmd := exec.CommandContext(t.Context(), groff, "-man", "-Tutf8", "-ww", "-z", "-rLL=100n")
	cmd.Stdin = strings.NewReader(all.String())
	said, err := cmd.CombinedOutput()
	require.NoError(t, err)
	require.Empty(t, string(said))
}
