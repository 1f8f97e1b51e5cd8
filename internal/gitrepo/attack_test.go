package gitrepo_test

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

type afiles map[string]gittest.File

func (f afiles) put(path string, file gittest.File) {
	for i := range path {
		if path[i] == '/' {
			delete(f, path[:i])
		}
	}
	for other := range f {
		if strings.HasPrefix(other, path+"/") {
			delete(f, other)
		}
	}
	f[path] = file
}

type adice struct{ *rand.Rand }

func (d adice) one(from ...string) string { return from[d.IntN(len(from))] }
func (d adice) path() string {
	return d.one("", "", "d/", "d/e/", "lib/", "D/", "new/e/", "ä/", "a b/") + d.one("a", "b", "A", "c\"q", "go.sum", "d", "lib", "x.txt", "tab\tx", "Icon\r", "é")
}
func (d adice) text() string {
	switch d.IntN(14) {
	case 0:
		return ""
	case 1:
		return "a"
	case 2:
		return "d/b"
	}
	var b strings.Builder
	kind := d.IntN(5)
	for i := range 4 + d.IntN(12) {
		fmt.Fprintf(&b, "line %d of kind %d, which is long enough\n", i, kind)
	}
	s := b.String()
	if d.IntN(8) == 0 {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	if d.IntN(20) == 0 {
		s = "version https://git-lfs.github.com/spec/v1\n" + s
	}
	return s
}
func (d adice) file() gittest.File {
	switch d.IntN(12) {
	case 0:
		return gittest.File{Mode: "120000", Data: d.one("a", "d/b", "nowhere")}
	case 1:
		return gittest.File{Mode: "160000", Data: strings.Repeat(d.one("1", "2"), 40)}
	case 2:
		return gittest.File{Mode: "100755", Data: d.text()}
	}
	return gittest.File{Mode: "100644", Data: d.text()}
}
func (d adice) edited(f gittest.File) gittest.File {
	if f.Mode != "100644" && f.Mode != "100755" {
		return d.file()
	}
	lines := strings.SplitAfter(f.Data, "\n")
	lines[d.IntN(len(lines))] = d.one("", "x\n", "y\n", "z")
	f.Data = strings.Join(lines, "")
	return f
}
func (d adice) change(f afiles) {
	paths := slices.Sorted(maps.Keys(f))
	if len(paths) == 0 {
		f.put(d.path(), d.file())
		return
	}
	p := paths[d.IntN(len(paths))]
	old := f[p]
	switch d.IntN(10) {
	case 0, 1:
		f.put(d.path(), d.file())
	case 2, 3:
		f[p] = d.edited(old)
	case 4:
		delete(f, p)
	case 5:
		delete(f, p)
		f.put(d.path(), old)
	case 6:
		delete(f, p)
		f.put(d.path(), d.edited(old))
	case 7: // same bytes, another kind
		if old.Mode != "160000" {
			old.Mode = d.one("120000", "100644", "100755")
			if old.Data == "" || strings.Contains(old.Data, "\n") && old.Mode == "120000" {
				old.Mode = "100755"
			}
			f[p] = old
		}
	case 8:
		f.put(p+"/"+d.one("a", "b"), old)
	case 9:
		if i := strings.LastIndexByte(p, '/'); i > 0 {
			dir, to := p[:i+1], d.one("moved/", "d/", "lib/", "q/r/")
			for _, q := range paths {
				if rest, ok := strings.CutPrefix(q, dir); ok && to != dir {
					if v, ok := f[q]; ok {
						delete(f, q)
						f.put(to+rest, v)
					}
				}
			}
		}
	}
}

func diffOf(from, to afiles) map[string]gittest.File {
	out := map[string]gittest.File{}
	for p, f := range to {
		if from[p] != f {
			out[p] = f
		}
	}
	for p := range from {
		if _, ok := to[p]; !ok {
			out[p] = gittest.File{Gone: true}
		}
	}
	return out
}

func TestAttackRandom(t *testing.T) {
	n, _ := strconv.Atoi(os.Getenv("ATTACK"))
	from, _ := strconv.Atoi(os.Getenv("ATTACK_FROM"))
	server := gittest.New(t)
	r := server.Create(t, "acme/anvil")
	repos := gitrepo.New(gitrepo.Options{BaseURL: server.URL})
	ref := port.RepoRef{Owner: "acme", Name: "anvil"}
	ctx := context.Background()
	clean, conflict, careful, errs := 0, 0, 0, map[string]int{}
	for i := from; i < from+n; i++ {
		d := adice{rand.New(rand.NewPCG(uint64(i), 99))}
		base := afiles{"keep": {Mode: "100644", Data: "keep\n"}}
		for range 2 + d.IntN(8) {
			base.put(d.path(), d.file())
		}
		ours, theirs := maps.Clone(base), maps.Clone(base)
		for range 1 + d.IntN(4) {
			d.change(ours)
		}
		for range 1 + d.IntN(4) {
			d.change(theirs)
		}
		if len(ours) == 0 || len(theirs) == 0 {
			continue
		}
		name := func(s string) string { return fmt.Sprintf("%s%d", s, i) }
		b := r.Commit(name("base"), base)
		r.Git("update-ref", "refs/heads/"+name("ours"), b)
		r.Git("update-ref", "refs/heads/"+name("theirs"), b)
		gone := func(m map[string]gittest.File) (a, c map[string]gittest.File) {
			a, c = map[string]gittest.File{}, map[string]gittest.File{}
			for p, f := range m {
				if f.Gone {
					a[p] = f
				} else {
					c[p] = f
				}
			}
			return a, c
		}
		commit := func(branch string, m map[string]gittest.File) string {
			a, c := gone(m)
			sha := r.Ref("refs/heads/" + branch)
			if len(a) > 0 {
				sha = r.Commit(branch, a)
			}
			if len(c) > 0 {
				sha = r.Commit(branch, c)
			}
			return sha
		}
		o := commit(name("ours"), diffOf(base, ours))
		th := commit(name("theirs"), diffOf(base, theirs))
		cmd := exec.Command("git", "merge-tree", "--write-tree", o, th)
		cmd.Dir = r.Dir
		cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		out, err := cmd.Output()
		gitClean := err == nil
		tree := strings.Fields(string(out))[0]
		open := func(branch, sha string) repo.Checkout {
			c, err := repos.Open(ctx, ref, "refs/heads/"+branch, sha)
			require.NoError(t, err)
			return c
		}
		tip, tc, bc := open(name("ours"), o), open(name("theirs"), th), open(name("base"), b)
		m := edit.Merge{Base: bc, Theirs: tc, Tip: tip, OursName: "ours", TheirsName: "theirs", Reason: edit.ReasonMergeConflict,
			Protected: func(string) string { return "" }}
		res, err := m.Stage(ctx)
		tell := fmt.Sprintf("world %d\nbase %+v\nours %+v\ntheirs %+v", i, base, diffOf(base, ours), diffOf(base, theirs))
		if err != nil {
			e := err.Error()
			if errs[e]++; len(errs) < 5 {
				t.Logf("ERROR %v (git clean %v)\n%s", err, gitClean, tell)
			}
			errs["all"]++
			continue
		}
		if len(res.Results) > 0 {
			if gitClean {
				careful++
			} else {
				conflict++
			}
			continue
		}
		clean++
		require.True(t, gitClean, tell)
		// by the API: the changes since theirs on the tree of theirs
		own, err := tip.ChangesSince(tc)
		require.NoError(t, err)
		changes, err := tip.Changes()
		require.NoError(t, err)
		for _, c := range changes {
			if c.Data != nil {
				r.GitIn(c.Data, "hash-object", "-w", "--stdin")
			}
		}
		apply := func(tree string, list []port.Change) string {
			var in strings.Builder
			for _, pass := range []bool{true, false} {
				for _, c := range list {
					if c.Removed() != pass {
						continue
					}
					if c.Removed() {
						fmt.Fprintf(&in, "0 %s\t%s\x00", strings.Repeat("0", 40), c.Path)
					} else {
						fmt.Fprintf(&in, "%s %s\t%s\x00", c.Mode, c.Blob, c.Path)
					}
				}
			}
			idx := t.TempDir() + "/idx"
			run := func(stdin string, args ...string) string {
				cmd := exec.Command("git", args...)
				cmd.Dir, cmd.Stdin = r.Dir, strings.NewReader(stdin)
				cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+idx)
				out, err := cmd.CombinedOutput()
				require.NoError(t, err, string(out))
				return strings.TrimSpace(string(out))
			}
			run("", "read-tree", tree)
			run(in.String(), "update-index", "-z", "--index-info")
			return run("", "write-tree", "--missing-ok")
		}
		require.Equal(t, tree, apply(th, own), "own on theirs: "+tell)
		require.Equal(t, tree, apply(o, changes), "changes on ours: "+tell)
		made, err := tip.Commit(ctx, repo.CommitRequest{Branch: name("ours"), Message: "m", Merge: th,
			Author: repo.Signature{Name: "a", Email: "a@b"}, Committer: repo.Signature{Name: "a", Email: "a@b"}})
		require.NoError(t, err, tell)
		require.Equal(t, tree, r.Git("rev-parse", made.SHA+"^{tree}"), "pushed: "+tell)
	}
	t.Logf("clean %d conflict %d careful %d errs %v", clean, conflict, careful, errs)
}

