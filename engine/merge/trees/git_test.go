package trees

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// git is a repository with the commits of worlds.
type git struct{ path, dir string }

func newGit(t *testing.T) git {
	t.Helper()
	path, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	g := git{path, t.TempDir()}
	g.run(t, "", "init", "-q", "--bare", "--template=")
	return g
}

// run runs git, which may fail with 1.
func (g git) run(t *testing.T, stdin string, args ...string) (out string, ok bool) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), g.path, args...)
	cmd.Dir, cmd.Stdin = g.dir, strings.NewReader(stdin)
	cmd.Env = []string{"HOME=" + g.dir, "GIT_DIR=" + g.dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null"}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return string(data), false
	}
	require.NoError(t, err, stderr.String())
	return string(data), true
}

// commit makes the commits of worlds.
func (g git) commit(t *testing.T, worlds []world) {
	t.Helper()
	var b strings.Builder
	mark := 0
	commit := func(name string, from int, f files) int {
		mark++
		fmt.Fprintf(&b, "commit refs/heads/%s\nmark :%d\ncommitter a <a@example.com> 0 +0000\ndata 0\n", name, mark)
		if from != 0 {
			fmt.Fprintf(&b, "from :%d\ndeleteall\n", from)
		}
		for _, path := range f.paths() {
			if f[path].mode == Submodule {
				fmt.Fprintf(&b, "M 160000 %s %s\n", f[path].text, path)
			} else {
				fmt.Fprintf(&b, "M %o inline %s\ndata %d\n%s\n", f[path].mode, path, len(f[path].text), f[path].text)
			}
		}
		return mark
	}
	for i, w := range worlds {
		from := commit(fmt.Sprintf("base%d", i), 0, w.base)
		commit(fmt.Sprintf("ours%d", i), from, w.ours)
		commit(fmt.Sprintf("theirs%d", i), from, w.theirs)
	}
	g.run(t, b.String(), "fast-import", "--quiet")
}

// merged is git's merge of a world.
type merged struct {
	clean bool
	tree  map[string]Entry
	// conflicts are the paths in conflicts, and messages what git says of them.
	conflicts map[string]bool
	messages  []string
}

func (g git) merge(t *testing.T, i int) merged {
	t.Helper()
	out, clean := g.run(t, "", "merge-tree", "--write-tree", "-z", "--messages",
		fmt.Sprintf("ours%d", i), fmt.Sprintf("theirs%d", i))
	m := merged{clean: clean, tree: map[string]Entry{}, conflicts: map[string]bool{}}
	parts := strings.Split(out, "\x00")
	listing, _ := g.run(t, "", "ls-tree", "-r", "-z", parts[0])
	for line := range strings.SplitSeq(strings.TrimSuffix(listing, "\x00"), "\x00") {
		if head, path, ok := strings.Cut(line, "\t"); ok {
			fields := strings.Fields(head)
			mode, err := strconv.ParseUint(fields[0], 8, 32)
			require.NoError(t, err)
			m.tree[path] = Entry{Mode(mode), fields[2]}
		}
	}
	at := 1
	for ; at < len(parts) && parts[at] != ""; at++ {
		_, path, _ := strings.Cut(parts[at], "\t")
		m.conflicts[path] = true
	}
	for at++; at+1 < len(parts); {
		n, err := strconv.Atoi(parts[at])
		require.NoError(t, err)
		if kind := parts[at+1+n]; kind != "Auto-merging" {
			for _, path := range parts[at+1 : at+1+n] {
				m.conflicts[path] = true
			}
			m.messages = append(m.messages, kind+" "+parts[at+2+n])
		}
		at += n + 3
	}
	return m
}

// worlds is how many worlds are merged: as many as the environment says, for long runs.
func worlds(t *testing.T) int {
	t.Helper()
	n, err := strconv.Atoi(os.Getenv("TENON_TEST_TREES")) //nolint:forbidigo // how a long run is asked for
	if err != nil {
		return 400
	}
	return n
}

func TestMergesAreThoseOfGit(t *testing.T) {
	t.Parallel()
	g := newGit(t)
	var all []world
	for i := range worlds(t) {
		all = append(all, dice{rand.New(rand.NewPCG(uint64(i), 36))}.world())
	}
	g.commit(t, all)
	clean, conflicts, careful := 0, 0, map[string]int{}
	for i, w := range all {
		got, err := Merge(nil, w.input())
		require.NoError(t, err)
		require.Empty(t, got.Refusal)
		requireNoMarkers(t, got)
		requireSymmetric(t, w, got)
		want := g.merge(t, i)
		tell := fmt.Sprintf("world %d\n%s\nresult %+v\ngit %v", i, w.tell(), got, want.messages)
		switch {
		case got.Clean():
			clean++
			require.True(t, want.clean, "git has a conflict: %s", tell)
			require.Equal(t, want.tree, w.result(got), tell)
			continue
		case want.clean:
			t.Log(tell)
			for _, c := range got.Conflicts {
				careful[string(c.Kind)]++
			}
		default:
			conflicts++
		}
		requireSameOutside(t, w.result(got), want, got.Conflicts, tell)
	}
	t.Logf("clean=%d conflicts=%d careful=%v", clean, conflicts, careful)
	more := 0
	for _, n := range careful {
		more += n
	}
	require.Less(t, more*100, len(all), "more careful than git: %v", careful)
	require.Greater(t, clean, len(all)/5)
	require.Greater(t, conflicts, len(all)/5)
}

// requireSameOutside requires that trees are the same, except for paths that are in conflict for either.
func requireSameOutside(t *testing.T, tree map[string]Entry, want merged, conflicts []Conflict, tell string) {
	t.Helper()
	skip := map[string]bool{}
	for path := range want.conflicts {
		for ; path != ""; path = parent(path) { // a file in the way is at another path
			skip[path] = true
		}
	}
	for _, c := range conflicts {
		for _, path := range c.Candidates {
			skip[path] = true
		}
		skip[c.Path], skip[c.Base.Path], skip[c.Ours.Path], skip[c.Theirs.Path] = true, true, true, true
	}
	for path := range tree {
		if !skip[path] {
			require.Equal(t, want.tree[path], tree[path], "%s: %s", path, tell)
		}
	}
	for path := range want.tree {
		if !skip[path] {
			require.Contains(t, tree, path, tell)
		}
	}
}

func requireNoMarkers(t *testing.T, r Result) {
	t.Helper()
	for _, m := range r.Merged {
		require.NotContains(t, string(m.Text), "<<<<<<<")
		require.NotContains(t, string(m.Text), ">>>>>>>")
	}
}

// requireSymmetric requires that a merge is clean from both sides if it is from one, with the same tree.
func requireSymmetric(t *testing.T, w world, r Result) {
	t.Helper()
	other, err := Merge(nil, w.swapped().input())
	require.NoError(t, err)
	require.Equal(t, r.Clean(), other.Clean(), w.tell())
	if r.Clean() {
		require.Equal(t, w.result(r), w.swapped().result(other), w.tell())
	}
}

func (w world) tell() string {
	var b strings.Builder
	for i, f := range []files{w.base, w.ours, w.theirs} {
		for _, path := range f.paths() {
			file := f[path]
			if i > 0 && w.base[path] == file {
				continue
			}
			fmt.Fprintf(&b, "%s %o %s %.300q\n", []string{"base", "ours", "theirs"}[i], file.mode, path, file.text)
		}
		for _, path := range w.base.paths() {
			if _, ok := f[path]; !ok {
				fmt.Fprintf(&b, "%s - %s\n", []string{"base", "ours", "theirs"}[i], path)
			}
		}
	}
	return b.String()
}
