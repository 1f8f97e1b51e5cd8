package retrieve

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/dustin/go-humanize"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// plain is a selection as it is defined: everything is found by a look at all files.
type plain struct {
	files  []string
	policy policy.Policy
	query  *lexical.Query
	room   int // of comparing names
	// sources, and tests, are those that may be shown; best are the sources whose paths fit, the best first.
	sources, tests, best []string
}

func newPlain(files []string, rules policy.Policy, query *lexical.Query) *plain {
	p := &plain{files: files, policy: rules, query: query, room: maxCompared}
	p.sources, p.tests = p.allSources(), p.allTests()
	p.best = p.ranked()
	return p
}

func (p *plain) filtered(keep func(string) bool) []string {
	return slices.DeleteFunc(slices.Clone(p.files), func(f string) bool { return !keep(f) })
}

func (p *plain) named(base string) []string {
	if p.room <= 0 {
		return nil
	}
	all := p.filtered(func(f string) bool { return path.Base(f) == base })
	all = all[max(0, len(all)-p.room):]
	p.room -= len(all)
	return all
}

func (p *plain) listing(folder string) (names []string) {
	prefix := strings.TrimPrefix(folder+"/", "./")
	for _, f := range p.filtered(func(f string) bool { return strings.HasPrefix(f, prefix) }) {
		name, _, deeper := strings.Cut(strings.TrimPrefix(f, prefix), "/")
		if deeper {
			name += "/"
		}
		if !markdown.Unprintable(name) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > maxListed {
		names = append(names[:maxListed], "…")
	}
	return names
}

func (p *plain) allSources() []string {
	out := p.filtered(func(f string) bool {
		return lexical.IsSource(f) && !lexical.IsTest(f) && !generatedName(f) && withheldName(f) == ""
	})
	out = out[:min(len(out), maxPathsRanked)]
	return slices.DeleteFunc(out, func(f string) bool { return policy.FitsGlob(p.policy.Ignore, f) })
}

func (p *plain) allTests() []string {
	out := p.filtered(func(f string) bool {
		return lexical.IsTest(f) && lexical.IsSource(f) && Withheld(p.policy, f) == "" && !generatedName(f)
	})
	return shallowestFirst(out[:min(len(out), maxSources)])
}

func (p *plain) ranked() (out []string) {
	files := make([]lexical.File, len(p.sources))
	for i, name := range p.sources {
		files[i].Path = name
	}
	for _, h := range lexical.NewIndex(files).Rank(p.query) {
		out = append(out, p.sources[h.File])
	}
	return out
}

func (p *plain) likeliest() []string {
	if len(p.sources) <= maxSources {
		return p.sources
	}
	chosen := map[string]bool{}
	for _, name := range p.best[:min(len(p.best), maxSources)] {
		chosen[name] = true
	}
	for _, name := range p.sources {
		if len(chosen) < maxSources {
			chosen[name] = true
		}
	}
	return slices.Sorted(maps.Keys(chosen))
}

func (p *plain) listPaths(room int) (out []prompts.Listing, unlisted int) {
	fits := map[string]bool{}
	for _, name := range p.best {
		fits[name] = true
	}
	rest := slices.DeleteFunc(slices.Clone(p.sources), func(name string) bool { return fits[name] })
	names := map[string][]string{}
	for _, name := range slices.Concat(p.best, shallowestFirst(rest), p.tests) {
		folder, base := path.Split(name)
		cost := len(base) + len(", ")
		if names[folder] == nil {
			cost += len(folder) + len("./: \n")
		}
		if len(base) > maxPathListName || len(folder) > maxPathListName || ambiguous(folder, base) || cost > room {
			unlisted++
			continue
		}
		room -= cost
		names[folder] = append(names[folder], base)
	}
	for _, folder := range slices.Sorted(maps.Keys(names)) {
		slices.Sort(names[folder])
		out = append(out, prompts.Listing{Folder: cmp.Or(strings.TrimSuffix(folder, "/"), "."), Names: names[folder]})
	}
	return out, unlisted
}

func (p *plain) project() string {
	languages, folders := map[string]int{}, map[string]int{}
	for _, name := range p.sources {
		languages[lexical.Language(name)]++
		if folder, _, ok := strings.Cut(name, "/"); ok && len(folder) <= maxPathListName {
			folders[folder+"/"]++
		}
	}
	if len(p.sources) == 0 {
		return ""
	}
	text := fmt.Sprintf("%s source files besides tests: %s.", humanize.Comma(int64(len(p.sources))), most(languages))
	if len(folders) > 0 {
		text += fmt.Sprintf(" Top folders: %s.", most(folders))
	}
	return text
}

// madeTree returns a tree of all kinds of names: sources, tests, secrets, generated, vendored and hidden ones.
func madeTree(random *rand.Rand, n int) engine.MemTree {
	folders := strings.Fields("src lib docs test vendor Src web internal a b c node_modules .github examples ß")
	bases := strings.Fields("main.go main_test.go Main.go index.js index.test.js a.py test_a.py x.pb.go .env id_rsa " +
		"README.md yarn.lock parser.rs Parser.java ParserTest.java token_cache.go y.generated.ts Makefile z a.b.c.ts")
	bases = append(bases, strings.Repeat("long", 60)+".go", "odd, name.go", "in\u200bvisible.go")
	tree := engine.MemTree{}
	for range n {
		var parts []string
		for range random.IntN(5) {
			folder := folders[random.IntN(len(folders))]
			if random.IntN(2) == 0 {
				folder += fmt.Sprint(random.IntN(30))
			}
			parts = append(parts, folder)
		}
		base := bases[random.IntN(len(bases))]
		if random.IntN(2) == 0 {
			base = fmt.Sprintf("m%d_%s", random.IntN(500), base)
		}
		tree[strings.Join(append(parts, base), "/")] = []byte("x")
	}
	return tree
}

// ownTree returns the tree of this module.
func ownTree(t *testing.T) engine.MemTree {
	t.Helper()
	tree := engine.MemTree{}
	require.NoError(t, fs.WalkDir(os.DirFS("../.."), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			tree[name] = []byte("x")
		}
		return err
	}))
	return tree
}

