package retrieve

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/engine"
)

// What is known of names is shared, so no selection changes it.
func TestWhatOneSelectionLeavesOutIsInTheNext(t *testing.T) {
	t.Parallel()
	for _, ignore := range [][]string{nil, {"b.go"}} {
		s := &selector{Query: Query{Policy: policy.Policy{Ignore: ignore}, Documents: lexical.NewCache(1 << 20)},
			index: indexOf("a.go", "b.go", "c.go")}
		first := s.sources()
		first.leaveOut("c.go")
		require.Equal(t, 2-len(ignore), first.len)
		second := s.sources()
		var left []string
		for _, name := range second.named() {
			left = append(left, name)
		}
		require.Len(t, left, 3-len(ignore))
		require.Contains(t, left, "c.go")
	}
}

// One glob with a line break, or a space, is not two globs.
func TestWhatIsKnownOfNamesIsForTheGlobsThatHideThem(t *testing.T) {
	t.Parallel()
	s := &selector{Query: Query{Documents: lexical.NewCache(1 << 20)}, index: indexOf("a.go", "b.go", "c.go")}
	for _, ignore := range [][]string{{"a.go\nb.go"}, {"a.go b.go"}, {"a.go", "b.go"}, {"a.go"}, {`a.go", "b.go`}} {
		s.Policy.Ignore = ignore
		var left []string
		all := s.sources()
		for _, name := range all.named() {
			left = append(left, name)
		}
		want := slices.DeleteFunc([]string{"a.go", "b.go", "c.go"}, func(name string) bool {
			return slices.Contains(ignore, name)
		})
		require.Equal(t, want, left)
	}
}

// listedCheckout has a list of its paths, and lists them in no other way.
type listedCheckout struct {
	repo.Checkout
	list *paths.List
}

func (c listedCheckout) Paths() (*paths.List, error) { return c.list, nil }

// What one selection found out of names is there for the next one, of a tree that differs in a file, but for the block
// that this is in.
func TestASelectionLooksAtTheNamesThatChanged(t *testing.T) {
	t.Parallel()
	for _, n := range []int{2000, 100_000} {
		files := make([]string, n)
		for i := range files {
			files[i] = fmt.Sprintf("src/d%03d/reader%06d.go", i/1000, i)
		}
		list := paths.New(slices.Values(files))
		cache := lexical.NewCache(64 << 20)
		repos := &repository{commits: map[string]engine.MemTree{headSHA: {}}, refs: map[string]string{"": headSHA}}
		checkout, err := repos.Open(t.Context(), port.RepoRef{}, "", "")
		require.NoError(t, err)
		s, err := newSelector(listedCheckout{checkout, list}, Query{Policy: policy.Policy{}, Command: "the reader",
			Documents: cache})
		require.NoError(t, err)
		s.rankPaths(s.words())
		require.Len(t, s.ranking.best, n)

		made := 0
		for _, b := range list.Change(files[700:701], []string{"src/d001/writer.go"}).Blocks() {
			cache.Names(b.ID(), "[]", func() *lexical.Names { made++; return &lexical.Names{} })
			cache.Terms(b.ID(), func() *lexical.Paths { made++; return &lexical.Paths{} })
		}
		require.LessOrEqual(t, made, 2*2)
		require.Positive(t, made)
	}
}
