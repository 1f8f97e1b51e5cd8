package markdown

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"github.com/tenon-bot/tenon/internal/markdowntest"
)

// reads are the functions that read what anybody may write.
var reads = map[string]func(string){
	"ProseLines":  func(s string) { ProseLines(s) },
	"Shown":       func(s string) { Shown(s) },
	"Safe":        func(s string) { Safe(s, MaxBody, Code) },
	"Plain":       func(s string) { Plain(s, "a") },
	"Spans":       func(s string) { Spans(s) },
	"TickedBoxes": func(s string) { TickedBoxes(s) },
}

// allocated returns how many bytes f allocates. No other test may run meanwhile.
func allocated(f func()) int {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return int(after.TotalAlloc - before.TotalAlloc)
}

// A comment and a reply are anybody's: reading one twice as long takes twice the memory, and not much.
func TestReadingTakesMemoryByTheLengthOfATextAlone(t *testing.T) { // not parallel: see allocated
	if raced {
		t.Skip("with the race detector, a sync.Pool drops at random what is put into it: regular expressions allocate")
	}
	const length, constant, perByte = 6 << 10, 6 << 20, 600
	for shape, of := range markdowntest.Costly() {
		once, twice := of(length), of(2*length)
		for _, what := range []string{"ProseLines", "Shown", "Safe"} {
			read := reads[what]
			short, long := allocated(func() { read(once) }), allocated(func() { read(twice) })
			require.Less(t, long, constant+short*5/2, "%s of %q", what, shape)
			require.Less(t, long, constant+perByte*len(twice), "%s of %q", what, shape)
		}
	}
}

// honest returns texts as people write them.
func honest(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	names, err := filepath.Glob("../../docs/*.md")
	require.NoError(t, err)
	for _, name := range append(names, "../../README.md", "../../CONTRIBUTING.md") {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		texts[name] = string(data)
	}
	require.Greater(t, len(texts), 5)
	return texts
}

func TestWhatPeopleWriteTakesHalfOfTheWorkThatATextMayTakeAtMost(t *testing.T) {
	t.Parallel()
	texts := honest(t)
	texts["a log"] = strings.Repeat("[INFO] 12:00:01 something happened in a_b_c at /x/y.go:12 <nil>\n", 900)
	texts["a log in a fence"] = "/tenon fix it\n\n```\n" + strings.Repeat("\n\nat f (*a)[1]\n", 3000) + "```\n"
	texts["a list of links"] = strings.Repeat("- [a](https://example.com/a/b/c), [b](https://example.com/d) **x**\n", 500)
	texts["links in one paragraph"] = strings.Repeat("see [a](https://example.com/a/b/c) and *that* `b` ", 300)
	texts["nested lists"] = strings.Repeat("- a\n  - b\n    - c\n      1. d\n\n         e\n\n", 900)
	texts["quotes in quotes"] = strings.Repeat("> > > > a\n> > > b\n> > c\n\nd\n\n", 1500)
	texts["a table"] = strings.Repeat("| a | b | `c` | **d** |\n", 1500)
	for name, s := range texts {
		_, done, ok := parseCounted(prose, []byte(s))
		require.True(t, ok, name)
		require.Less(t, done, (workAtLeast+workPerByte*len(s))/2, name)
		_, ok = parse(full, []byte(s))
		require.True(t, ok, name)
	}
}

// What is counted changes nothing about what is parsed.
func TestTheBoundsChangeNoText(t *testing.T) {
	t.Parallel()
	texts := honest(t)
	for _, a := range markdowntest.Hostile {
		for _, b := range markdowntest.Hostile {
			s := a + b
			texts[s] = s + "\n" + b + "\n> " + s + "\n- [" + a + "](" + b + ") [" + b + "][x]\n\n[x]: y\n\n`` " + s
		}
	}
	texts["backticks"] = "`a`` ``` b `` c ` \\`` d \\` e\\``` ` f\n\n``\n\n` `` `"
	texts["addresses"] = "[a](b(c)d) [a](<b c>) [a]( b \"c\" ) [a](\nb\n'c\nd') ![a](b) [a](b [c](d) [a](<b\n>) [](b)"
	plain := goldmark.New(goldmark.WithExtensions(extension.TaskList))
	for name, s := range texts {
		root, ok := parse(full, []byte(s))
		require.True(t, ok, name)
		require.Equal(t, rendered(t, plain, s, plain.Parser().Parse(text.NewReader([]byte(s)))),
			rendered(t, plain, s, root), "%q", name)
	}
}

func rendered(t *testing.T, m goldmark.Markdown, source string, root ast.Node) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.Renderer().Render(&b, []byte(source), root))
	return b.String()
}

func TestWhatTakesTooMuchWorkIsReadAsPlainText(t *testing.T) {
	t.Parallel()
	deep := "Look:\n\n" + strings.Repeat("> ", 200) + "x <!-- hidden --> y\n\n[a]: b \"hidden\"\n\nseen <!-- hidden\n"
	_, ok := Parse(deep)
	require.False(t, ok)
	require.Contains(t, Safe(deep, MaxBody, Code), "Look:")
	require.Empty(t, ProseLines("\n"+deep))
	require.Equal(t, []int{0}, ProseLines(deep), "nothing that comes later makes the first line code")
	hostile := WithoutHidden(strings.Repeat("> ", 200) + "x <!-- hidden --> y\n\n[a]: b \"hidden\"\n\nseen <!-- hidden\n")
	require.NotContains(t, hostile, "hidden")
	require.Contains(t, hostile, "seen")

	for _, s := range []string{
		strings.Repeat("\n", maxBlankLines+2) + "x", strings.Repeat("- ", maxOpen/2) + "x",
		strings.Repeat("x", MaxCommentBytes+1),
		strings.Repeat("a*", 3*maxNodes/2), strings.Repeat("[a]: b\n", 20_000),
		strings.Repeat("- ", maxOpen/2-1) + "x" + strings.Repeat("\n", maxBlankLines-10) + "x",
	} {
		_, ok := parse(full, []byte(s))
		require.False(t, ok, "%.20q", s)
	}
	for _, s := range []string{strings.Repeat("\n", maxBlankLines) + "x", strings.Repeat("- ", maxOpen/2-1) + "x"} {
		_, ok := parse(full, []byte(s))
		require.True(t, ok, "%.20q", s)
	}
}

func TestATextIsClippedBeforeItIsParsed(t *testing.T) {
	t.Parallel()
	require.Equal(t, "a\n\n…", Safe("a\n\n<!-- "+strings.Repeat("x\n", 1000)+"-->", 100, Code))
	got := Safe(strings.Repeat("words ", 1<<20), 100, Code)
	require.Equal(t, "…", got)
}
