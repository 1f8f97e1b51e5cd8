package main

import (
	"fmt"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	botedit "github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// numbered returns a text of many lines, of which it replaces one.
func numbered(name string, at int, by string) string {
	var text strings.Builder
	for i := range 20 {
		if i == at {
			text.WriteString(by)
		} else {
			fmt.Fprintf(&text, "line %d of %s, which is long enough\n", i, name)
		}
	}
	return text.String()
}

// mergeBase has the files of which changes are made.
var mergeBase = map[string]gittest.File{
	"keep": {Data: "keep\n"}, "text": {Data: numbered("text", 0, "")}, "old/name": {Data: numbered("name", 0, "")},
	"run.sh": {Data: "#!/bin/sh\n"}, "link": {Mode: "120000", Data: "text"}, "vendored": {Mode: "160000", Data: commitA},
	"folder/a": {Data: "a\n"}, "folder/b": {Data: "b\n"}, "file": {Data: "file\n"},
	"ä \"q\"\tx": {Data: numbered("q", 0, "")},
}

const commitA, commitB = "1111111111111111111111111111111111111111", "2222222222222222222222222222222222222222"

// treeChanges are changes of mergeBase, most of which fit to each other.
var treeChanges = []map[string]gittest.File{
	{"text": {Data: numbered("text", 3, "three\n")}},
	{"text": {Data: numbered("text", 15, "fifteen\n")}},
	{"text": {Gone: true}, "moved/text": {Data: numbered("text", 9, "nine\n")}},
	{"old/name": {Gone: true}, "new/name": {Data: numbered("name", 0, "")}},
	{"old/name": {Data: numbered("name", 7, "seven\n")}},
	{"old/added": {Data: "added\n"}},
	{"run.sh": {Mode: "100755", Data: "#!/bin/sh\n"}},
	{"run.sh": {Data: "#!/bin/sh\necho\n"}},
	{"link": {Mode: "120000", Data: "keep"}},
	{"link": {Data: "text"}},
	{"vendored": {Mode: "160000", Data: commitB}},
	{"folder/a": {Gone: true}, "folder/b": {Gone: true}, "folder": {Data: "a\n"}},
	{"file": {Gone: true}, "file/a": {Data: "file\n"}},
	{"ä \"q\"\tx": {Data: numbered("q", 3, "three\n")}},
	{"ä \"q\"\tx": {Data: numbered("q", 12, "")}},
	{"another link": {Mode: "120000", Data: "#!/bin/sh\n"}},
}

// mergeStage has a repository in which branches are merged.
type mergeStage struct {
	*gittest.Repo
	repos repo.Opener
}

func newMergeStage(t *testing.T) mergeStage {
	t.Helper()
	server := gittest.New(t)
	return mergeStage{server.Create(t, "acme/anvil"), gitrepo.New(gitrepo.Options{BaseURL: server.URL})}
}

func (s mergeStage) open(t *testing.T, branch, sha string) repo.Checkout {
	t.Helper()
	c, err := s.repos.Open(t.Context(), port.RepoRef{Owner: "acme", Name: "anvil"}, "refs/heads/"+branch, sha)
	require.NoError(t, err)
	return c
}

// branch makes a branch of a commit with some changes, one after the other, and returns its tip.
func (s mergeStage) branch(name, from string, changes []int) string {
	s.Git("update-ref", "refs/heads/"+name, from)
	for _, i := range changes {
		removed, written := map[string]gittest.File{}, map[string]gittest.File{}
		for path, file := range treeChanges[i] {
			if !file.Gone {
				written[path] = file
			} else if s.has(name, path) {
				removed[path] = file
			}
		}
		if len(removed) > 0 {
			s.Commit(name, removed)
		}
		s.Commit(name, written)
	}
	return s.Ref("refs/heads/" + name)
}

func (s mergeStage) has(branch, path string) bool {
	return s.Git("ls-tree", branch, "--", ":(literal)"+path) != ""
}

// git returns the tree of git's own merge, and whether it is clean.
func (s mergeStage) git(ours, theirs string) (tree string, clean bool) {
	cmd := exec.Command("git", "merge-tree", "--write-tree", ours, theirs)
	cmd.Dir, cmd.Env = s.Dir, gittest.Environ()
	out, err := cmd.Output()
	tree, _, _ = strings.Cut(string(out), "\n")
	return tree, err == nil
}

// with returns the tree that some changes make of one.
func (s mergeStage) with(t *testing.T, tree string, changes []port.Change) string {
	t.Helper()
	var index strings.Builder
	for _, removed := range []bool{true, false} {
		for _, c := range changes {
			switch {
			case c.Removed() != removed:
			case removed:
				fmt.Fprintf(&index, "0 %040d\t%s\x00", 0, c.Path)
			default:
				if c.Data != nil {
					s.GitIn(c.Data, "hash-object", "-w", "--stdin")
				}
				fmt.Fprintf(&index, "%s %s\t%s\x00", c.Mode, c.Blob, c.Path)
			}
		}
	}
	s.Git("read-tree", tree)
	s.GitIn([]byte(index.String()), "update-index", "-z", "--index-info")
	return s.Git("write-tree", "--missing-ok")
}

// A merge is the same one whether it is pushed, or made by the API of the changes since either parent.
func TestAMergeIsThatOfGit(t *testing.T) {
	t.Parallel()
	s := newMergeStage(t)
	base := s.Commit("base", mergeBase)
	merged := 0
	for seed := range uint64(16) {
		dice := rand.New(rand.NewPCG(seed, 1))
		changes := dice.Perm(len(treeChanges))
		ours, theirs := fmt.Sprint("ours", seed), fmt.Sprint("theirs", seed)
		tip, other := s.branch(ours, base, changes[:3]), s.branch(theirs, base, changes[3:6])
		want, clean := s.git(tip, other)
		c, merging := s.open(t, ours, tip), s.open(t, theirs, other)
		out, err := botedit.Merge{
			Base: s.open(t, "base", base), Theirs: merging, Tip: c, Protected: func(string) string { return "" },
		}.Stage(t.Context())
		require.NoError(t, err, "%v", changes[:6])
		if len(out.Results) > 0 {
			require.False(t, clean, "%v: %v", changes[:6], out.Results)
			continue
		}
		require.True(t, clean, "%v", changes[:6])
		merged++
		since, err := c.ChangesSince(merging)
		require.NoError(t, err)
		require.Equal(t, want, s.with(t, other, since), "%v", changes[:6])
		since, err = c.Changes()
		require.NoError(t, err)
		require.Equal(t, want, s.with(t, tip, since), "%v", changes[:6])
		who := repo.Signature{Name: "tenon", Email: "tenon@example.org"}
		made, err := c.Commit(t.Context(), repo.CommitRequest{
			Branch: ours, Message: "Merge", Merge: other, Author: who, Committer: who,
		})
		require.NoError(t, err)
		require.Equal(t, want, s.Git("rev-parse", made.SHA+"^{tree}"))
		require.Equal(t, tip+" "+other, s.Git("show", "-s", "--format=%P", made.SHA))
	}
	require.Greater(t, merged, 5)
}

// A blob can be that of a file and of a link.
func TestAFileIsReadWhereALinkHasItsBytes(t *testing.T) {
	t.Parallel()
	s := newMergeStage(t)
	base := s.Commit("base", map[string]gittest.File{"version": {Data: "1.0"}})
	s.Git("update-ref", "refs/heads/ours", base)
	s.Git("update-ref", "refs/heads/theirs", base)
	ours := s.Commit("ours", map[string]gittest.File{"version": {Data: "1.1"}, "z": {Mode: "120000", Data: "1.1"}})
	theirs := s.Commit("theirs", map[string]gittest.File{"version": {Data: "1.2"}})
	out, err := botedit.Merge{
		Base: s.open(t, "base", base), Theirs: s.open(t, "theirs", theirs), Tip: s.open(t, "ours", ours),
		Protected: func(string) string { return "" },
	}.Stage(t.Context())
	require.NoError(t, err)
	require.Len(t, out.Results, 1)
}
