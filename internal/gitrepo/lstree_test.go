package gitrepo_test

import (
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gitrepo"
)

// tree is the mode of each file and folder of a commit.
type tree map[string]string

// tree returns what git has.
func (w *world) tree(commit string) tree {
	all := tree{}
	for line := range strings.SplitSeq(w.repo.Git("ls-tree", "-r", "-t", "-z", commit), "\x00") {
		if head, name, ok := strings.Cut(line, "\t"); ok {
			all[name], _, _ = strings.Cut(head, " ")
		}
	}
	return all
}

func (t tree) set(name, mode string) {
	t[name] = mode
	for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
		t[folder] = "040000"
	}
}

// remove removes a file, and the folders that become empty.
func (t tree) remove(name string) {
	delete(t, name)
	folder := path.Dir(name)
	for other := range t {
		if strings.HasPrefix(other, folder+"/") {
			return
		}
	}
	if folder != "." {
		t.remove(folder)
	}
}

func (t tree) kind(name string) engine.Kind {
	return map[string]engine.Kind{"": engine.Absent, "040000": engine.Folder, "120000": engine.Symlink,
		"160000": engine.Submodule, "100644": engine.File, "100755": engine.File}[t[name]]
}

// requireTree compares all that a checkout says of its files with a tree. others are further names.
func requireTree(t *testing.T, want tree, c *gitrepo.Checkout, others []string) {
	t.Helper()
	files, links, named, in := []string{}, []string{}, map[string][]string{}, map[string]map[string]engine.Kind{"": {}}
	for name := range want {
		folder := strings.TrimPrefix(path.Dir(name), ".")
		if in[folder] == nil {
			in[folder] = map[string]engine.Kind{}
		}
		in[folder][path.Base(name)] = want.kind(name)
		switch want.kind(name) {
		case engine.File:
			files = append(files, name)
			named[path.Base(name)] = append(named[path.Base(name)], name)
		case engine.Symlink, engine.Submodule:
			links = append(links, name)
		}
		others = append(others, name)
	}
	slices.Sort(files)
	slices.Sort(links)
	got, err := c.Files()
	require.NoError(t, err)
	require.Equal(t, files, got)
	got, err = c.Links("")
	require.NoError(t, err)
	require.ElementsMatch(t, links, got)
	for folder, want := range in {
		got := map[string]engine.Kind{}
		require.NoError(t, c.Entries(folder, func(name string, kind engine.Kind) { got[name] = kind }))
		require.Equal(t, want, got, folder)
	}
	for _, name := range others {
		kind, err := c.Kind(name)
		require.NoError(t, err)
		require.Equal(t, want.kind(name), kind, name)
		slices.Sort(named[path.Base(name)])
		got, err := c.Named(path.Base(name))
		require.NoError(t, err)
		require.ElementsMatch(t, named[path.Base(name)], got, name)
	}
}

// pathsOf returns a function that makes up paths, in which names sort next to each other or differ in little.
func pathsOf(random *rand.Rand) func() string {
	names := []string{"a", "a.b", "a-b", "a0", "A", "b", "é", "e\u0301", "ß", "a b", "main.go", "Main.go", "x:y"}
	return func() string {
		parts := make([]string, 1+random.IntN(4))
		for i := range parts {
			parts[i] = names[random.IntN(len(names))]
		}
		return strings.Join(parts, "/")
	}
}

// fastImport adds a commit with so many changes to a branch, on top of from, unless that is empty.
func (w *world) fastImport(random *rand.Rand, branch, from string, changes int) string {
	pick := pathsOf(random)
	in := fmt.Sprintf("commit refs/heads/%s\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 0\n", branch)
	if from != "" {
		in += "from " + from + "\n"
	}
	for range changes {
		switch name := pick(); random.IntN(6) {
		case 0:
			in += fmt.Sprintf("D \"%s\"\n", name)
		case 1:
			in += fmt.Sprintf("M 160000 %040d \"%s\"\n", 1, name)
		default:
			mode := []string{"100644", "100755", "120000"}[random.IntN(3)]
			in += fmt.Sprintf("M %s inline \"%s\"\ndata 1\n%d\n", mode, name, random.IntN(3))
		}
	}
	w.repo.GitIn([]byte(in), "fast-import", "--quiet", "--force")
	return w.repo.Ref("refs/heads/" + branch)
}

// change stages changes at random in a checkout, and makes them in what is expected of it.
func change(t *testing.T, random *rand.Rand, c *gitrepo.Checkout, want tree) {
	t.Helper()
	pick := pathsOf(random)
	for range random.IntN(20) {
		files, err := c.Files()
		require.NoError(t, err)
		to := pick()
		if len(files) == 0 || random.IntN(2) == 0 {
			if c.WriteFile(to, []byte("new")) == nil {
				want.set(to, "100644")
			}
			continue
		}
		from := files[random.IntN(len(files))]
		switch mode := want[from]; {
		case random.IntN(2) == 0:
			require.NoError(t, c.Remove(from))
			want.remove(from)
		case from != to && c.Move(from, to) == nil:
			want.remove(from)
			want.set(to, mode)
		}
	}
}

// What a checkout says of its files is what git says, with what is staged and when that is pushed, whatever was known
// of the repository before.
func TestACheckoutHasWhatGitHas(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	o := gitrepo.Options{CacheDir: t.TempDir()}
	w := newWorld(t, o)
	commits := []string{w.fastImport(random, "branch0", "", 300)}
	for round := range 12 {
		branch := fmt.Sprint("branch", random.IntN(3))
		from := commits[max(0, len(commits)-1-random.IntN(4))]
		commits = append(commits, w.fastImport(random, branch, from, random.IntN(30)))
		if random.IntN(4) == 0 {
			w.restart(o)
		}
		at := commits[max(0, len(commits)-1-random.IntN(3))]
		open := func(ref, commit string) *gitrepo.Checkout {
			c, err := w.repos.Open(t.Context(), acme, ref, commit)
			require.NoError(t, err)
			return c.(*gitrepo.Checkout)
		}
		c, want, pick := open("refs/heads/"+branch, at), w.tree(at), pathsOf(random)
		others := []string{pick(), pick(), pick()}
		if random.IntN(2) == 0 { // else what is staged is the first that is looked at
			requireTree(t, want, c, others)
		}
		change(t, random, c, want)
		requireTree(t, want, c, others)
		pushed := fmt.Sprint("pushed", round)
		made, err := c.Commit(t.Context(), request(pushed))
		if err != nil {
			require.ErrorIs(t, err, gitrepo.ErrNoChange)
			continue
		}
		commits = append(commits, made.SHA)
		require.Equal(t, want, w.tree(made.SHA))
		requireTree(t, want, open("refs/heads/"+pushed, made.SHA), others)
	}
}
