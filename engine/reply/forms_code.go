package reply

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/patch"
	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/engine/toolcall"
)

// readFence reads a line that opens or closes a code block.
func (r *formReader) readFence(n int, f fence) {
	f.line = n
	if r.code >= 0 && r.isContent(n, f) {
		return
	}
	r.open.step(f)
	switch {
	case r.code < 0 && len(r.open) > 0 && r.open[len(r.open)-1].line == n && r.isOpaque(n, f):
		r.code, r.depth = n, len(r.open)
	case r.code >= 0 && len(r.open) < r.depth:
		open := r.code
		r.code = -1
		r.readCode(open, n)
	}
}

// isContent reports whether a fence is a line of the code block that is open: it is shorter than the one that opens it,
// or of the other sign, or indented, and the block is not, or the block is a diff, in which none is nested.
func (r *formReader) isContent(n int, f fence) bool {
	around := r.open[len(r.open)-1]
	if code := r.open[r.depth-1].mark; f.mark != "" && code != "" && (len(f.mark) < len(code) || f.mark[0] != code[0]) {
		return true
	}
	return text.IndentOf(r.p.lines[n]) != "" && text.IndentOf(r.p.lines[r.code]) == "" ||
		around.isDiff() && !f.closes(around)
}

// isOpaque reports whether the content of the code block that f opens is read as a whole. That of others is read like
// text outside, as in a reply that is in a code block as a whole.
func (r *formReader) isOpaque(n int, f fence) bool {
	if !f.isText() {
		return true
	}
	for first := n + 1; first < r.to; first++ {
		if rest := r.p.lines[first:r.to]; !text.IsBlank(rest[0]) {
			_, named := r.p.wholePath(n, f, rest[:1])
			return named || patch.StartsUnified(rest) || patch.StartsEnvelope(rest[0])
		}
	}
	return false
}

// readCode reads the code block between two fences.
func (r *formReader) readCode(open, end int) {
	f, _ := fenceOf(strings.TrimSpace(r.p.lines[open]), r.p.opts.Fence)
	first := open + 1
	for first < end && text.IsBlank(r.p.lines[first]) {
		first++
	}
	if first == end {
		return
	}
	content := dedented(r.p.lines[open+1:end], text.IndentOf(r.p.lines[open]))
	begin := patchStart(r.p.lines[first:end])
	if begin >= 0 {
		begin += first - open - 1
	}
	start := strings.TrimSpace(r.p.lines[first])
	switch {
	case begin >= 0:
		r.readEnvelope(open+1+begin, end, open, end+1)
	case f.isDiff() || patch.StartsUnified(r.p.lines[first:end]):
		pieces, _ := patch.Unified(content, true)
		if len(pieces) == 0 {
			pieces = []patch.Piece{{To: len(content), Problem: "has no hunk of a unified diff"}}
		}
		if end+1 < r.to && mayContinueHunk(r.p.lines[end+1]) {
			pieces = withoutShort(pieces)
		}
		for i := range pieces {
			pieces[i].From, pieces[i].To = pieces[i].From+1, pieces[i].To+1
		}
		r.take(open, end+1, piecesOf("Diff", pieces))
	case start[0] == '<' && r.readCalls(open, first, end):
	case (start[0] == '{' || start[0] == '[') && r.readJSON(open, end):
	default:
		r.readWhole(open, end, f, content)
	}
}

// mayContinueHunk reports whether a line right behind the fence of a diff is one that a hunk adds or removes, so that
// the fence may be a line of it, too.
func mayContinueHunk(line string) bool { return line != "" && (line[0] == '+' || line[0] == '-') }

// maxBeforeCall is how many lines the wrapper of a call may have.
const maxBeforeCall = 2

// readCalls reads the calls of tools as XML in the code block between two fences. It reports whether there are any.
func (r *formReader) readCalls(open, first, end int) bool {
	var pieces []piece
	for n := first; n < end; n++ {
		closing := toolcall.Opens(strings.TrimSpace(r.p.lines[n]))
		if closing == "" {
			if len(pieces) == 0 && n-first >= maxBeforeCall {
				return false
			}
			continue
		}
		from := n
		for n < end-1 && !strings.HasSuffix(strings.TrimSpace(r.p.lines[n]), closing) {
			n++
		}
		blocks, err := toolcall.XML(r.p.lines[from : n+1])
		pieces = append(pieces, piecesOfCall(from-open, n+1-open, blocks, err)...)
	}
	r.take(open, end+1, pieces)
	return len(pieces) > 0
}

// readJSON reads the code block between two fences as an edit in JSON. It reports whether it is one.
func (r *formReader) readJSON(open, end int) bool {
	blocks, ok, err := toolcall.JSON(strings.Join(r.p.lines[open+1:end], "\n"))
	return ok && r.takeBlocks(open, end+1, blocks, err)
}

// maxBeforePatch is how many lines a shell command before a patch may have.
const maxBeforePatch = 3

// patchStart returns the line at which a patch begins: the first of a code block, or one below a command that reads it;
// -1 if there is none.
func patchStart(lines []string) int {
	n := slices.IndexFunc(lines[:min(len(lines), maxBeforePatch)], patch.StartsEnvelope)
	if n > 0 && !strings.Contains(lines[n-1], "apply_patch") {
		return -1
	}
	return n
}

// isDiff reports whether the code block is declared to be a diff.
func (f fence) isDiff() bool {
	switch f.language() {
	case "diff", "patch", "udiff":
		return true
	}
	return false
}

// dedented returns lines without the indentation of the fence around them, if all have it.
func dedented(lines []string, indent string) []string {
	if indent == "" {
		return lines
	}
	out := make([]string, len(lines))
	for i, s := range lines {
		rest, ok := strings.CutPrefix(s, indent)
		if !ok && !text.IsBlank(s) {
			return lines
		}
		out[i] = rest
	}
	return out
}

// readCutOff reports what a code block that is never closed looks like. One with markers of a block has a problem
// already.
func (r *formReader) readCutOff() {
	if r.p.leftovers.to > r.code {
		return
	}
	f, _ := fenceOf(strings.TrimSpace(r.p.lines[r.code]), r.p.opts.Fence)
	content := r.p.lines[r.code+1 : r.to]
	content = content[text.FirstNonBlank(content):]
	_, named := r.p.wholePath(r.code, f, nil)
	if named || f.isDiff() || patchStart(content) >= 0 || patch.StartsUnified(content) || toolcall.IsCutOff(content) {
		r.take(r.code, r.to, []piece{
			{to: r.to - r.code, what: "Code block", problem: "was cut off: the reply ends without its closing fence"},
		})
	}
}
