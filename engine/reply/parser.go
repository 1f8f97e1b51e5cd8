package reply

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// parser reads a reply line by line, in one pass: it passes marker lines to the pairer and turns them into blocks
// whenever no head is open. Scanner uses it with text that grows.
//
// lines[:consumed] are accounted for in reply and prose; the tokens of the pairer are those of lines[consumed:].
type parser struct {
	opts          Options
	text          string
	pos           int // start of the first line that has not been read
	lines         []string
	pairer        pairer
	consumed      int
	reply         block.Reply
	prose         proseReader
	lastPath      pathReading  // of the previous block
	lastFormat    block.Format // of the previous block
	lastInFence   bool         // the previous block is in a code fence of its own
	leftovers     lineRange    // lines that are not consumed, and are parts of blocks that are not whole
	afterUnclosed bool         // an unclosed block precedes, whose content may reach up to the next block
	thinking      thinking
	dividers      []int // tokens that may divide the current block
	counts        markerCounts
	wholes        []wholeFile
	inner         []int       // the heads of blocks that are content of what held begins
	held          *formReader // of lines[consumed:], if what they begin contains the last block
	forms         formReader  // its memory, used again
}

func newParser(opts Options) *parser {
	p := &parser{opts: opts}
	if f := opts.Fence; len(f) >= 3 && (strings.Trim(f, "`") == "" || strings.Trim(f, "~") == "") {
		p.opts.Fence = "" // a fence anyway, of any length
	}
	p.prose.fence = p.opts.Fence
	p.pairer.reset()
	return p
}

// markerCounts counts the markers outside the content of complete blocks, for problems that concern the whole reply.
type markerCounts struct {
	of       [thinBar + 1]int
	lastEnd  int   // line of the end of the last complete block
	unclosed []int // lines of heads without an end
	beyond   int   // complete blocks after the first maxBlocks
}

// lineRange are the lines [from, to), none if to is 0.
type lineRange struct{ from, to int }

func (r lineRange) contain(line int) bool { return r.from <= line && line < r.to }

// keepProse adds lines[consumed:to] to the prose, without the closing fence of the previous block.
func (p *parser) keepProse(to int) {
	for n := p.proseStart(to); n < to; n++ {
		p.prose.write(p.lines[n], p.afterUnclosed || p.leftovers.contain(n))
		p.prose.spoken = p.prose.spoken || p.explains(p.lines[n])
	}
	p.leftovers = lineRange{}
}

// proseStart returns the first of lines[consumed:to] that is prose: the closing fence of the previous block is none.
func (p *parser) proseStart(to int) int {
	from := p.consumed
	for n := from; n < to && p.lastInFence; n++ {
		if p.isFence(p.lines[n]) {
			from = n + 1
		} else if text.IsBlank(p.lines[n]) {
			continue
		}
		break
	}
	return from
}

func (p *parser) isFence(line string) bool {
	_, ok := fenceOf(strings.TrimSpace(line), p.opts.Fence)
	return ok
}

// maxProblems bounds the problems of single lines; those of the whole reply cover the others.
const maxProblems = 100

// addProblem adds an error, unless there are too many. It reports whether it did.
func (p *parser) addProblem(line int, kind block.ProblemKind, text string) bool {
	if line > 0 && kind != block.ProblemCutOff && len(p.reply.Problems) >= maxProblems {
		return false
	}
	problem := block.Problem{Line: line, Severity: block.SeverityError, Kind: kind, Text: text}
	p.reply.Problems = append(p.reply.Problems, problem)
	return true
}

// thinking is the state of the <think> sections before the answer.
type thinking struct {
	answering bool   // the answer has begun
	closeTag  string // the tag that closes the current section, or empty
	line      int    // the line at which the section begins
}

// startsParagraph reports whether line n is the first, or follows a blank line or a fence.
func (p *parser) startsParagraph(n int) bool {
	if n <= p.consumed {
		return true
	}
	return text.IsBlank(p.lines[n-1]) || p.isFence(p.lines[n-1])
}

// explains reports whether a line of prose is the explanation of the reply, or a part of it, or the line for the commit
// that follows it.
func (p *parser) explains(line string) bool {
	s := strings.TrimSpace(line)
	return s != "" && s[0] != '#' && !p.isFence(s) && !readPathLine(s, true).isUnmistakable()
}