// What is kept by blocks of paths, and used again, finds what a look at all files finds, in the same order.
func TestSelectionsAreThoseOfALookAtAllFiles(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(7, 8))
	large := madeTree(random, 11_000)
	for i := range 2500 {
		large[fmt.Sprintf("%d/reader_%d_test.go", i%90, i)] = []byte("x")
	}
	trees := []engine.MemTree{{}, ownTree(t), madeTree(random, 20), large}
	for range 4 {
		trees = append(trees, madeTree(random, 50+random.IntN(1500)))
	}
	sources, tests := 0, 0 // the most
	cache := lexical.NewCache(64 << 20)
	for _, tree := range trees {
		repos := &repository{commits: map[string]engine.MemTree{headSHA: tree}, refs: map[string]string{"": headSHA}}
		files, err := tree.Files()
		require.NoError(t, err)
		list := paths.New(slices.Values(files))
		for _, ignore := range [][]string{nil, {"src1*/**", "*.py"}, {"*"}} {
			for _, command := range []string{"", "fix the token cache of `src/main.go`", "docs of index.js and a"} {
				rules := policy.DefaultPolicy()
				rules.Ignore = ignore
				checkout, err := repos.Open(t.Context(), port.RepoRef{}, "", "")
				require.NoError(t, err)
				q := Query{Policy: rules, Command: command, Documents: cache}
				s, err := newSelector(listedCheckout{checkout, list}, q)
				require.NoError(t, err)
				p := newPlain(files, rules, s.words())
				sources, tests = max(sources, len(p.sources)), max(tests, len(p.tests))
				compareSelections(t, p, s, random)
			}
		}
	}
	require.Greater(t, sources, maxSources)
	require.Equal(t, maxSources, tests)
}

// equalPaths requires the same paths; none is nil or empty.
func equalPaths(t *testing.T, want, got []string) {
	t.Helper()
	require.Equal(t, append([]string{}, want...), append([]string{}, got...))
}

func compareSelections(t *testing.T, p *plain, s *selector, random *rand.Rand) {
	t.Helper()
	all := s.sources()
	numbers := []int32{}
	for n := range all.named() {
		numbers = append(numbers, n)
	}
	equalPaths(t, p.sources, all.paths(numbers))
	require.Equal(t, len(numbers), all.len)
	equalPaths(t, p.tests, s.tests())
	equalPaths(t, p.likeliest(), all.paths(all.likeliest(p.query)))
	s.rankPaths(p.query)
	require.Equal(t, p.project(), s.project())
	for _, room := range []int{0, 1, 5, 9, 40, 300, 6000, 1 << 30} {
		want, unlisted := p.listPaths(room)
		got, more := s.listPaths(room)
		require.Equal(t, want, got, "in %d bytes", room)
		require.Equal(t, unlisted, more)
	}
	s.index.room, p.room = 500, 500
	for range 12 {
		name := "a/b/nothing.go"
		if len(p.files) > 0 {
			name = p.files[random.IntN(len(p.files))]
		}
		equalPaths(t, p.named(path.Base(name)), s.index.named(path.Base(name)))
		require.Equal(t, p.room, s.index.room)
		for folder := path.Dir(name); ; folder = path.Dir(folder) {
			equalPaths(t, p.listing(folder), s.index.listing(folder))
			if folder == "." {
				break
			}
		}
	}
}
