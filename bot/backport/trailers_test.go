package backport

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// generated returns a message of a few lines, many of which are trailers or nearly so.
func generated(r *rand.Rand) string {
	lines := []string{"One", "It was so.", "", "", "Signed-off-by: A <a@x.example>", "Signed-off-by:A", "Bug: 1", "Bug:",
		"Bug : 1", "two words: 1", " goes on", "\tgoes on", "(cherry picked from commit b1)", "# Conflicts", "https://x", "-",
		"signed-off-by: a", "é: 1"}
	text := "Subject"
	for range r.IntN(12) {
		if line := lines[r.IntN(len(lines))]; line != "" || !strings.HasSuffix(text, "\n") { // git folds empty lines
			text += "\n" + line
		}
	}
	return strings.TrimRight(text, " \t\n")
}

func TestAMessageEndsAsThatOfGitsOwnPick(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var messages []string
	var in bytes.Buffer
	write := func(text, rest string) {
		fmt.Fprintf(&in, "commit refs/heads/x\ncommitter A <a@x.example> 1700000000 +0000\ndata %d\n%s\n%s\n", len(text),
			text, rest)
	}
	write("Base", "")
	for i := range 200 {
		messages = append(messages, generated(r))
		write(messages[i], fmt.Sprintf("M 100644 inline f%d\ndata 1\nx", i))
	}
	dir := t.TempDir()
	git := func(stdin []byte, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(stdin)
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1",
			"GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@x.example", "GIT_COMMITTER_NAME=A",
			"GIT_COMMITTER_EMAIL=a@x.example"}
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	git(nil, "init", "-q")
	git(in.Bytes(), "fast-import", "--quiet")
	shas := strings.Fields(git(nil, "rev-list", "--reverse", "x"))[1:]
	git(nil, "checkout", "-q", "x~200")
	git(nil, "cherry-pick", "-x", "x~200..x")
	picked := strings.Split(git(nil, "log", "--reverse", "--format=%B%x00", "x~200..HEAD"), "\x00\n")
	joined := 0
	for i, text := range messages {
		got := Commit{Message: text, Picked: []string{shas[i]}}.FullMessage()
		require.Equal(t, strings.TrimSpace(picked[i]), strings.TrimSpace(got))
		if endsInTrailers(text) {
			joined++
		}
	}
	require.Greater(t, joined, 30)
	require.Less(t, joined, 170)
}

func TestAParagraphIsAddedAboveTheTrailers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"One":                           "One\n\nNote.",
		"One\n\nWhy.":                   "One\n\nWhy.\n\nNote.",
		"One\n\nSigned-off-by: a <b@c>": "One\n\nNote.\n\nSigned-off-by: a <b@c>",
		"One\n\nWhy.\n \nA: b\n c":      "One\n\nWhy.\n \nNote.\n\nA: b\n c",
	} {
		require.Equal(t, want, Noted(text, "Note."))
	}
}
