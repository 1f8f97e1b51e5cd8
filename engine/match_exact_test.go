package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// requireBothWays applies blocks to a file f by bytes where that is possible, and by lines only, and requires the same
// outcome. It returns the content of the file, and how many blocks took the short way.
func requireBothWays(t *testing.T, content string, opts Options, blocks ...Block) (after string, short int) {
	t.Helper()
	trees, outcomes := [2]MemTree{}, [2]Outcome{}
	for i := range trees {
		trees[i] = MemTree{"f": []byte(content)}
		a := newApplier(trees[i], opts)
		a.longWay = i == 1
		var err error
		outcomes[i], err = a.apply(blocks)
		require.NoError(t, err)
		if f := a.files["f"]; i == 0 && f != nil && len(f.text.raw) > 0 {
			short = len(blocks)
		}
	}
	require.Equal(t, outcomes[1], outcomes[0])
	require.Equal(t, string(trees[1]["f"]), string(trees[0]["f"]))
	return string(trees[0]["f"]), short
}

// asLines replaces letters by lines that are long enough to tell that a block was applied.
var asLines = strings.NewReplacer("a", "alpha(1)", "b", "beta(2)", "c", "gamma(3)", "d", "delta(4)", "x", "epsilon(5)",
	"A", "ALPHA(1)", "B", "BETA(2)", "C", "GAMMA(3)")

func TestBothWaysAgree(t *testing.T) {
	t.Parallel()
	const code = "func a() {\n\treturn 1\n}\n\nfunc b() {\n\treturn 1\n}\n"
	for story, c := range map[string]struct {
		file       string
		find, repl string
		long       bool // the block needs the long way
		after      string
	}{
		"one line of three": {file: "a\nb\nc\n", find: "b", repl: "B", after: "a\nB\nc\n"},
		"the first line":    {file: "a\nb\nc\n", find: "a", repl: "A", after: "A\nb\nc\n"},
		"the last line, without an end": {file: "a\nb\nc", find: "c", repl: "C",
			after: "a\nb\nC\n"},
		"a new last line after one without an end": {file: "a\nb", find: "b", repl: "b\nc", after: "a\nb\nc\n"},
		"the last line goes":                       {file: "a\nb", find: "a\nb", repl: "a", long: true, after: "a\n"},
		"a file that ends without the empty line to find": {file: "a\nb\n",
			find: "b\n\n", repl: "c", long: true,
			after: "a\nc\n"},
		"all lines go": {file: "a\nb\n", find: "a\nb", repl: "", long: true, after: ""},
		"two changes at once": {file: "1\na\nb\nc\n",
			find: "a\nb\nc", repl: "A\nb\nC\nd", after: "1\nA\nb\nC\nd\n"},
		"carriage returns": {file: "a\r\nb\r\nc", find: "b\nc", repl: "b\nx\nc",
			after: "a\r\nb\r\nx\r\nc"},
		"carriage returns, and a last line that has none": {file: "a\r\nb",
			find: "b", repl: "c", after: "a\r\nc\r\n"},
		"only the line without an end is left": {file: "a\r\nb", find: "a\nb", repl: "c", after: "c\r\n"},
		"lines that end in different ways": {file: "a\r\nb\n",
			find: "a", repl: "c", long: true, after: "c\r\nb\n"},
		"a carriage return within a line": {file: "a\rb\nc\n",
			find: "c", repl: "d", long: true, after: "a\rb\nd\n"},
		"a byte order mark":         {file: bom + "a\nb\n", find: "a", repl: "c", after: bom + "c\nb\n"},
		"part of a line is no line": {file: "xa\nax\na\n", find: "a", repl: "b", after: "xa\nax\nb\n"},
		"two places":                {file: code, find: "\treturn 1\n}", repl: "\treturn 2\n}", long: true},
		"two places that overlap":   {file: "a\na\na\n", find: "a\na", repl: "b", long: true},
		"blanks in a file of tabs": {file: code + "\tx\n",
			find: "func b() {", repl: "func b() {\n  x()", long: true},
		"tabs in a file of tabs": {file: code, find: "func b() {", repl: "func b() {\n\tx()",
			after: strings.Replace(code, "b() {", "b() {\n\tx()", 1)},
		"new lines that are there already": {file: "a\nnew()\nb\n", find: "a", repl: "a\nnew()", long: true},
		"a placeholder":                    {file: "a\nb\n", find: "a", repl: "a\n// ... existing code ...", long: true},
		"a line that is not UTF-8":         {file: "caf\xe9\nb\n", find: "b", repl: "x", after: "caf\xe9\nx\n"},
		"an accent in a file that is not":  {file: "caf\xe9\nb\n", find: "b", repl: "é", long: true},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			if !strings.Contains(c.file+c.repl, "func") && !strings.Contains(c.repl, "existing") {
				c.file, c.find, c.repl = asLines.Replace(c.file), asLines.Replace(c.find), asLines.Replace(c.repl)
				c.after = asLines.Replace(c.after)
			}
			after, short := requireBothWays(t, c.file, Options{}, blockOf("f", c.find, c.repl))
			if !c.long || c.after != "" {
				require.Equal(t, c.after, after)
			}
			require.Equal(t, !c.long, short == 1, "the way")
		})
	}
}

