package gitrepo

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

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
		{tips, maxTips, 50}, {trees, 0, 50}, {large, 0, 2},
		{put(put([]byte(diskMagic), ""), strings.Repeat("x", 5001)), 0, 0},
		{[]byte(diskMagic + "\xff\xff\xff\xff"), 0, 0}, {[]byte("tenon"), 0, 0}, {nil, 0, 0},
	} {
		got, objects := readTrees(bytes.NewReader(c.file), limits)
		require.Len(t, got, c.tips)
		require.LessOrEqual(t, len(objects), c.trees)
	}
}

// After a crash, a file may consist of zeros: of empty strings, which are trees without entries.
func TestOfZerosOnTheDiskFewAreRead(t *testing.T) {
	t.Parallel()
	for _, limits := range []Limits{{Objects: 50}, {InflatedBytes: 10_000}} {
		file := &io.LimitedReader{R: io.MultiReader(strings.NewReader(diskMagic), zeros{}), N: 16 << 20}
		readTrees(file, limits.withDefaults())
		require.Greater(t, file.N, int64(15<<20))
	}
}

// zeros is a reader of zeros without an end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// Runs that open a repository at the same time fetch it once, and those of different commits do not wait for each other
// once it is known.
func TestACommitIsFetchedOnceByThoseWhoWantIt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMade()
		one, other := oid{1}, oid{2}
		claims := make(chan func(error), 9)
		claim := func(ctx context.Context, id oid) {
			go func() {
				if done, err := m.in.claim(ctx, id, 0); err == nil {
					claims <- done
				}
			}()
			synctest.Wait()
		}
		claim(t.Context(), one)
		claim(t.Context(), other)
		require.Len(t, claims, 1, "nothing is known of the repository: one fetches for all")
		m.commit(t, nil)
		(<-claims)(nil)
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
			(<-claims)(errors.New("another one may get it"))
			synctest.Wait()
		}
	})
}

// A limit, or a token that is refused, is that of one installation. Others may see the repository too, if it is public.
func TestAFetchThatFailedForOneInstallationIsMadeByAnother(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		m := newMade()
		done, err := m.in.claim(t.Context(), oid{1}, 1)
		require.NoError(t, err)
		errs := map[int64]chan error{1: make(chan error), 2: make(chan error)}
		for as, ended := range errs {
			go func() {
				done, err := m.in.claim(t.Context(), oid{1}, as)
				if err == nil {
					done(nil)
				}
				ended <- err
			}()
			synctest.Wait()
		}
		limit := &port.WaitError{For: port.GitHubLimit, Err: errors.New("limit of installation 1")}
		done(limit)
		require.Equal(t, limit, <-errs[1])
		require.NoError(t, <-errs[2])
	})
}

// A run that lists paths drops the oldest commit, while another one makes a commit that shares trees with it.
func TestTheTreesOfACommitThatIsBeingMadeAreNotDropped(t *testing.T) {
	t.Parallel()
	m := newMade()
	entries := map[string]filemode.FileMode{"a/x.txt": filemode.Regular, "a/y.txt": filemode.Regular}
	oldest, _ := m.commit(t, entries)
	latest, _ := m.commit(t, map[string]filemode.FileMode{"b/x.txt": filemode.Regular})
	shared := oldest.root.kids[0].id

	entries["c.txt"] = filemode.Regular
	next := m.add(object{plumbing.CommitObject, fmt.Appendf(nil, "tree %s\n\nnext\n", m.tree("", entries))})
	w := &nodes{limits: m.limits, known: m.in.node, made: map[oid]*node{}, find: func(id oid) (object, bool) {
		o, ok := m.objects[id]
		return o, ok
	}}
	v, err := newView(next, w)
	require.NoError(t, err)
	m.in.views.limit = 1 // there is no room
	m.in.paths(latest)
	require.Nil(t, m.in.node(shared))
	m.in.views.limit = 1 << 30
	m.in.add("refs/heads/main", v)
	require.NotNil(t, m.in.node(shared), "the commit has this tree")
}
