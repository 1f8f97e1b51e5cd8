package retrieve

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/secret"
)

// TestWhatIsMaskedInRealProjects counts what is taken for a secret in the newest commits of real projects: run it with
// TENON_PROJECTS set to a pattern of git directories, and -v. What it lists is for people to look at, and no assertion.
func TestWhatIsMaskedInRealProjects(t *testing.T) {
	dirs, err := filepath.Glob(os.Getenv("TENON_PROJECTS"))
	require.NoError(t, err)
	if len(dirs) == 0 {
		t.Skip("TENON_PROJECTS names no git directories")
	}
	var all masked
	for _, dir := range dirs {
		m := maskProject(t, dir)
		t.Logf("%s: %d of %d files and %d of %d lines masked, %d names hidden", dir, m.maskedFiles, m.files,
			m.maskedLines, m.lines, m.names)
		all.files, all.maskedFiles, all.names = all.files+m.files, all.maskedFiles+m.maskedFiles, all.names+m.names
		all.lines, all.maskedLines = all.lines+m.lines, all.maskedLines+m.maskedLines
	}
	t.Logf("%d projects: %d of %d files and %d of %d lines masked, %d names hidden", len(dirs), all.maskedFiles,
		all.files, all.maskedLines, all.lines, all.names)
}

type masked struct{ files, maskedFiles, lines, maskedLines, names int }

func maskProject(t *testing.T, dir string) (m masked) {
	list, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "-z", "HEAD").Output()
	require.NoError(t, err, dir)
	var blobs strings.Builder
	var names []string
	for entry := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		about, name, _ := strings.Cut(entry, "\t")
		if fields := strings.Fields(about); strings.HasPrefix(about, "100") {
			blobs.WriteString(fields[2] + "\n")
			names = append(names, name)
		}
	}
	read := exec.Command("git", "-C", dir, "cat-file", "--batch")
	read.Stdin = strings.NewReader(blobs.String())
	out, err := read.Output()
	require.NoError(t, err, dir)
	in := bufio.NewReader(bytes.NewReader(out))
	for _, name := range names {
		head, err := in.ReadString('\n')
		require.NoError(t, err)
		if strings.HasSuffix(head, " missing\n") {
			continue
		}
		size, err := strconv.Atoi(strings.Fields(head)[2])
		require.NoError(t, err)
		data := make([]byte, size+1)
		_, err = io.ReadFull(in, data)
		require.NoError(t, err)
		m.add(t, name, data[:size])
	}
	return m
}

// add counts a file.
func (m *masked) add(t *testing.T, name string, data []byte) {
	if why := Withheld(policy.Policy{}, name); why != "" {
		if strings.Contains(why, "secrets") {
			m.names++
			t.Logf("  %s: %s", name, why)
		}
		return
	}
	if withheldText(data) != "" {
		return
	}
	m.files++
	before := strings.Split(string(data), "\n")
	m.lines += len(before)
	text, kinds := secret.Redact(string(data))
	if len(kinds) == 0 {
		return
	}
	m.maskedFiles++
	for i, line := range strings.Split(text, "\n") {
		if line != before[i] {
			if m.maskedLines++; len(before[i]) < 400 {
				t.Logf("  %s:%d: %s\n      %s", name, i+1, before[i], line)
			}
		}
	}
}