func TestBlocksAfterEachOtherTakeTheShortWay(t *testing.T) {
	t.Parallel()
	var blocks []Block
	for _, n := range []int{7, 3, 9, 0, 3} { // up and down the file, and to a line that an earlier block changed
		old := fmt.Sprintf("\tline%d()", n)
		if len(blocks) == 4 {
			old = "\tmore3()"
		}
		blocks = append(blocks, blockOf("f", old, fmt.Sprintf("%s\n\n\tmore%d()", old, n+10*(len(blocks)/4))))
	}
	var file strings.Builder
	for n := range 10 {
		fmt.Fprintf(&file, "\tline%d()\n", n)
	}
	after, short := requireBothWays(t, file.String(), Options{}, blocks...)
	require.Equal(t, len(blocks), short)
	require.Equal(t, "\tline0()\n\n\tmore0()\n\tline1()\n\tline2()\n\tline3()\n\n\tmore3()\n\n\tmore13()\n"+
		"\tline4()\n\tline5()\n\tline6()\n\tline7()\n\n\tmore7()\n\tline8()\n\tline9()\n\n\tmore9()\n", after)
}

// FuzzBothWays cuts blocks out of a file and from what the blocks before made of it, so that many match exactly.
func FuzzBothWays(f *testing.F) {
	f.Add("a\nb\nc\n", uint16(1), uint16(1), "x\ny", uint16(0), uint16(2), "z")
	f.Add("a\r\nb\r\nc", uint16(2), uint16(1), "x", uint16(0), uint16(2), "")
	f.Add(bom+"\ta\n\tb\n\n}\n", uint16(1), uint16(1), "\tb\n  x\n", uint16(0), uint16(3), "\ta\n\tb\n")
	f.Add("a\nb\nb\na\n\xff", uint16(1), uint16(1), "é", uint16(3), uint16(1), "b\nb")
	f.Fuzz(func(t *testing.T, file string, at1, n1 uint16, repl1 string, at2, n2 uint16, repl2 string) {
		if len(file)+len(repl1)+len(repl2) > 1<<13 {
			t.Skip("longer input shows nothing new")
		}
		cut := func(content string, at, n uint16, repl string) Block {
			var find []string
			for _, l := range newText(nil, []byte(content)).lines {
				find = append(find, l.text)
			}
			from := int(at) % (len(find) + 1)
			find = find[from:min(from+int(n%8), len(find))]
			b := blockOf("f", "", repl)
			b.Find, b.Create = slices.Clone(find), allBlank(find)
			return b
		}
		first := cut(file, at1, n1, repl1)
		between, _ := requireBothWays(t, file, Options{}, first)
		requireBothWays(t, file, Options{}, first, cut(between, at2, n2, repl2))
		requireBothWays(t, file, Options{LineFeeds: true}, first, cut(file, at2, n2, repl2), first)
	})
}
