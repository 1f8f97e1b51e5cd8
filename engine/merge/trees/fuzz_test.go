package trees

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzMerge checks what is true of every merge.
func FuzzMerge(f *testing.F) {
	f.Add(uint64(1), "d/a", "a\nb\n", "e/a")
	f.Add(uint64(2), "new", "\x00", "d")
	f.Add(uint64(3), "a/b/c", "", "a/b")
	f.Fuzz(func(t *testing.T, seed uint64, path, text, to string) {
		w := dice{rand.New(rand.NewPCG(seed, 1))}.world()
		if !valid(path) || !valid(to) {
			t.Skip("git has no such path")
		}
		w.base.put(path, file{Regular, text})
		w.ours.put(path, file{Executable, text})
		w.theirs.put(to, file{Regular, text})
		got, err := Merge(nil, w.input())
		require.NoError(t, err)
		if got.Refusal != "" {
			return
		}
		requireNoMarkers(t, got)
		requireSymmetric(t, w, got)
		requireWhole(t, w, got)
		for _, same := range []world{{w.base, w.base, w.theirs}, {w.base, w.theirs, w.base}, {w.base, w.theirs, w.theirs}} {
			got, err := Merge(nil, same.input())
			require.NoError(t, err)
			require.True(t, got.Clean(), "one side alone: %+v", got)
			require.Equal(t, same.of(w.theirs), same.result(got))
		}
	})
}

// valid reports whether a path has no empty element.
func valid(path string) bool { return !strings.Contains("/"+path+"/", "//") }

// of returns the entries of files.
func (world) of(f files) map[string]Entry {
	out := map[string]Entry{}
	for path, file := range f {
		out[path] = file.entry()
	}
	return out
}

// requireWhole requires that every change of theirs is merged or in a conflict, and that nothing else is changed.
func requireWhole(t *testing.T, w world, r Result) {
	t.Helper()
	at := map[string]int{}
	for _, m := range r.Merged {
		at[m.Path]++
		require.NotEqual(t, w.ours[m.Path].entry(), m.Entry, "nothing to do: %+v", m)
	}
	named := map[string]bool{}
	for _, c := range r.Conflicts {
		at[c.Path]++
		require.NotEmpty(t, c.Describe(words))
		for _, path := range append([]string{c.Path, c.Base.Path, c.Ours.Path, c.Theirs.Path}, c.Candidates...) {
			named[path] = true
		}
	}
	for path, n := range at {
		require.Equal(t, 1, n, "%s: %+v", path, r)
	}
	result := w.result(r)
	for path, e := range result {
		ours, theirs := w.ours[path].entry(), w.theirs[path].entry()
		require.True(t, e == ours || e == theirs || ours != w.base[path].entry() || theirs != w.base[path].entry(), path)
	}
	for _, c := range w.base.changes(w.theirs) {
		if _, ok := w.ours[c.Path]; !ok && !c.Base.exists() && !named[c.Path] {
			require.Contains(t, result, c.Path, "an addition is lost: %+v", r)
		}
	}
}
