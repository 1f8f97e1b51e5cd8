package reply

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/patch"
	"github.com/tenon-bot/tenon/engine/text"
)

// piece is a part of a reply that is read: a block, or what is wrong with lines that look like one.
type piece struct {
	from, to int // its lines, counted from the first one that is taken
	block    block.Block
	what     string // what it looks like, such as "Diff"
	problem  string // what is wrong, in a clause; empty if it is a block
	minor    bool   // nothing of the content of a file is lost by it
}

// piecesOf returns the pieces of a patch.
func piecesOf(form string, pieces []patch.Piece) []piece {
	out := make([]piece, len(pieces))
	for i, c := range pieces {
		out[i] = piece{c.From, c.To, c.Block, form, c.Problem, c.Minor}
	}
	return out
}

// takeBlocks adds blocks that share their lines, or an error as a problem. It reports whether there is any.
func (r *formReader) takeBlocks(from, to int, blocks []block.Block, err error) bool {
	pieces := piecesOfCall(0, to-from, blocks, err)
	r.take(from, to, pieces)
	return len(pieces) > 0
}

// piecesOfCall returns the pieces of a call of a tool.
func piecesOfCall(from, to int, blocks []block.Block, err error) (pieces []piece) {
	for _, b := range blocks {
		pieces = append(pieces, piece{from: from, to: to, block: b})
	}
	if err != nil {
		pieces = append(pieces, piece{from: from, to: to, what: "Call", problem: "is not read: " + err.Error()})
	}
	return pieces
}

// take adds the pieces that lines [from,to) have, and consumes these lines.
func (r *formReader) take(from, to int, pieces []piece) {
	if len(pieces) == 0 {
		return
	}
	p := r.p
	path, start := pathReading{}, from
	if slices.ContainsFunc(pieces, func(c piece) bool { return c.problem == "" && c.block.Path == "" }) {
		path, start = p.pathAbove(from)
	}
	if other := p.otherFile(from, pieces); other != "" {
		problem := "is named " + other + ", and has an edit of another file"
		pieces = []piece{{to: to - from, what: "Code block", problem: problem}}
	}
	isBlock := func(c piece) bool { return c.problem == "" && (c.block.Path != "" || path.path != "") }
	var purpose string
	if slices.ContainsFunc(pieces, isBlock) {
		p.prose.read(p.lines, p.consumed, start, false)
		why, said := p.purposeBefore(start)
		purpose = why
		p.keepProse(said)
	} else { // people see what is not read
		p.prose.read(p.lines, p.consumed, to, false)
		p.keepProse(to)
	}
	p.consumed, p.lastInFence = to, false
	p.inner = slices.DeleteFunc(p.inner, func(n int) bool { return n < to })
	for i, c := range pieces {
		b := c.block
		b.Line, b.EndLine = from+c.from+1, from+c.to
		if i == 0 {
			b.Purpose = purpose
		}
		if c.problem == "" && b.Path == "" && !path.assign(&b) {
			c.problem = "names no file"
		}
		if c.problem != "" {
			p.addNotRead(b.Line, c)
			continue
		}
		if i == 0 || c.from != pieces[i-1].from {
			b.Raw = strings.Join(p.lines[b.Line-1:b.EndLine], "\n") + "\n"
		}
		p.addRead(b)
	}
}

// otherFile returns the path that the line above a code block consists of, if the edits in it are of other files: then
// the block may be the content of that file, such as a patch. It returns "" for lines that are no code block.
func (p *parser) otherFile(from int, pieces []piece) string {
	if !p.isFence(p.lines[from]) {
		return ""
	}
	read, _ := p.pathAbove(from)
	isSame := func(path string) bool {
		return path == "" || strings.HasSuffix(path, read.path) || strings.HasSuffix(read.path, path)
	}
	if !read.isFile() || slices.ContainsFunc(pieces, func(c piece) bool {
		return c.problem != "" || isSame(c.block.Path) || c.block.MoveTo != "" && isSame(c.block.MoveTo)
	}) {
		return ""
	}
	return read.path
}

// addNotRead adds the problem of a piece that is no block.
func (p *parser) addNotRead(line int, c piece) {
	kind := block.ProblemNotRead
	if strings.HasPrefix(c.problem, "was cut off") {
		kind = block.ProblemCutOff
	}
	added := p.addProblem(line, kind, fmt.Sprintf("%s at line %d %s", c.what, line, c.problem))
	if n := len(p.reply.Problems); c.minor && added {
		p.reply.Problems[n-1].Severity = block.SeverityWarning
	}
}

// addRead adds a block of the reply, unless it has too many.
func (p *parser) addRead(b block.Block) {
	p.counts.lastEnd = b.EndLine
	if len(p.reply.Blocks) == maxBlocks {
		p.counts.beyond++
		return
	}
	p.reply.Blocks = append(p.reply.Blocks, b)
}

// pathAbove returns the path that the fence at a line or the line above it names, and the first line of both.
func (p *parser) pathAbove(open int) (read pathReading, from int) {
	if f, ok := fenceOf(strings.TrimSpace(p.lines[open]), p.opts.Fence); ok {
		if read = readInfo(f.info); read.confidence == certain {
			return read, open
		}
	}
	for n := open - 1; n >= p.consumed; n-- {
		if s := p.lines[n]; !text.IsBlank(s) {
			if read := readPathLine(s, p.startsParagraph(n)); read.isUnmistakable() {
				return read, n
			}
			break
		}
	}
	return pathReading{}, open
}