// A link and a file of one blob.
func TestAttackSameBlob(t *testing.T) {
	server := gittest.New(t)
	r := server.Create(t, "acme/anvil")
	repos := gitrepo.New(gitrepo.Options{BaseURL: server.URL})
	ref := port.RepoRef{Owner: "acme", Name: "anvil"}
	ctx := context.Background()
	b := r.Commit("base", map[string]gittest.File{"VERSION": {Data: "1.0/x"}, "keep": {Data: "k\n"}})
	r.Git("update-ref", "refs/heads/ours", b)
	r.Git("update-ref", "refs/heads/theirs", b)
	o := r.Commit("ours", map[string]gittest.File{"VERSION": {Data: "1.1/x"}, "zlink": {Mode: "120000", Data: "1.1/x"}})
	th := r.Commit("theirs", map[string]gittest.File{"VERSION": {Data: "1.2/x"}})
	open := func(branch, sha string) repo.Checkout {
		c, err := repos.Open(ctx, ref, "refs/heads/"+branch, sha)
		require.NoError(t, err)
		return c
	}
	m := edit.Merge{Base: open("base", b), Theirs: open("theirs", th), Tip: open("ours", o), OursName: "o", TheirsName: "t",
		Reason: edit.ReasonMergeConflict, Protected: func(string) string { return "" }}
	res, err := m.Stage(ctx)
	t.Log(res, err)
}
