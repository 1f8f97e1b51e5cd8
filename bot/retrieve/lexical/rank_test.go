package lexical

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// source is a file by its path and text.
type source struct{ path, text string }

func indexOf(sources ...source) *Index {
	files := make([]File, len(sources))
	for i, s := range sources {
		files[i] = File{s.path, NewDocument(s.path, []byte(s.text))}
	}
	return NewIndex(files)
}

// ranked returns the paths of the sources that fit a query, the best first.
func ranked(title, text string, sources ...source) (paths []string) {
	for _, h := range indexOf(sources...).Rank(NewQuery("", title, text)) {
		paths = append(paths, sources[h.File].path)
	}
	return paths
}

// lines returns n lines of words that no query has.
func lines(n int) string { return strings.Repeat("filler words of no concern\n", n) }

func TestTheFileThatHasTheWordsComesFirst(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"c.py", "b.py"}, ranked("Cookies expire too early", "",
		source{"a.py", "import os\n"}, source{"b.py", "cookie = 1\n"}, source{"c.py", "cookie.expires = early\n"}))
}

func TestADefinitionOfANameBeatsAMention(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"b.py", "a.py"}, ranked("Fails", "It fails in `parse_header`.",
		source{"a.py", "run parse_header(self):\n"}, source{"b.py", "def parse_header(self):\n"}))
	require.Equal(t, []string{"a.py", "b.py"}, ranked("Fails", "It fails in `parse_header`.",
		source{"a.py", "run parse_header(self):\n"}, source{"b.py", "run parse_header(self):\n"}))
}

func TestANameThatManyFilesDefineSaysNothing(t *testing.T) {
	t.Parallel()
	for n, says := range map[int]bool{maxDefining: true, maxDefining + 1: false} {
		sources := []source{{"a.py", "run close(self):\n"}}
		for i := range n {
			sources = append(sources, source{fmt.Sprintf("b%02d.py", i), "def close(self):\n"})
		}
		require.Equal(t, says, ranked("Fails", "It fails in `close()`.", sources...)[0] != "a.py", "%d", n)
	}
}

func TestWordsSideBySideBeatWordsFarApart(t *testing.T) {
	t.Parallel()
	apart := "cookie\n" + lines(150) + "expire\n" + lines(150) + "domain\n"
	together := lines(150) + "cookie\nexpire\ndomain\n" + lines(150)
	require.Equal(t, []string{"b.py", "a.py"}, ranked("cookie expire domain", "",
		source{"a.py", apart}, source{"b.py", together}))

	// A window is two pieces, so a border between pieces does not matter.
	across := lines(PieceLines-1) + "cookie\n" + "expire\ndomain\n" + lines(150+150-PieceLines+1)
	require.Equal(t, []string{"b.py", "a.py"}, ranked("cookie expire domain", "",
		source{"a.py", apart}, source{"b.py", across}))
}

func TestAWordInBothPiecesOfAWindowCountsTwice(t *testing.T) {
	t.Parallel()
	apart := "cookie\n" + lines(200) + "cookie\n"
	together := lines(PieceLines-1) + "cookie\n" + "cookie\n" + lines(200-PieceLines+1)
	require.Equal(t, []string{"b.py", "a.py"}, ranked("cookie", "", source{"a.py", apart}, source{"b.py", together}))
}

func TestALongFileNeedsMoreThanAShortOne(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"b.py", "a.py"}, ranked("cookie", "",
		source{"a.py", "cookie\n" + lines(500)}, source{"b.py", "cookie\n" + lines(5)}, source{"c.py", lines(5)}))
}

func TestRareWordsCountMore(t *testing.T) {
	t.Parallel()
	sources := []source{{"a.py", "common\n"}, {"b.py", "seldom\n"}}
	for i := range 10 {
		sources = append(sources, source{fmt.Sprintf("c%d.py", i), "common\n"})
	}
	require.Equal(t, "b.py", ranked("common seldom", "", sources...)[0])
}

