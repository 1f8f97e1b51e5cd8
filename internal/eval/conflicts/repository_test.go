package conflicts

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// history is a bare repository in a mirror, whose commits tests make.
type history struct {
	t      *testing.T
	mirror string
	folder string
}

func newHistory(t *testing.T) history {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	h := history{t: t, mirror: t.TempDir()}
	h.folder = filepath.Join(h.mirror, "ada+app", "repo")
	require.NoError(t, os.MkdirAll(h.folder, 0o750))
	h.git("", "init", "--quiet", "--bare")
	return h
}

func (h history) git(input string, args ...string) string {
	h.t.Helper()
	cmd := exec.CommandContext(h.t.Context(), "git", args...)
	cmd.Dir, cmd.Stdin = h.folder, strings.NewReader(input)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + h.mirror, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
	}
	out, err := cmd.CombinedOutput()
	require.NoError(h.t, err, string(out))
	return strings.TrimSpace(string(out))
}

// commit adds a commit with these files, path and text in turn, to a branch, and returns its id. Its parents are those
// named, or none.
func (h history) commit(branch string, parents []string, files ...string) string {
	h.t.Helper()
	var in strings.Builder
	fmt.Fprintf(&in, "reset refs/heads/%s\ncommit refs/heads/%s\n", branch, branch)
	in.WriteString("committer Ada <ada@example.com> 1700000000 +0000\ndata 0\n")
	for i, parent := range parents {
		word := "merge"
		if i == 0 {
			word = "from"
		}
		fmt.Fprintf(&in, "%s %s\n", word, parent)
	}
	in.WriteString("deleteall\n")
	for i := 0; i < len(files); i += 2 {
		fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", files[i], len(files[i+1]), files[i+1])
	}
	h.git(in.String(), "fast-import", "--quiet", "--force")
	return h.git("", "rev-parse", "refs/heads/"+branch)
}

// merge makes the versions of a file a merge, and returns its id.
func (h history) merge(base, ours, theirs, person string) string {
	h.t.Helper()
	root := h.commit("root", nil, "a.txt", base)
	o, t := h.commit("ours", []string{root}, "a.txt", ours), h.commit("theirs", []string{root}, "a.txt", theirs)
	return h.commit("main", []string{o, t}, "a.txt", person)
}

// measure returns what is measured of the repository, and the files that are told.
func (h history) measure(o Options) (Figures, []File) {
	h.t.Helper()
	if o.Merges == 0 {
		o.Merges = 10
	}
	var files []File
	o.Each = func(f File) error {
		files = append(files, f)
		return nil
	}
	results, err := Run(h.t.Context(), []string{"ada/app"}, func(string) string { return h.folder }, o)
	require.NoError(h.t, err)
	return results[0].Figures, files
}
