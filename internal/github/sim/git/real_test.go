package git_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim/git"
)

func TestGitReadsWhatIsWritten(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	c := s.history()
	require.NoError(t, s.repo.SetBranch("main", c[5]))
	s.run("fsck", "--strict", "--full")
	require.Equal(t, c[5], s.run("rev-parse", "HEAD"))
	require.Equal(t, s.log(c[5], git.Filter{}), strings.Fields(s.run("log", "--format=%H", "main")))
	require.Equal(t, s.log(c[5], git.Filter{Path: "docs"}),
		strings.Fields(s.run("log", "--format=%H", "main", "--", "docs")))
	require.Equal(t, s.log(c[5], git.Filter{Not: []string{c[3]}}),
		strings.Fields(s.run("log", "--format=%H", c[3]+".."+c[5])))

	blob, err := s.repo.WriteBlob([]byte("text\n"))
	require.NoError(t, err)
	tree, err := s.repo.WriteTree(c[5], []git.Entry{{Path: "a-b", Mode: git.ModeFile, SHA: blob},
		{Path: "a/b", Mode: git.ModeFile, SHA: blob}, {Path: "a.b", Mode: git.ModeExecutable, SHA: blob}})
	require.NoError(t, err)
	s.run("read-tree", "--index-output=index", c[5])
	s.run("update-index", "--add", "--replace", "--cacheinfo", "100644,"+blob+",a-b",
		"--cacheinfo", "100644,"+blob+",a/b", "--cacheinfo", "100755,"+blob+",a.b")
	require.Equal(t, s.run("write-tree"), tree)

	who := git.Signature{Name: " Maria J. ", Email: "<maria@example.com>",
		When: time.Unix(1234567890, 0).In(time.FixedZone("", 5400))}
	id, err := s.repo.WriteCommit(git.Commit{Tree: tree, Parents: []string{c[5], c[5]}, Author: who, Committer: who,
		Message: "Two\n\nlines"})
	require.NoError(t, err)
	require.Equal(t, "Maria J <maria@example.com> 1234567890 +0130", strings.TrimPrefix(strings.Split(
		s.run("cat-file", "commit", id), "\n")[2], "author "))
	s.run("fsck", "--strict", "--full")
}

func TestWhatGitWritesIsRead(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	c := s.history()
	require.NoError(t, s.repo.SetBranch("main", c[5]))
	require.NoError(t, s.repo.SetBranch("old", c[1]))

	s.run("repack", "-q", "-a", "-d")
	s.run("tag", "-a", "-m", "Version 1", "v1", c[2])
	s.run("pack-refs", "--all", "--prune")
	require.Equal(t, c[5], s.repo.Branch("main"))
	require.Equal(t, c[2], s.repo.Resolve("refs/tags/v1"))
	require.Equal(t, "tag", s.repo.Kind(s.repo.Ref("refs/tags/v1")))
	dir, err := s.repo.Dir()
	require.NoError(t, err)
	again, err := git.Open(dir)
	require.NoError(t, err)
	list, err := again.Log(c[5], git.Filter{})
	require.NoError(t, err)
	require.Equal(t, []string{c[5], c[4], c[3], c[2], c[1]}, ids(list))

	require.NoError(t, s.repo.SetRef("refs/heads/old", ""))
	require.Empty(t, s.repo.Branch("old"))
	require.Equal(t, "main", s.run("branch", "--format=%(refname:short)"))
	require.NoError(t, s.repo.SetBranch("main", c[4]))
	require.Equal(t, c[4], s.run("rev-parse", "main"))
	require.Equal(t, c[2], s.run("rev-parse", "v1^{commit}"))

	made := s.run("commit-tree", "-p", c[4], "-m", "By git", c[4]+"^{tree}")
	s.run("update-ref", "refs/heads/topic/new", made)
	s.run("repack", "-q", "-a", "-d")
	require.Equal(t, made, s.repo.Branch("topic/new"))
	commit, err := s.repo.Commit(made)
	require.NoError(t, err)
	require.Equal(t, "By git\n", commit.Message)
	require.Equal(t, made, s.repo.Resolve(made[:9]))
}

