package reply

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/patch"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/engine/toolcall"
)

// formReader reads what is not between markers in lines [from,to) of a reply: diffs, patches, whole files and calls of
// editors' tools, in code fences or without.
type formReader struct {
	p    *parser
	n    int // the next line
	to   int
	last bool // the reply ends at to
	open fences
	// code is the line of the fence whose content is read as a whole, or -1; depth is how many fences are open then.
	code, depth int
	// call is the line of a call that writes a file, or of a patch, whose end is not known yet; or -1.
	call int
	// ends are the next lines with the closing tag of each kind, that close JSON, and that are a fence.
	ends map[string]int
	// objects counts the objects without a fence that were read.
	objects int
}

// readForms reads the blocks of other forms in the lines up to to, and consumes them with the prose before each.
func (p *parser) readForms(to int, last bool) {
	if p.afterUnclosed { // these lines may be content of the unclosed block
		return
	}
	r := p.held
	if r == nil {
		r = &p.forms
		*r = formReader{p: p, n: p.consumed, open: append(r.open[:0], p.prose.openFences...), code: -1}
	}
	p.held = nil
	r.to, r.last, r.call = to, last, -1
	for ; r.n < to; r.n++ {
		r.n = r.readLine(r.n)
	}
	switch {
	case r.code >= 0 && last && p.leftovers.to == 0:
		r.readCutOff()
	case r.call >= 0:
		r.n, p.held = r.call, r
	case r.code >= 0:
		r.n, p.held = to, r
	}
}

// takeCutOff adds the problem of a call that the reply ends in.
func (r *formReader) takeCutOff(n int) {
	r.take(n, r.to, []piece{{to: r.to - n, what: "Call", problem: "was cut off: the reply ends in it"}})
}

// isContent reports whether the block whose head is at a line is content of a file that the reply writes: of a call
// that has begun, or of a code block that names another file than the line above the head. It reads the lines before.
func (p *parser) isContent(head int) bool {
	p.readForms(head, false)
	r := p.held
	if r == nil || r.call >= 0 {
		return r != nil
	}
	p.held = nil
	n := head - 1
	for n > r.code && text.IsBlank(p.lines[n]) {
		n--
	}
	first := r.code + 1
	for first < n && text.IsBlank(p.lines[first]) {
		first++
	}
	if n <= first {
		return false
	}
	if toolcall.Opens(strings.TrimSpace(p.lines[first])) != "" {
		p.held = r
		return true
	}
	f, _ := fenceOf(strings.TrimSpace(p.lines[r.code]), p.opts.Fence)
	around, named := p.wholePath(r.code, f, p.lines[first:first+1])
	own := readPathLine(p.lines[n], p.startsParagraph(n))
	if !named || !own.isUnmistakable() || own.path == around.path {
		return false
	}
	p.held = r
	return true
}

// startsForm are the first bytes of the lines at which something may begin, fences included.
var startsForm = [256]bool{
	'd': true, '-': true, 'I': true, '*': true, '<': true, '{': true, '[': true, '`': true, '~': true,
}

// readLine reads line n, and what begins there. It returns the last line that it read.
func (r *formReader) readLine(n int) int {
	line := r.p.lines[n]
	s := text.TrimIndent(line)
	if s == "" || !startsForm[s[0]] && r.p.opts.Fence == "" {
		return n
	}
	if f, ok := fenceOf(strings.TrimSpace(s), r.p.opts.Fence); ok {
		r.readFence(n, f)
		return n
	}
	if r.code >= 0 || r.open.inCode() {
		return n
	}
	switch rest := r.p.lines[n:r.to]; {
	case patch.StartsUnified(rest):
		return r.readUnified(n)
	case patch.StartsEnvelope(line):
		if !r.last && patch.BeginsEnvelope(rest) && r.next(endOfPatch, n, patch.EndsEnvelope) == r.to {
			r.call = n
			return r.to
		}
		return r.readEnvelope(n, r.to, n, r.to)
	case s[0] == '<':
		return r.readXML(n, strings.TrimSpace(s))
	case s[0] == '{', s[0] == '[':
		return r.readObject(n, strings.TrimSpace(s))
	}
	return n
}

// endOfPatch is the kind of the line that ends a patch.
const endOfPatch = "*** End Patch"

