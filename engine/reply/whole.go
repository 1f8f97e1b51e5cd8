package reply

import (
	"slices"
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// wholeFile is a code block with the path of a file, which may be the whole file, or an example.
type wholeFile struct {
	block    int // its index in the blocks
	from, to int // its lines in the reply, with the one that names the path
	// text and said are the lengths of the prose before it.
	text, said int
	// plain is set if the line above the fence is the path and nothing else, as the format asks for; inside if only the
	// content or a title names it, as in documents.
	plain, inside bool
	part          bool // the line above the fence has the number of a line, or is about something else
}

// wholePath is the path that a code block has as a whole file.
type wholePath struct {
	pathReading
	from   int  // the first line that belongs to the block
	plain  bool // the line above the fence is the path and nothing else
	inside bool // the first line of the content is a comment with the path
	part   bool // the line above the fence has the number of a line, or is about something else
}

// readWhole reads the code block between two fences as a whole file, if it has a path. Whether it is one is decided at
// the end of the reply.
func (r *formReader) readWhole(open, end int, f fence, content []string) {
	if f.language() == "suggestion" {
		problem := "is a suggestion, which does not say which lines it replaces"
		r.take(open, end+1, []piece{{to: end + 1 - open, what: "Code block", problem: problem}})
		return
	}
	at, ok := r.p.wholePath(open, f, content)
	switch {
	case !ok || f.isShell() && !isScript(at.path, content):
		return
	case hasPartOfBlock(content):
		r.take(at.from, end+1, []piece{{
			to: end + 1 - at.from, what: "Code block", problem: "has markers of edit blocks that are not whole",
		}})
		return
	}
	if len(r.open) > 0 && !text.AllBlank(r.p.lines[:r.open[0].line]) {
		at.part = true // in a document that the reply quotes
	}
	b := block.Block{Format: block.FormatWhole, Whole: true, Labelled: at.inside, Path: at.path, Candidates: at.names}
	block.SetHalves(&b, nil, content)
	b.Complete = r.p.isNamedWhole(at.from, open)
	r.take(at.from, end+1, []piece{{to: end + 1 - at.from, block: b}})
	p := r.p
	if n := len(p.reply.Blocks) - 1; n >= 0 && p.reply.Blocks[n].EndLine == end+1 {
		p.wholes = append(p.wholes, wholeFile{n, at.from, end + 1, p.prose.text.Len(), p.prose.said.Len(), at.plain,
			at.inside || strings.Contains(f.info, "title="), at.part})
	}
}

// hasPartOfBlock reports whether lines have an edit block that is not whole: its first line without a last one after
// it, or a last one alone.
func hasPartOfBlock(lines []string) bool {
	open := 0
	for _, s := range lines {
		if !mayBeMarker(s) {
			continue
		}
		switch kind, _ := markerOf(text.TrimIndent(s)); kind {
		case searchHead, newHead, editHead:
			open++
		case searchEnd, newEnd, editEnd:
			if open--; open < 0 {
				return true
			}
		}
	}
	return open > 0
}

// isScript reports whether a file has shell commands: by its extension, or by its first line if it has none.
func isScript(path string, content []string) bool {
	switch base := path[strings.LastIndexAny(path, `/\`)+1:]; {
	case strings.HasSuffix(base, "sh"), strings.HasSuffix(base, ".bats"):
		return true
	default:
		return !strings.Contains(base, ".") && strings.HasPrefix(content[0], "#!")
	}
}

// wholePath returns the path of a code block whose fence is at line open: that of the info string, or of the line
// above, or of a comment in the first line of its content.
func (p *parser) wholePath(open int, f fence, content []string) (at wholePath, ok bool) {
	if at.pathReading = readInfo(f.info); at.isFile() {
		at.from = open
		return at, true
	}
	n := open - 1
	for n >= p.consumed && text.IsBlank(p.lines[n]) {
		n--
	}
	if n >= p.consumed {
		var isLead bool
		if at.pathReading, isLead = p.leadIn(n); at.isFile() || at.isNamed(p.lines[n], content) {
			at.part = !isLead || namesLine(p.lines[n])
			at.from, at.plain = n, !at.part && n == open-1 && at.path == strings.TrimSpace(p.lines[n])
			if isLead {
				return at, true
			}
			ok = true // unless the content has its path
		}
	}
	if first := text.FirstNonBlank(content); first < len(content) {
		s := strings.TrimSpace(content[first])
		d, r := stripDecoration(s), readPathLine(s, true)
		if r.isFile() && isComment(s) && !strings.ContainsAny(d.path, " \t") {
			return wholePath{pathReading: r, from: open, inside: true}, true
		}
	}
	return at, ok
}

// isFile reports whether the path is certain, and is that of a file: its name has an extension, or is a known one.
func (r pathReading) isFile() bool {
	base := r.path[strings.LastIndexAny(r.path, `/\`)+1:]
	dot := strings.LastIndexByte(base, '.')
	return r.confidence == certain && (knownNames[base] || dot >= 0 && dot+1 < len(base) && text.IsLetter(base[dot+1]))
}

// isNamed reports whether a path without an extension is that of a file: in a folder, and in quotes or behind a word
// that says so, or of a script.
func (r pathReading) isNamed(line string, content []string) bool {
	d := stripDecoration(strings.TrimSpace(line))
	return r.confidence == certain && strings.Contains(r.path, "/") &&
		(d.quoted || d.keyword || len(content) > 0 && strings.HasPrefix(content[0], "#!"))
}

// maxLeadIn is how many words, the colon included, there are beside the path in a line such as "In `a.py`:".
const maxLeadIn = 2

// leadInWords are words of a longer sentence that says that a file is written.
var leadInWords = []string{
	"updated", "update", "new", "complete", "full", "entire", "whole", "modified", "revised", "corrected", "create",
	"replace", "rewrite",
}

// isLeadIn reports whether a sentence, without the path, says that the code below it is a file.
func isLeadIn(sentence string) bool {
	words := strings.Fields(strings.ToLower(sentence))
	return len(words) <= maxLeadIn ||
		slices.ContainsFunc(words, func(word string) bool { return slices.Contains(leadInWords, word) })
}

// leadIn returns the path that line n names: as all of it, or as the only code span of a sentence that ends with a
// colon. isLead reports whether the line says that the file is written.
func (p *parser) leadIn(n int) (path pathReading, isLead bool) {
	s := strings.TrimSpace(p.lines[n])
	r := readPathLine(s, p.startsParagraph(n))
	if r.isFile() || len(s) > maxPathLine || !strings.HasSuffix(strings.TrimRight(s, "*"), ":") {
		return r, true
	}
	if spans := strings.Split(s, "`"); len(spans) == 3 && !strings.Contains(spans[1], " ") {
		return readPathLine("`"+spans[1]+"`", true), isLeadIn(spans[0] + " " + spans[2])
	}
	return pathReading{}, true
}

// namesLine reports whether the line above a code block has the number of a line, as "a.py:12" and "line 12 of `a.py`:"
// have.
func namesLine(s string) bool {
	isDigit := func(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return strings.ContainsRune(" \t`*()#[],", r) })
	for i, word := range words {
		if (word == "line" || word == "lines") && i+1 < len(words) && isDigit(words[i+1]) {
			return true
		}
		path, line, ok := strings.Cut(word, ":")
		if ok && strings.Contains(path, ".") && isDigit(line) {
			return true
		}
	}
	return false
}

// isComment reports whether a line begins as a comment does in one of many languages.
func isComment(s string) bool {
	return slices.ContainsFunc([]string{"//", "#", "/*", "<!--", "--", ";", "%"}, func(mark string) bool {
		return strings.HasPrefix(s, mark)
	})
}

// isNamedWhole reports whether the line before a code block, or that with its path, says that it is the whole file.
func (p *parser) isNamedWhole(from, open int) bool {
	n := from - 1
	for n >= p.consumed && text.IsBlank(p.lines[n]) {
		n--
	}
	for _, s := range p.lines[max(n, p.consumed):open] {
		whole := false
		for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
			switch word {
			case "whole", "complete", "full", "entire":
				whole = true
			case "file", "files", "content", "contents":
				if whole {
					return true
				}
			}
		}
	}
	return false
}

