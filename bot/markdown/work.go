package markdown

import (
	"bytes"
	"io"
	"regexp"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// Bounds on the work of a parse. A unit of work is about a nanosecond or two.
const (
	// workPerByte and workAtLeast are the work that a text may take. What people write takes less than half of it.
	workPerByte = 64
	workAtLeast = 1 << 19
	// blockWork is the work for a line to stay in a block, or to open one: per byte of the text, four of those.
	blockWork = 16
	// maxOpen is how many blocks a line can be in; a list and its item are two.
	maxOpen = 100
	// maxNodes bounds the memory of a parsed text: a node takes some 200 bytes.
	maxNodes = 100_000
	// maxBlankLines is how many lines without text may follow each other.
	maxBlankLines = 2000
	// maxAddress is how far a link's address and title are looked for, in bytes.
	maxAddress = 2048
)

// tooMuchWork is the value of the panic that ends a parse: the parser has no other way out.
type tooMuchWork struct{}

// workKey is where a parse keeps its *work.
var workKey = parser.NewContextKey()

// work counts what a parse does. It is for one parse.
type work struct {
	left, nodes int

	// block is the block whose inlines are being parsed, runs has where the last run of backticks of each length begins
	// in it, and delimiters counts its runs of "*", "_" and the like.
	block      ast.Node
	runs       map[int]int
	delimiters int

	// bars counts the escaped bars in tables.
	bars int
}

func newWork(bytes int) *work { return &work{left: workAtLeast + workPerByte*bytes, nodes: maxNodes} }

// workIn returns the work of a parse, for the inlines of a block.
func workIn(pc parser.Context, block ast.Node) *work {
	w := pc.Get(workKey).(*work)
	if block != w.block {
		w.block, w.runs, w.delimiters = block, nil, 0
	}
	return w
}

// spend counts work, and ends the parse when there was too much.
func (w *work) spend(n int) {
	if w.left -= n; w.left < 0 {
		panic(tooMuchWork{})
	}
}

// add counts a node.
func (w *work) add(n ast.Node) ast.Node {
	if n == nil {
		return nil
	}
	if w.nodes--; w.nodes < 0 {
		panic(tooMuchWork{})
	}
	return n
}

// wild reports whether a text has what nobody writes and a parser takes long for: lines that begin with very many
// markers, or very many blank lines.
func wild(source []byte) bool {
	blank := 0
	for line := range bytes.Lines(source) {
		if blank++; len(bytes.TrimSpace(line)) > 0 {
			blank = 0
		}
		if blank > maxBlankLines || depth(line) > maxDepth {
			return true
		}
	}
	return false
}

// block is a parser of blocks that counts the lines of each block that it opens.
type block struct{ parser.BlockParser }

func (b block) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	n, state := b.BlockParser.Open(parent, reader, pc)
	if n != nil {
		w := pc.Get(workKey).(*work)
		w.add(n)
		w.spend(blockWork)
		if len(pc.OpenedBlocks()) >= maxOpen {
			panic(tooMuchWork{})
		}
	}
	return n, state
}

func (b block) Continue(n ast.Node, reader text.Reader, pc parser.Context) parser.State {
	pc.Get(workKey).(*work).spend(blockWork)
	return b.BlockParser.Continue(n, reader, pc)
}

// linkDefinitions is the parser of the definitions of links at the beginning of a paragraph. It moves the lines behind
// each of them.
type linkDefinitions struct{ parser.ParagraphTransformer }

func (d linkDefinitions) Transform(paragraph *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines, many := paragraph.Lines(), 0
	for i := range lines.Len() {
		at := lines.At(i)
		if bytes.HasPrefix(bytes.TrimLeft(at.Value(reader.Source()), " "), []byte("[")) {
			many++
		}
	}
	w := pc.Get(workKey).(*work)
	w.spend(many * (blockWork + lines.Len()/2))
	d.ParagraphTransformer.Transform(paragraph, reader, pc)
}

// codeSpans is the parser of inline code. Before it looks for the end of some, it knows whether there is one.
type codeSpans struct{ parser.InlineParser }

