package text_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

func TestAUnifiedDiffIsWrittenAsGitDoes(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct{ old, now, want string }{
		"nothing": {"a\n", "a\n", ""},
		"a line":  {"a\n", "b\n", "@@ -1 +1 @@\n-a\n+b\n"},
		"new":     {"", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
		"deleted": {"a\n", "", "@@ -1 +0,0 @@\n-a\n"},
		"with its context": {
			"1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nV\n6\n7\n8\n9\n",
			"@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+V\n 6\n 7\n 8\n",
		},
		"two that share their context": {
			"a\n1\n2\n3\n4\n5\n6\nb\n", "A\n1\n2\n3\n4\n5\n6\nB\n",
			"@@ -1,8 +1,8 @@\n-a\n+A\n 1\n 2\n 3\n 4\n 5\n 6\n-b\n+B\n",
		},
		"two further apart": {
			"a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\nB\nb\n",
			"@@ -1,4 +1,3 @@\n-a\n 1\n 2\n 3\n@@ -6,4 +5,5 @@\n 5\n 6\n 7\n+B\n b\n",
		},
		"an ending that is added":   {"a\nb", "a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n"},
		"an ending that is removed": {"b\n", "b", "@@ -1 +1 @@\n-b\n+b\n\\ No newline at end of file\n"},
		"no ending on both sides":   {"a\nb", "A\nb", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n\\ No newline at end of file\n"},
		"endings of another kind":   {"a\r\nb\n", "a\nb\n", "@@ -1,2 +1,2 @@\n-a\r\n+a\n b\n"},
	} {
		require.Equal(t, c.want, text.Unified(nil, c.old, c.now), story)
	}
}

func TestTheWorkOfAUnifiedDiffIsBounded(t *testing.T) {
	t.Parallel()
	old, now := strings.Join(shuffled(2_000, 1), "\n"), strings.Join(shuffled(2_000, 2), "\n")
	w := meter.Of(10_000)
	patch := text.Unified(w, old, now)
	require.Less(t, w.Spent(), 15_000)
	require.Equal(t, 1, strings.Count(patch, "@@ -"))
	require.Equal(t, now, patched(t, old, patch))
}

var hunkHeader = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)

// patched applies the hunks of a unified diff to a text, and requires that the text has the lines that they expect.
func patched(t *testing.T, old, patch string) string {
	t.Helper()
	var out strings.Builder
	rest := lineList(old)
	at, oldLeft, newLeft := 0, 0, 0
	all := lineList(patch)
	for i, line := range all {
		if m := hunkHeader.FindStringSubmatch(strings.TrimSuffix(line, "\n")); m != nil && oldLeft+newLeft == 0 {
			from, _ := strconv.Atoi(m[1])
			if oldLeft, newLeft = count(m[2]), count(m[4]); oldLeft > 0 {
				from--
			}
			for ; at < from; at++ {
				out.WriteString(rest[at])
			}
			continue
		}
		if strings.HasPrefix(line, `\`) {
			continue
		}
		content := line[1:]
		if i+1 < len(all) && all[i+1] == "\\ No newline at end of file\n" {
			content = strings.TrimSuffix(content, "\n")
		}
		if line[0] != '+' {
			require.Equal(t, rest[at], content)
			at, oldLeft = at+1, oldLeft-1
		}
		if line[0] != '-' {
			out.WriteString(content)
			newLeft--
		}
	}
	require.Zero(t, oldLeft)
	require.Zero(t, newLeft)
	return out.String() + strings.Join(rest[at:], "")
}

func count(number string) int {
	if number == "" {
		return 1
	}
	n, _ := strconv.Atoi(number)
	return n
}

func lineList(s string) []string {
	all := strings.SplitAfter(s, "\n")
	if all[len(all)-1] == "" {
		all = all[:len(all)-1]
	}
	return all
}

func TestAUnifiedDiffMakesTheNewText(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	for range 2_000 {
		var old, now strings.Builder
		for i := range r.IntN(60) {
			line := fmt.Sprintf("line %d\n", i%(1+r.IntN(60)))
			if r.IntN(10) > 0 {
				old.WriteString(line)
			}
			if r.IntN(10) > 0 {
				now.WriteString(line)
			}
		}
		a, b := old.String(), now.String()
		if r.IntN(4) == 0 {
			a = strings.TrimSuffix(a, "\n")
		}
		if r.IntN(4) == 0 {
			b = strings.TrimSuffix(b, "\n")
		}
		require.Equal(t, b, patched(t, a, text.Unified(nil, a, b)))
	}
}

func FuzzUnified(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nc\nd")
	f.Add("", "\n")
	f.Add("a", "a\n")
	f.Add("a\r\n\n", "a\n\r\n")
	f.Add("1\n2\n3\n4\n5\n6\n7\n8\n", "2\n3\n4\n5\n6\n7\n8\n9")
	f.Fuzz(func(t *testing.T, old, now string) {
		patch := text.Unified(nil, old, now)
		require.Equal(t, old == now, patch == "")
		require.Equal(t, now, patched(t, old, patch))
	})
}

func TestGitAppliesAUnifiedDiff(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	far := strings.Repeat("same\n", 30)
	for name, c := range map[string]struct{ old, now string }{
		"changed":     {"a\nb\nc\nd\ne\n", "a\nb\nC\nd\ne\n"},
		"unended":     {"a\nb", "a\nB"},
		"ended":       {"a\nb", "a\nb\n"},
		"end-removed": {"a\nb\n", "a\nb"},
		"carriage":    {"a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"},
		"mixed":       {"a\r\nb\nc\r\n", "a\nb\nc"},
		"emptied":     {"a\nb\n", ""},
		"filled":      {"", "a\nb"},
		"far-apart":   {"first\n" + far + "last\n", "FIRST\n" + far + "LAST\n"},
		"blank-lines": {"\n\n\n", "\n\n\n\n"},
	} {
		dir := t.TempDir()
		apply := func(patch string) {
			cmd := exec.CommandContext(t.Context(), git, "apply", "-")
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(patch)
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s: %s\n%s", name, out, patch)
		}
		read := func() string {
			data, err := os.ReadFile(filepath.Join(dir, "f"))
			require.NoError(t, err)
			return string(data)
		}
		require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte(c.old), 0o600))
		apply("diff --git a/f b/f\n--- a/f\n+++ b/f\n" + text.Unified(nil, c.old, c.now))
		require.Equal(t, c.now, read(), name)
		if c.now != "" {
			apply("diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n" + text.Unified(nil, c.now, ""))
			require.NoFileExists(t, filepath.Join(dir, "f"), name)
			apply("diff --git a/f b/f\nnew file mode 100644\n--- /dev/null\n+++ b/f\n" + text.Unified(nil, "", c.now))
			require.Equal(t, c.now, read(), name)
		}
	}
}