func TestAForksObjectsAreThoseOfItsParentForGitToo(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	c := s.history()
	require.NoError(t, s.repo.SetBranch("main", c[5]))
	fork, err := s.repo.Fork(s.t.TempDir() + "/fork.git")
	require.NoError(t, err)
	inFork := &story{t: t, repo: fork, now: 10}
	made := inFork.run("commit-tree", "-p", c[5], "-m", "In the fork", c[5]+"^{tree}")
	require.NoError(t, fork.SetBranch("topic", made))
	require.Equal(t, made, inFork.run("rev-parse", "topic"))
	require.Equal(t, made, s.repo.Resolve(made))
	inFork.run("fsck", "--strict", "--full")
}

// edited returns a text with some random lines changed.
func edited(random *rand.Rand, text string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		switch random.IntN(12) {
		case 0:
		case 1:
			fmt.Fprintf(&b, "new %d\n", random.IntN(1000)+i)
			b.WriteString(line)
		case 2:
			b.WriteString("changed " + line)
		default:
			b.WriteString(line)
		}
	}
	return b.String()
}

// source returns a text in which each line is unique, so that a diff has one shortest form.
func source(random *rand.Rand, lines int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "%sline %d of %d\n", []string{"", "\t", "\t\t", "  # "}[random.IntN(4)], i, random.IntN(1000))
	}
	return b.String()
}

func TestAPatchIsThatOfGit(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	random := rand.New(rand.NewPCG(1, 2))
	before := map[string]git.File{"link": {Content: "to", Mode: git.ModeLink}, "type": {Content: "text\n"},
		"binary": {Content: "\x00\x01"}, "mode": {Content: "m\n"}, "end": {Content: "a\nb"}, "empty": {},
		"sub": {Content: strings.Repeat("1", 40), Mode: git.ModeSubmodule}}
	after := map[string]git.File{"link": {Content: "other", Mode: git.ModeLink},
		"type":   {Content: "text", Mode: git.ModeLink},
		"binary": {Content: "\x00\x02"}, "mode": {Content: "m\n", Mode: git.ModeExecutable}, "end": {Content: "a\nb\n"},
		"new": {Content: "n\n"}, "sub": {Content: strings.Repeat("2", 40), Mode: git.ModeSubmodule}, "empty": {Deleted: true}}
	for i := range 40 {
		path, text := fmt.Sprintf("d%d/f%d.txt", i%3, i), source(random, 5+random.IntN(80))
		before[path] = git.File{Content: text}
		switch i % 8 {
		case 0:
			after[path] = git.File{Deleted: true}
		case 1:
			after[path], after[path+".moved"] = git.File{Deleted: true}, git.File{Content: text}
		case 2:
			after[path], after["moved/"+path] = git.File{Deleted: true}, git.File{Content: text + "more\n"}
		default:
			after[path] = git.File{Content: edited(random, text)}
		}
	}
	from := s.commitFiles("maria", before)
	to := s.commitFiles("maria", after, from)
	files, err := s.repo.Diff(from, to)
	require.NoError(t, err)

	states := map[byte]string{'A': git.Added, 'D': git.Removed, 'M': git.Modified, 'R': git.Renamed, 'T': git.Changed}
	listed := s.run("diff", "--raw", "-z", "--find-renames", "--abbrev=40", from, to)
	raw := strings.Split(strings.TrimSuffix(listed, "\x00"), "\x00")
	for _, f := range files {
		meta := strings.Fields(raw[0])
		want, sha := &git.FileDiff{Path: raw[1], Status: states[meta[4][0]]}, meta[3]
		raw = raw[2:]
		if want.Status == git.Removed {
			sha = meta[2]
		}
		if want.Status == git.Renamed {
			want.Previous, want.Path, raw = want.Path, raw[0], raw[1:]
		}
		require.Equal(t, []string{want.Path, want.Previous, want.Status, sha}, []string{f.Path, f.Previous, f.Status, f.SHA})
		if f.Status == git.Changed {
			require.Empty(t, f.Patch)
			continue
		}
		args := []string{"diff", "--find-renames", "--no-indent-heuristic", from, to, "--", f.Path}
		if f.Previous != "" {
			args = append(args, f.Previous)
		}
		_, patch, _ := strings.Cut(s.run(args...), "\n@@ ")
		require.Equal(t, patch, strings.TrimPrefix(f.Patch, "@@ "), f.Path)
		require.Equal(t, strings.Count("\n"+f.Patch, "\n+"), f.Additions)
		require.Equal(t, strings.Count("\n"+f.Patch, "\n-"), f.Deletions)
	}
	require.Empty(t, raw)
}