// readUnified reads a unified diff without a fence.
func (r *formReader) readUnified(n int) int {
	end := r.to
	if len(r.open) > 0 {
		end = r.next("fence", n, func(s string) bool {
			return s != "" && (s[0] == '`' || s[0] == '~') && r.p.isFence(s)
		})
	}
	end = min(end, r.next("</diff>", n, func(s string) bool { return strings.TrimSpace(s) == "</diff>" }))
	pieces, used := patch.Unified(r.p.lines[n:end], false)
	if r.last && n+used == r.to && !strings.HasSuffix(r.p.text, "\n") { // the reply may end in the middle of a line
		pieces = withoutShort(pieces)
	}
	r.take(n, n+used, piecesOf("Diff", pieces))
	return n + max(used, 1) - 1
}

// withoutShort returns pieces of a diff that may have been cut off: a last hunk with fewer lines than its header states
// is a problem.
func withoutShort(pieces []patch.Piece) []patch.Piece {
	for i, c := range slices.Backward(pieces) {
		if c.Short {
			return append(pieces[:i], patch.Piece{
				From: c.From, To: c.To, Problem: "was cut off: its last hunk has fewer lines than its header states",
			})
		}
		if c.Block.Hunk != nil || c.Problem != "" {
			break
		}
	}
	return pieces
}

// readEnvelope reads a patch at line n, of which lines [from,to) are replaced, and returns the last line that it read.
func (r *formReader) readEnvelope(n, end, from, to int) int {
	pieces, used, closed := patch.Envelope(r.p.lines[n:end])
	if from == n {
		to = n + max(used, 1)
	}
	for i := range pieces {
		pieces[i].From, pieces[i].To = pieces[i].From+n-from, pieces[i].To+n-from
	}
	if len(pieces) == 0 {
		pieces = []patch.Piece{{To: max(used, 1), Problem: "has no change that is read"}}
	}
	last := len(pieces) - 1
	if !closed && from == n && to == r.to && r.last && pieces[last].Problem == "" {
		lost := pieces[last]
		if last > 0 && lost.Block.MoveTo != "" && pieces[last-1].Block.Path == lost.Block.Path {
			last-- // the change before the renaming is the last one that was written
		}
		pieces = append(pieces[:last], patch.Piece{
			From: lost.From, To: lost.To, Problem: "was cut off: the reply ends without *** End Patch",
		})
	}
	r.take(from, to, piecesOf("Patch", pieces))
	return to - 1
}

// readXML reads a call of a tool that begins at line n, if one does.
func (r *formReader) readXML(n int, line string) int {
	closing := toolcall.Opens(line)
	if closing == "" {
		return n
	}
	end := r.next(closing, n, func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), closing) })
	switch {
	case end < r.to:
		r.takeCall(n, end+1, r.p.lines[n:end+1])
		return end
	case r.last:
		r.take(n, r.to, []piece{{to: r.to - n, what: "Call", problem: "was cut off: the reply ends without " + closing}})
		return r.to
	case slices.ContainsFunc(r.p.lines[n:min(n+maxBeforeContent, r.to)], toolcall.OpensContent):
		r.call = n
		return r.to
	}
	return n
}

// maxBeforeContent is how many lines a call that writes a file has at most up to the tag of the content.
const maxBeforeContent = 6

// takeCall adds the blocks of a call as XML.
func (r *formReader) takeCall(from, to int, lines []string) bool {
	blocks, err := toolcall.XML(lines)
	return r.takeBlocks(from, to, blocks, err)
}

// next returns the first line from n on that is a closing one. It looks at each line once for each kind.
func (r *formReader) next(kind string, n int, isEnd func(string) bool) int {
	if at, ok := r.ends[kind]; ok && at >= n {
		n = at // which may have been the end of the lines that were known then
	}
	if r.ends == nil {
		r.ends = map[string]int{}
	}
	for n < r.to && !isEnd(r.p.lines[n]) {
		n++
	}
	r.ends[kind] = n
	return n
}

// maxObjects bounds the objects without a fence that are read, most of which are no edits.
const maxObjects = 64

// readObject reads an edit as JSON that begins at line n, if one does: it ends on the same line, or on the next one
// that begins with its bracket.
func (r *formReader) readObject(n int, line string) int {
	closing := map[byte]byte{'{': '}', '[': ']'}[line[0]]
	if r.objects++; r.objects > maxObjects {
		return n
	}
	end := n
	if line[len(line)-1] != closing {
		end = r.next(string(closing), n, func(s string) bool { return s != "" && s[0] == closing })
	}
	if end == r.to && r.last && toolcall.IsCutOff(r.p.lines[n:end]) {
		r.takeCutOff(n)
		return r.to
	}
	if end < r.to {
		blocks, ok, err := toolcall.JSON(strings.Join(r.p.lines[n:end+1], "\n"))
		if ok && r.takeBlocks(n, end+1, blocks, err) {
			return end
		}
	}
	return n
}
