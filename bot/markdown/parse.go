package markdown

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The time and memory of a Markdown parser grow by the square of what nobody writes: of nesting times blank lines, of
// brackets, of delimiters. So every parse in this repository is one of this file, on a text of MaxCommentBytes at most.
// It counts what the parser does and stops when that is more than a fixed multiple of the text's length. What cannot be
// parsed within it is read as plain text.

// Parse parses as much of CommonMark as tells code and HTML from prose. Links and emphasis bind less tightly than those
// and are left out. If ok is false, the text takes more work than anybody's does, and must be read as plain text.
//
// The positions in the nodes are offsets in the text as it was passed.
func Parse(md string) (root ast.Node, ok bool) { return parse(prose, []byte(md)) }

// prose is the grammar of Parse.
var prose = newParser(
	util.Prioritized(codeSpans{parser.NewCodeSpanParser()}, 100),
	util.Prioritized(parser.NewAutoLinkParser(), 300),
	util.Prioritized(rawHTML{parser.NewRawHTMLParser()}, 400),
)

// full is all of CommonMark, and the check boxes of tasks.
var full = newParser(
	util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
	util.Prioritized(codeSpans{parser.NewCodeSpanParser()}, 100),
	util.Prioritized(newLinks(), 200),
	util.Prioritized(parser.NewAutoLinkParser(), 300),
	util.Prioritized(rawHTML{parser.NewRawHTMLParser()}, 400),
	util.Prioritized(emphasis{parser.NewEmphasisParser()}, 500),
)

// newParser returns a parser of the blocks of CommonMark and of some inlines, all of which count their work. It may be
// used by several goroutines at a time.
func newParser(inlines ...util.PrioritizedValue) parser.Parser {
	blocks := parser.DefaultBlockParsers()
	for i := range blocks {
		blocks[i].Value = block{blocks[i].Value.(parser.BlockParser)}
	}
	return parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(inlines...),
		parser.WithParagraphTransformers(util.Prioritized(linkDefinitions{parser.LinkReferenceParagraphTransformer}, 100)),
	)
}

// parse parses a text by one of the parsers of newParser.
func parse(p parser.Parser, source []byte) (root ast.Node, ok bool) {
	root, _, ok = parseCounted(p, source)
	return root, ok
}

// parseCounted is parse, and returns the work that was done, in the unit of work.
func parseCounted(p parser.Parser, source []byte) (root ast.Node, done int, ok bool) {
	if len(source) > MaxCommentBytes || wild(source) {
		return nil, 0, false
	}
	w := newWork(len(source))
	limit := w.left
	pc := parser.NewContext()
	pc.Set(workKey, w)
	defer func() {
		switch stopped := recover().(type) {
		case nil:
		case tooMuchWork:
			root, done, ok = nil, limit, false
		default:
			panic(stopped)
		}
	}()
	root = p.Parse(text.NewReader(source), parser.WithContext(pc))
	return root, limit - w.left, true
}