func TestACleanMergeIsThatOfGit(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	random := rand.New(rand.NewPCG(3, 4))
	merged := 0
	for range 12 {
		base, ours := map[string]string{"gone": "g\n"}, map[string]string{"mine": "m\n"}
		theirs := map[string]string{"gone": "-"}
		for i := range 3 {
			path, text := fmt.Sprintf("d/f%d", i), source(random, 60)
			lines := strings.SplitAfter(text, "\n")
			half := strings.Join(lines[:29], "")
			rest := strings.Join(lines[31:], "")
			middle := strings.Join(lines[29:31], "")
			base[path] = text
			ours[path] = edited(random, half) + middle + rest
			theirs[path] = half + middle + edited(random, rest)
		}
		from := s.commit(base)
		a, b := s.commit(ours, from), s.commit(theirs, from)
		tree, err := s.repo.Merge(a, b)
		if err != nil {
			continue
		}
		merged++
		require.Equal(t, s.run("merge-tree", "--write-tree", a, b), tree)
		require.Equal(t, s.run("merge-base", a, b), from)
	}
	require.Greater(t, merged, 6)
}

func TestARandomHistoryIsWalkedAsByGit(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	random := rand.New(rand.NewPCG(5, 6))
	list := []string{s.commit(map[string]string{"f": "0\n"})}
	for i := range 60 {
		parents := []string{list[max(0, len(list)-1-random.IntN(6))]}
		if other := list[max(0, len(list)-1-random.IntN(8))]; random.IntN(4) == 0 && other != parents[0] {
			parents = append(parents, other)
		}
		if random.IntN(3) > 0 { // many commits are of the same minute
			s.now--
		}
		list = append(list, s.commit(map[string]string{fmt.Sprintf("f%d", random.IntN(5)): fmt.Sprint(i)}, parents...))
	}
	for range 25 {
		a, b := list[random.IntN(len(list))], list[random.IntN(len(list))]
		require.Equal(t, strings.Fields(s.run("log", "--format=%H", a+".."+b)), s.log(b, git.Filter{Not: []string{a}}))
		path := fmt.Sprintf("f%d", random.IntN(5))
		require.Equal(t, strings.Fields(s.run("log", "--format=%H", b, "--", path)), s.log(b, git.Filter{Path: path}))
		base, err := s.repo.MergeBase(a, b)
		require.NoError(t, err)
		bases := strings.Fields(s.run("merge-base", "--all", a, b))
		require.Contains(t, bases, base)
		require.Equal(t, base == a, s.repo.IsAncestor(a, b))
		require.Equal(t, len(bases) == 1 && bases[0] == a, s.repo.IsAncestor(a, b))
	}
}

// Git that runs already finds what a ref is moved to.
func TestWhatABranchIsMovedToIsInTheFolder(t *testing.T) {
	t.Parallel()
	s := inFolder(t)
	dir, err := s.repo.Dir()
	require.NoError(t, err)
	other, err := git.Open(dir)
	require.NoError(t, err)
	id := s.commit(map[string]string{"a.txt": "1\n"})
	require.NoError(t, s.repo.SetBranch("main", id))
	require.Equal(t, id, other.Branch("main"))
	_, err = other.Commit(id)
	require.NoError(t, err)
}