func (c codeSpans) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	w := workIn(pc, parent)
	if w.runs == nil {
		w.runs = backtickRuns(parent, block.Source())
	}
	line, at := block.PeekLine()
	opener := len(line) - len(bytes.TrimLeft(line, "`"))
	if last, ok := w.runs[opener]; ok && last >= at.Start+opener {
		return w.add(c.InlineParser.Parse(parent, block, pc))
	}
	block.Advance(opener)
	return w.add(ast.NewTextSegment(at.WithStop(at.Start + opener)))
}

// backtickRuns returns where in a block the last run of backticks of each length begins.
func backtickRuns(block ast.Node, source []byte) map[int]int {
	runs := map[int]int{}
	for i := range block.Lines().Len() {
		at := block.Lines().At(i)
		for from := at.Start; from < at.Stop; {
			j := bytes.IndexByte(source[from:at.Stop], '`')
			if j < 0 {
				break
			}
			from += j
			n := len(source[from:at.Stop]) - len(bytes.TrimLeft(source[from:at.Stop], "`"))
			runs[n] = from
			from += n
		}
	}
	return runs
}

// rawHTML is the parser of inline HTML. It counts what is read to look for the end of a tag.
type rawHTML struct{ parser.InlineParser }

func (r rawHTML) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	w := workIn(pc, parent)
	return w.add(r.InlineParser.Parse(parent, matched{block, w}, pc))
}

// matched counts what regular expressions read.
type matched struct {
	text.Reader
	w *work
}

const runeWork = 50

func (m matched) Match(reg *regexp.Regexp) bool {
	line, at := m.Position()
	found := reg.FindReaderIndex(m)
	m.SetPosition(line, at)
	if found == nil {
		return false
	}
	m.Advance(found[1] - found[0])
	return true
}

func (m matched) ReadRune() (r rune, size int, err error) {
	m.w.spend(runeWork)
	return m.Reader.ReadRune()
}

var _ io.RuneReader = matched{}

// emphasis is the parser of "*" and "_". To look for what a run of them ends takes up to as long as there are runs
// before it that nothing ended.
type emphasis struct{ parser.InlineParser }

func (e emphasis) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	w := workIn(pc, parent)
	w.delimiters++
	w.spend(w.delimiters / 4)
	return w.add(e.InlineParser.Parse(parent, block, pc))
}

// links is the parser of links and images.
type links struct {
	parser.InlineParser
	parser.CloseBlocker
}

func newLinks() links {
	p := parser.NewLinkParser()
	return links{p, p.(parser.CloseBlocker)}
}

// maxLabel is the length of the longest label of a link.
const maxLabel = 999

// Parse counts what a bracket that ends takes: what is between it and the one that began is looked through for links,
// and may be the label of a definition; a link ends the emphasis in it, for which the block is looked through.
func (l links) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	w := workIn(pc, parent)
	line, at := block.PeekLine()
	if line[0] != ']' {
		return w.add(l.InlineParser.Parse(parent, block, pc))
	}
	if rest, ok := bytes.CutPrefix(line, []byte("](")); ok {
		n := addressLen(rest)
		w.spend(n)
		if n > maxAddress {
			return nil
		}
	}
	n := l.InlineParser.Parse(parent, block, pc)
	w.spend(min(maxLabel, at.Start-parent.Lines().At(0).Start))
	if n != nil {
		w.spend(parent.ChildCount())
	}
	return w.add(n)
}

// addressLen returns how many bytes are read to find the end of the address that a line begins with, or maxAddress+1 if
// those are more.
func addressLen(line []byte) int {
	address := bytes.TrimLeft(line, " \t")
	blanks := len(line) - len(address)
	address = address[:min(len(address), maxAddress+1)]
	if bytes.HasPrefix(address, []byte("<")) {
		if i := bytes.IndexByte(address, '>'); i >= 0 {
			return blanks + i
		}
		return blanks + len(address)
	}
	open := 0
	for i, c := range address {
		switch c {
		case ' ', '\t', '\r', '\n':
			return blanks + i
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return blanks + i
			}
		}
	}
	return blanks + len(address)
}
