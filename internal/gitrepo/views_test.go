package gitrepo

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/stretchr/testify/require"
)

// made is a repository whose commits are made here.
type made struct {
	in      *repository
	objects map[oid]object
	commits int
	limits  Limits
	// alike makes files with the same name the same, wherever they are, and so folders with the same files.
	alike bool
}

func newMade() *made {
	v := &views{limit: 1 << 30, kept: map[string]*keptViews{}}
	return &made{in: v.of("https://git.example/acme/anvil.git"), objects: map[oid]object{},
		limits: Limits{}.withDefaults()}
}

func (m *made) add(o object) oid {
	m.objects[o.id()] = o
	return o.id()
}

// tree adds the trees of entries, whose kinds are given by path, in a folder.
func (m *made) tree(folder string, entries map[string]filemode.FileMode) oid {
	type child struct {
		mode filemode.FileMode
		in   map[string]filemode.FileMode
	}
	children := map[string]*child{}
	for name, mode := range entries {
		first, rest, deeper := strings.Cut(name, "/")
		c := children[first]
		if c == nil {
			c = &child{mode, map[string]filemode.FileMode{}}
			children[first] = c
		}
		if deeper {
			c.mode, c.in[rest] = filemode.Dir, mode
		}
	}
	var all []treeEntry
	for name, c := range children {
		path := folder + name
		if m.alike {
			path = name
		}
		e := treeEntry{mode: c.mode, name: []byte(name), id: plumbing.ComputeHash(plumbing.BlobObject, []byte(path))}
		if e.isFolder() {
			e.id = m.tree(folder+name+"/", c.in)
		}
		all = append(all, e)
	}
	slices.SortFunc(all, compareEntries)
	var data bytes.Buffer
	for _, e := range all {
		fmt.Fprintf(&data, "%o %s\x00%s", uint32(e.mode), e.name, e.id[:])
	}
	return m.add(object{plumbing.TreeObject, data.Bytes()})
}

// commit makes a commit with these entries, and returns its view and how many trees were read for it.
func (m *made) commit(t *testing.T, entries map[string]filemode.FileMode) (v *view, read int) {
	t.Helper()
	v, read, err := m.try(entries)
	require.NoError(t, err)
	return v, read
}

func (m *made) try(entries map[string]filemode.FileMode) (v *view, read int, err error) {
	m.commits++
	data := fmt.Sprintf("tree %s\n\n%d\n", m.tree("", entries), m.commits)
	id := m.add(object{plumbing.CommitObject, []byte(data)})
	w := &nodes{limits: m.limits, known: m.in.node, made: map[oid]*node{}, find: func(id oid) (object, bool) {
		if m.objects[id].kind == plumbing.TreeObject {
			read++
		}
		o, ok := m.objects[id]
		return o, ok
	}}
	if v, err = newView(id, w); err == nil {
		m.in.add("refs/heads/main", v)
	}
	return v, read, err
}

// someEntries returns a tree of files, links and submodules.
func someEntries(random *rand.Rand, n int) map[string]filemode.FileMode {
	entries := map[string]filemode.FileMode{}
	for range n {
		var parts []string
		for range 1 + random.IntN(4) {
			parts = append(parts, []string{"a", "a-", "a.b", "b", "src", "z"}[random.IntN(6)]+fmt.Sprint(random.IntN(4)))
		}
		change(entries, strings.Join(parts, "/"), random)
	}
	return entries
}

// change adds an entry where git allows one, or else removes what is in its way.
func change(entries map[string]filemode.FileMode, name string, random *rand.Rand) {
	free := true
	for other := range entries {
		if other == name || strings.HasPrefix(other, name+"/") || strings.HasPrefix(name, other+"/") {
			delete(entries, other)
			free = false
		}
	}
	if free || random.IntN(2) == 0 {
		entries[name] = []filemode.FileMode{filemode.Regular, filemode.Regular, filemode.Executable, filemode.Symlink,
			filemode.Submodule}[random.IntN(5)]
	}
}

