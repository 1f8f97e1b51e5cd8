package actions_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/actions"
)

// The runner obeys lines that begin with "::", and any "##[" in a line; it ends lines at "\r", too.
func TestNothingThatIsLoggedIsObeyed(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := actions.NewLog(&out)
	for _, text := range []string{"::stop-", "commands::x\n  \u00a0::set-output name=a::b\r::error::boo\n",
		"see ##[add-mask]a for ##[error]b\nfine :: as it is\n", strings.Repeat("é", 40_000) + "::error::long\n", "::last"} {
		n, err := log.Write([]byte(text))
		require.NoError(t, err)
		require.Equal(t, len(text), n)
	}
	require.NoError(t, log.Flush())
	for line := range strings.SplitSeq(out.String(), "\n") {
		require.False(t, strings.HasPrefix(strings.TrimSpace(line), "::"), line)
		require.NotContains(t, line, "##[")
	}
	require.Contains(t, out.String(), ": :stop-commands::x\n")
	require.Contains(t, out.String(), "fine :: as it is\n")
	require.True(t, strings.HasSuffix(out.String(), ": :last\n"))
	require.Equal(t, 40_000, strings.Count(out.String(), "é"), "no character is cut in two")
}

func TestAnAnnotationAndAMaskAreOneLineEach(t *testing.T) {
	t.Parallel()
	var out strings.Builder
	log := actions.NewLog(&out)
	_, err := log.Write([]byte("begun"))
	require.NoError(t, err)
	require.NoError(t, log.Annotate(actions.Error, "100 %\r\n::warning::more"))
	require.NoError(t, log.Mask("one\n\ntwo"))
	require.NoError(t, log.Annotate(actions.Notice, strings.Repeat("é", 5000)))
	lines := strings.Split(out.String(), "\n")
	require.Equal(t, []string{"begun", "::error title=tenon::100 %25%0D%0A::warning::more", "::add-mask::one",
		"::add-mask::two"}, lines[:4])
	require.Less(t, len(lines[4]), 4100)
	require.NotContains(t, lines[4], "\ufffd")
}

func TestAnOutputCannotSetAnother(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "output")
	hostile := "a\nEOF\ncommit<<EOF\nx\nEOF"
	require.NoError(t, actions.WriteOutputs(path, []actions.Output{{Name: "commit", Value: hostile},
		{Name: "applied", Value: "1"}}))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, map[string]string{"commit": hostile, "applied": "1"}, outputs(t, string(data)))
}

// outputs reads a file of outputs as the runner does.
func outputs(t *testing.T, text string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for text != "" {
		head, rest, ok := strings.Cut(text, "\n")
		require.True(t, ok)
		name, end, ok := strings.Cut(head, "<<")
		require.True(t, ok, head)
		value, after, ok := strings.Cut(rest, "\n"+end+"\n")
		require.True(t, ok)
		all[name], text = value, after
	}
	return all
}

func TestASummaryIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "summary")
	require.NoError(t, actions.WriteSummary(path, "one\n"))
	require.NoError(t, actions.WriteSummary(path, "two\n"))
	require.Error(t, actions.WriteSummary(path, strings.Repeat("x", 1<<20+1)))
	data, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\n", string(data))
}