// settleWholes decides which code blocks with a path are whole files. Others are examples: they become prose again, and
// a problem says so.
func (p *parser) settleWholes() {
	if len(p.wholes) == 0 {
		return
	}
	about := newDocument(p.prose.text.String(), p.opts.Fence)
	others := len(p.reply.Blocks) > len(p.wholes)
	var dropped []wholeFile
	for i, w := range p.wholes {
		b := p.reply.Blocks[w.block]
		switch {
		case p.hasOtherVersion(i):
			p.dropWhole(w, false, "is one of two versions of "+b.Path+", of which only one can be meant")
		case w.part:
			p.dropWhole(w, true, "names "+b.Path+", and not as a file that is written: it is taken for an example")
		case text.IsMarkup(b.Path) && p.endsEarly(i):
			p.dropWhole(w, false, "was cut off by a fence in the content of "+b.Path+": use a longer one around it")
		case others:
			p.dropWhole(w, false, "names "+b.Path+", beside edits in another form, and is taken for an example: "+
				"a new file is an edit with no line to find")
		case w.plain && !about.isManual(),
			!w.plain && about.isReply(len(p.wholes)) && (!w.inside || !text.IsBlank(p.prose.text.String()[:w.text])):
			continue
		default:
			p.dropWhole(w, true, "names "+b.Path+", in a text that is not about whole files: it is taken for an example")
		}
		dropped = append(dropped, w)
	}
	p.reply.Blocks = slices.DeleteFunc(p.reply.Blocks, func(b block.Block) bool {
		return slices.ContainsFunc(dropped, func(w wholeFile) bool { return w.to == b.EndLine && b.Whole })
	})
	p.prose.insert(p.lines, dropped)
}

// hasOtherVersion reports whether another code block has the path of file i and another content.
func (p *parser) hasOtherVersion(i int) bool {
	b := p.reply.Blocks[p.wholes[i].block]
	return slices.ContainsFunc(p.wholes, func(w wholeFile) bool {
		other := p.reply.Blocks[w.block]
		return other.Path == b.Path && !slices.Equal(other.Replace, b.Replace)
	})
}

// dropWhole adds the problem of a code block that is no whole file.
func (p *parser) dropWhole(w wholeFile, minor bool, why string) {
	p.addNotRead(w.from+1, piece{what: "Code block", problem: why, minor: minor})
}

// endsEarly reports whether a fence follows the file i without a language, in the text up to the next one: it may be
// one that the content of the file has.
func (p *parser) endsEarly(i int) bool {
	to := len(p.lines)
	if i+1 < len(p.wholes) {
		to = p.wholes[i+1].from
	}
	ownFence := to // of the next block, at the earliest
	if next := p.wholes[i].block + 1; next < len(p.reply.Blocks) {
		ownFence = p.reply.Blocks[next].Line - 3
	}
	for n, s := range p.lines[p.wholes[i].to:to] {
		if f, ok := fenceOf(strings.TrimSpace(s), p.opts.Fence); ok {
			return f.info == "" && p.wholes[i].to+n < ownFence
		}
	}
	return false
}