func filesOf(entries map[string]filemode.FileMode) []string {
	files := []string{}
	for name, mode := range entries {
		if !isLink(mode) {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return files
}

// A commit of a change reads the trees above it, however many others there are.
func TestTreesAreReadOnlyWhereTheyChanged(t *testing.T) {
	t.Parallel()
	for _, folders := range []int{10, 1000} {
		m, entries := newMade(), map[string]filemode.FileMode{}
		for i := range folders {
			for j := range 5 {
				entries[fmt.Sprintf("src/d%04d/f%d.go", i, j)] = filemode.Regular
			}
		}
		first, read := m.commit(t, entries)
		require.Equal(t, folders+2, read)
		before := m.in.bytes()
		list := m.in.paths(first)
		require.Greater(t, m.in.bytes()-before, int64(len(entries)*len("src/d0003/f1.go")), "the names count")

		entries["src/d0003/f1.go"] = filemode.Executable
		second, read := m.commit(t, entries)
		require.Equal(t, 3, read)
		require.Same(t, list, m.in.paths(second), "no name has changed")

		entries["src/d0003/new.go"] = filemode.Regular
		third, read := m.commit(t, entries)
		require.Equal(t, 3, read)
		same, data := (&folder{node: third.root}).find("src/d0004").node, []byte("x")
		same.data, data = data, same.data // so that it cannot be read
		changed := m.in.paths(third)
		same.data = data
		require.Equal(t, filesOf(entries), slices.Collect(changed.All()))
		differ := 0
		for _, b := range changed.Blocks() {
			if !slices.Contains(list.Blocks(), b) {
				differ++
			}
		}
		require.LessOrEqual(t, differ, 2)

		again, read := m.commit(t, entries)
		require.Zero(t, read, "the same tree")
		require.Same(t, third.root, again.root)
	}
}

// A tree that was within the limits where it was can be too deep, too long or too often in another commit.
func TestKnownTreesAreHeldToTheLimits(t *testing.T) {
	t.Parallel()
	for why, c := range map[string]struct {
		limit func(*Limits)
		below []string // where the tree is in the second commit
	}{
		"nested more than":   {func(l *Limits) { l.TreeDepth = 4 }, []string{"a/b/c/"}},
		"a path of more":     {func(l *Limits) { l.PathBytes = 20 }, []string{"a-long-folder/"}},
		"paths of its files": {func(l *Limits) { l.AllPathsBytes = 80 }, []string{"a-long-folder/of/"}},
		"files and folders.": {func(l *Limits) { l.Entries = 20 }, []string{"a/", "b/", "c/", "d/", "e/"}},
	} {
		m, entries := newMade(), map[string]filemode.FileMode{}
		c.limit(&m.limits)
		m.alike = true
		tree := []string{"x/y/1.go", "x/y/2.go"}
		for _, name := range tree {
			entries[name] = filemode.Regular
		}
		m.commit(t, entries)
		for _, folder := range c.below {
			for _, name := range tree {
				entries[folder+name] = filemode.Regular
			}
		}
		_, _, err := m.try(entries)
		require.ErrorContains(t, err, why)
	}
}

func TestPathsByDifferenceAreThoseOfTheTree(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 20 {
		m, entries := newMade(), someEntries(random, 300)
		for range 20 {
			v, _ := m.commit(t, entries)
			require.Equal(t, filesOf(entries), append([]string{}, slices.Collect(m.in.paths(v).All())...))
			for range random.IntN(20) {
				for name := range someEntries(random, 1) {
					change(entries, name, random)
				}
			}
		}
	}
}

func TestEntriesOfLargeFoldersAreFound(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, markEvery - 1, markEvery, markEvery + 1, 1000} {
		entries := map[string]filemode.FileMode{}
		for i := range n {
			name := fmt.Sprintf("%s%d", []string{"a", "a-", "a.", "a0", "b"}[random.IntN(5)], i%(n/2+1))
			if random.IntN(3) == 0 {
				name += "/x"
			}
			change(entries, name, random)
		}
		m := newMade()
		v, _ := m.commit(t, entries)
		root, all := &folder{node: v.root}, map[string]bool{}
		for name := range entries {
			all[name], all[path.Dir(name)] = true, true
		}
		for name, mode := range entries {
			e := root.find(name)
			require.NotNil(t, e, name)
			require.Equal(t, mode, e.mode, name)
			above := root.find(path.Dir(name))
			require.Equal(t, path.Dir(name) != ".", above != nil && above.mode == filemode.Dir && above.node != nil, name)
			parent := strings.TrimSuffix(name, "x") + "/"
			for _, other := range []string{name + "-", name + "0", name + "/y", "0" + name, parent} {
				require.Equal(t, all[other], root.find(other) != nil, other)
			}
			for _, other := range []string{name + "\x00", name + "\x00b", "\x00" + name, name + "/\x00"} {
				require.Nil(t, root.find(other), "%q", other)
			}
		}
	}
}

// What only former commits had is dropped from time to time, so that a repository takes the memory of its tips.
func TestTreesWithoutACommitAreDropped(t *testing.T) {
	t.Parallel()
	m, entries := newMade(), map[string]filemode.FileMode{}
	for i := range 400 {
		entries[fmt.Sprintf("d%03d/f.go", i)] = filemode.Regular
	}
	first, _ := m.commit(t, entries)
	for i := range 300 {
		entries[fmt.Sprintf("d%03d/f%d.go", i%400, i)] = filemode.Regular
		delete(entries, fmt.Sprintf("d%03d/f%d.go", (i-100)%400, i-100))
		v, read := m.commit(t, entries)
		m.in.paths(v)
		require.LessOrEqual(t, read, 3, "of the root, and where a file came or went")
		require.LessOrEqual(t, m.in.bytes(), int64(600<<10), "each tip has one tree of 15 kB, and all share 400")
	}
	require.Nil(t, m.in.view(first.commit))
	m.in.mu.Lock()
	m.in.sweep()
	m.in.mu.Unlock()
	for _, tip := range m.in.tips {
		require.Same(t, tip.view.root, m.in.node(tip.view.root.id))
	}
}

// A run opens the default branch and its own one. Of a repository in which these do not fit together, both are fetched
// by their difference.
func TestOfCommitsThatDoNotFitTogetherTheOldestGoes(t *testing.T) {
	t.Parallel()
	m := newMade()
	entries := map[string]filemode.FileMode{}
	for i := range 2000 {
		entries[fmt.Sprintf("same/d%d/f%d.go", i/100, i)] = filemode.Regular
	}
	var last *view
	for run := range 10 {
		for i := range 3000 {
			delete(entries, fmt.Sprintf("%d/d%d/f%d.go", (run+1)%2, i/100, i))
			entries[fmt.Sprintf("%d/d%d/f%d.go", run%2, i/100, i)] = filemode.Regular
		}
		require.Same(t, last, m.in.recent(""))
		last, _ = m.commit(t, entries)
		m.in.paths(last)
		if run == 0 {
			m.in.views.limit = m.in.bytes() * 5 / 4
		}
		require.LessOrEqual(t, m.in.bytes(), m.in.views.limit)
		require.Same(t, m.in, m.in.views.of(m.in.url))
		require.Len(t, m.in.tips, 1)
	}
}