func TestPathsCount(t *testing.T) {
	t.Parallel()
	same := "value = compute()\n"
	require.Equal(t, []string{"src/cookie_jar.py"}, ranked("The cookie jar is wrong", "",
		source{"src/basket.py", same}, source{"src/cookie_jar.py", same}))
	require.Equal(t, []string{"a/cookie.py", "b/cookie.py"}, ranked("cookie", "",
		source{"a/cookie.py", ""}, source{"b/cookie.py", ""}), "in their order if they fit equally well")

	x := NewIndex([]File{{"a.py", nil}, {"cookie.py", nil}, {"py/x.go", nil}})
	hits := x.Rank(NewQuery("", "cookie py"))
	require.Len(t, hits, 2, "an extension is no word of a path")
	require.InDelta(t, (1+pathWeight)/rankK, hits[0].Score, 1e-9, "a word of the path counts as one of the content too")
}

// Paths cost memory for each of their words, and a repository may have 200,000 of them.
func TestOfALongPathTheEndIsRead(t *testing.T) {
	t.Parallel()
	folder := strings.Repeat("ab-cd-", 40) + "ef/"
	for _, name := range []string{
		strings.Repeat(folder, 4) + "gear_box.py", strings.Repeat(folder, 100) + "gear_box.py",
		strings.Repeat("aB1", 5000) + "/gear_box.py", strings.Repeat("ä", 5000) + "/gear_box.py",
	} {
		terms := pathTerms(name)
		require.LessOrEqual(t, cap(terms), maxPathTerms+maxPathTerms/8, "%.20s", name)
		for _, word := range []string{"gear", "box"} {
			require.Contains(t, terms, nameTerm(word), "%.20s", name)
		}
	}
	require.True(t, slices.IsSorted(pathTerms(strings.Repeat("a1b2/", 5)+"c.py")))
	deep := "services/core/src/main/java/org/example/product/feature/internal/impl/AbstractFeatureHandlerFactory.java"
	require.Less(t, len(pathTerms(deep)), maxPathTerms, "a path as deep as people make them is read as a whole")
}

func TestFilesBesideTheProductCountLess(t *testing.T) {
	t.Parallel()
	text := "cookie = 1\n"
	for _, beside := range []string{
		"docs/a.py", "examples/deep/a.py", "Scripts/a.js", ".github/a.sh", "setup.py", "lib/build.gradle.kts", "i18n/a.ts",
	} {
		require.Equal(t, []string{"src/z.py", beside}, ranked("cookie", "", source{beside, text}, source{"src/z.py", text}))
	}
	for _, product := range []string{"a/docs.py", "documents/a.py", "src/builder/a.py", "a/setup_py.go"} {
		require.Equal(t, []string{product, "src/z.py"}, ranked("cookie", "", source{product, text}, source{"src/z.py", text}))
	}
}

func TestTheLinesThatDefineTheNamesOfAQuery(t *testing.T) {
	t.Parallel()
	x := indexOf(source{"a.py", "class Jar:\n    def get(self):\n        pass\n\n    def put(self):\n\nclass Jar:\n"})
	hits := x.Rank(NewQuery("", "`Jar` Jar.put"))
	require.Len(t, hits, 1)
	require.Equal(t, []int{1, 5, 7}, hits[0].Defined)
}

func TestNothingIsRankedByNothing(t *testing.T) {
	t.Parallel()
	require.Empty(t, NewIndex(nil).Rank(NewQuery("", "cookie")))
	require.Empty(t, indexOf(source{"a.py", "cookie\n"}).Rank(NewQuery("", "")))
	require.Empty(t, indexOf(source{"a.py", "cookie\n"}).Rank(NewQuery("", "the issue")))
	require.Empty(t, indexOf(source{"a.py", "cookie\n"}).Rank(NewQuery("", "elsewhere")))
}

func TestTheSameFilesAreRankedTheSame(t *testing.T) {
	t.Parallel()
	var sources []source
	for i := range 300 {
		sources = append(sources, source{
			fmt.Sprintf("src/f%03d.py", i), fmt.Sprintf("def name%d(x):\n    return cookie%d\n", i%7, i%11),
		})
	}
	query := func() *Query { return NewQuery("", "name1 name2", "cookie3 cookie4 `name5` src") }
	want := indexOf(sources...).Rank(query())
	require.Len(t, want, 300)
	for range 5 {
		require.Equal(t, want, indexOf(sources...).Rank(query()))
	}
}
