package gitrepo

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"path"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

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
		e := treeEntry{mode: c.mode, name: []byte(name), id: plumbing.ComputeHash(plumbing.BlobObject, []byte(folder+name))}
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
		m.in.add("refs/heads/main", v, w.made)
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

// fake keeps a repository of so many bytes.
func (v *views) fake(url string, bytes int64) *repository {
	r := v.of(url)
	v.keep(r, bytes)
	return r
}

// Repositories share the memory: a large one takes what it needs, and goes before the small ones that are used as much.
func TestRepositoriesAreWeighedAgainstEachOther(t *testing.T) {
	t.Parallel()
	const mb = 1 << 20
	v := &views{limit: 100 * mb, kept: map[string]*keptViews{}}
	for i := range 50 {
		v.fake(fmt.Sprint("small", i), mb)
	}
	v.fake("zlarge", 40*mb)
	require.Len(t, v.kept, 51)
	v.fake("other", 40*mb)
	require.NotContains(t, v.kept, "zlarge")
	require.Len(t, v.kept, 51, "no small one went for it")
	v.fake("huge", 101*mb)
	require.Len(t, v.kept, 51, "what does not fit at all displaces nothing")
	for range 40 { // small ones that nobody uses any more make room at last
		for i := range 4 {
			v.fake(fmt.Sprint("busy", i), 20*mb)
		}
		require.LessOrEqual(t, v.size, v.limit)
	}
	for i := range 4 {
		require.Contains(t, v.kept, fmt.Sprint("busy", i))
	}
	for i := range 30_000 { // of these nothing is known, so they are nothing worth
		v.of(fmt.Sprint("empty", i))
	}
	require.Contains(t, v.kept, "busy3")
	sum := int64(0)
	for _, k := range v.kept {
		sum += k.bytes
	}
	require.Equal(t, sum, v.size)
	require.Len(t, v.least, len(v.kept))
	for _, k := range v.kept {
		require.Same(t, k, v.least[k.at])
		require.GreaterOrEqual(t, k.worth, v.least[0].worth)
	}
	require.Same(t, v.of("busy3"), v.of("busy3"))
}

// Commits that come at the same time share their trees, which are counted once because there is one of each.
func TestCommitsThatComeTogetherShareTheirTrees(t *testing.T) {
	t.Parallel()
	entries := map[string]filemode.FileMode{}
	for i := range 1000 {
		entries[fmt.Sprintf("d%04d/f.go", i)] = filemode.Regular
	}
	for range 5 {
		m := newMade()
		root := m.tree("", entries)
		var commits []oid
		for i := range maxTips {
			commits = append(commits, m.add(object{plumbing.CommitObject, fmt.Appendf(nil, "tree %s\n\n%d\n", root, i)}))
		}
		var group sync.WaitGroup
		roots := make([]*node, maxTips)
		for i, id := range commits {
			group.Go(func() {
				if v, err := keepView(m.in, m.limits, "refs/heads/main", id, m.objects); err == nil {
					roots[i] = v.root
				}
			})
		}
		group.Wait()
		for _, root := range roots {
			require.Same(t, roots[0], root)
		}
	}
}

// A file on the disk that claims to have more than there can be takes no more memory.
func TestWhatIsReadFromTheDiskIsBounded(t *testing.T) {
	t.Parallel()
	limits := Limits{Objects: 50, InflatedBytes: 10_000, ObjectBytes: 5000}.withDefaults()
	put := func(file []byte, text string) []byte {
		return append(binary.BigEndian.AppendUint32(file, uint32(len(text))), text...)
	}
	tips, trees := []byte(diskMagic), []byte(diskMagic)
	for range 1000 {
		tips = put(put(tips, "ref"), "")
	}
	trees = put(trees, "")
	for i := range 1000 {
		trees = put(trees, fmt.Sprint(i))
	}
	large := put(put(put(put([]byte(diskMagic), ""), strings.Repeat("x", 5000)), strings.Repeat("y", 5000)), "z")
	for _, c := range []struct {
		file        []byte
		tips, trees int
	}{
		{tips, maxTips, 50}, {trees, 0, 50}, {large, 0, 2}, {put(put([]byte(diskMagic), ""), strings.Repeat("x", 5001)), 0, 0},
		{[]byte(diskMagic + "\xff\xff\xff\xff"), 0, 0}, {[]byte("tenon"), 0, 0}, {nil, 0, 0},
	} {
		got, objects := readTrees(bytes.NewReader(c.file), limits)
		require.Len(t, got, c.tips)
		require.LessOrEqual(t, len(objects), c.trees)
	}
}

// Runs that open a repository at the same time fetch it once, and those of different commits do not wait for each other
// once it is known.
func TestACommitIsFetchedOnceByThoseWhoWantIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMade()
		one, other := oid{1}, oid{2}
		claims := make(chan func(), 9)
		claim := func(ctx context.Context, id oid) {
			go func() {
				if done, err := m.in.claim(ctx, id); err == nil {
					claims <- done
				}
			}()
			synctest.Wait()
		}
		claim(t.Context(), one)
		claim(t.Context(), other)
		require.Len(t, claims, 1, "nothing is known of the repository: one fetches for all")
		m.commit(t, nil)
		(<-claims)()
		synctest.Wait()
		require.Len(t, claims, 1)

		claim(t.Context(), one)
		require.Len(t, claims, 2, "for another commit")
		cancelled, cancel := context.WithCancel(t.Context())
		claim(cancelled, one)
		cancel()
		synctest.Wait()
		require.Len(t, claims, 2, "who is cancelled does not wait")
		for len(claims) > 0 {
			(<-claims)()
			synctest.Wait()
		}
	})
}
