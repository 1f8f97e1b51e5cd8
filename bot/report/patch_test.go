package report

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Whoever copies the patch of an answer from the page can apply it.
func TestGitTakesThePatch(t *testing.T) {
	t.Parallel()
	far := strings.Repeat("l\n", 50)
	changes := []FileChange{
		{Path: "a.txt", Before: []byte("one\ntwo\nthree\n"), After: []byte("one\n2\nthree\nfour")},
		{Path: "end.txt", Before: []byte("no end"), After: []byte("no end\nbut one\n")},
		{Path: "odd name \"(1)\"\\ä.md", Before: nil, After: []byte("New.\n")},
		{Path: "odd\tname.md", Before: nil, After: []byte("New.\n")},
		{Path: "run.sh", Before: nil, After: []byte("#!/bin/sh\n"), Executable: true},
		{Path: "empty.txt", Before: nil, After: []byte{}},
		{Path: "gone.txt", Before: []byte("x\n"), After: nil},
		{Path: "same.txt", Before: []byte("x\n"), After: []byte("x\n")},
		{Path: "dos.txt", Before: []byte("a\r\n"), After: []byte("b\r\n")},
		{Path: "logo.png", Before: []byte("\x00"), After: []byte("\xff")},
		{Path: "key.py", Before: []byte("x\n"), After: []byte("KEY = \"AKIA" + "Q3EGRIPLKJHGFDSA\"\n")},
		{Path: "bidi.txt", Before: []byte("x\n"), After: []byte("\u202ex\n")},
		{Path: "emoji.txt", Before: []byte("x\n"), After: []byte("⚠\uFE0F x\n")},
		{Path: "far.txt", Before: []byte(far), After: []byte("first\n" + far + "last\n")},
	}
	p := MakePatch(changes)
	require.Equal(t, []retrieve.LeftOut{
		{Path: "dos.txt", Why: "its lines end with carriage returns, which a comment does not keep"},
		{Path: "logo.png", Why: "it is not text in UTF-8"},
		{Path: "key.py", Why: "it contains secrets"},
		{Path: "bidi.txt", Why: "it has invisible characters"},
	}, p.LeftOut)
	dir := t.TempDir()
	git := func(args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "%s\n%s", out, p.Text)
	}
	git("init", "-q")
	for _, c := range changes {
		if c.Before != nil {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.Path), c.Before, 0o644))
		}
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tenon.patch"), []byte(p.Text), 0o644))
	git("add", ".")
	git("apply", "--index", "tenon.patch")
	for _, c := range changes {
		data, err := os.ReadFile(filepath.Join(dir, c.Path))
		switch {
		case c.After == nil:
			require.ErrorIs(t, err, os.ErrNotExist)
		case c.unfit() != "":
			require.NoError(t, err)
			require.Equal(t, string(c.Before), string(data))
		default:
			require.NoError(t, err)
			require.Equal(t, string(c.After), string(data), c.Path)
		}
	}
	info, err := os.Stat(filepath.Join(dir, "run.sh"))
	require.NoError(t, err)
	require.NotZero(t, info.Mode()&0o100)
}

func TestAPatchThatDoesNotFitIsNotCutButLeftOut(t *testing.T) {
	t.Parallel()
	r := Summary{
		Results: []record.Result{{Path: "a", Status: record.StatusApplied}}, Changed: []string{"a"},
		Unpushed: "the fork was deleted",
		Patch: record.Patch{
			Text: strings.Repeat("+x\n", 40_000), LeftOut: []retrieve.LeftOut{{Path: "<img>", Why: "it contains secrets"}},
		},
	}
	body := r.Body()
	require.LessOrEqual(t, utf8.RuneCountInString(body), bodyRoom)
	require.Contains(t, body,
		"The patch of these changes has 120,000 characters, more than fits here. Ask for less at a time.")
	require.Contains(t, body, "- `<img>`: it contains secrets")
	r.Patch.Text = "+x\n"
	require.Contains(t, r.Body(), "<summary>The other changes as a patch</summary>")
	r.Patch.Text = ""
	require.NotContains(t, r.Body(), "as a patch")
	require.Contains(t, r.Body(), "Not in the patch:\n\n- `<img>`")
}
