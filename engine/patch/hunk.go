package patch

import (
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// hunk is the body of a hunk, with its header.
type hunk struct {
	at     int      // the line of the old file at which it begins, as the header states it, or 0
	old    int      // the number of its lines in the old file, as the header states it, or -1
	now    int      // the same for the new file
	scope  []string // the lines that name what contains the place
	lines  []string
	ending block.Ending
	// isMerge is set for a hunk with several old files, as git writes it for a merge.
	isMerge bool
	// hasOld and hasNow are the numbers of lines of the old and the new file that were read.
	hasOld, hasNow int
}

// maxScope bounds the lines that name what contains a place.
const maxScope = 16

// readHeader reads a line that begins with @@. The numbers of a unified diff are of no further use if one of them is
// missing; other text names the scope, except behind numbers: there it is the line of a function above the hunk, which
// may be another one than the one that is edited.
func (h *hunk) readHeader(line string) {
	s := strings.TrimSpace(strings.TrimLeft(line, "@"))
	h.old, h.now = -1, -1
	h.isMerge = strings.HasPrefix(line, "@@@")
	ranges, _, closed := strings.Cut(s, "@@")
	if fields := strings.Fields(ranges); len(fields) == 2 && fields[0][0] == '-' && fields[1][0] == '+' {
		at, old, okOld := readRange(fields[0][1:])
		_, now, okNow := readRange(fields[1][1:])
		if okOld && okNow {
			if old < 0 != (now < 0) { // one line, by the rules of diff
				old, now = max(old, -old), max(now, -now)
			}
			h.at, h.old, h.now = at, old, now
			return
		}
	}
	if len(h.scope) == maxScope {
		return
	}
	if s = strings.TrimSpace(strings.TrimRight(s, "@")); !closed && strings.Trim(s, ".… -+,0123456789") != "" {
		h.scope = append(h.scope, s)
	} else if closed && strings.Trim(ranges, ".… -+,0123456789") != "" {
		h.scope = append(h.scope, strings.TrimSpace(ranges))
	}
}

// readRange reads 12 or 12,3. Without a count there is one line, by the rules of diff; models leave it out of others.
func readRange(s string) (at, count int, ok bool) {
	first, second, counted := strings.Cut(s, ",")
	at, err := strconv.Atoi(first)
	count = -1
	if counted && err == nil {
		count, err = strconv.Atoi(second)
	}
	return at, count, err == nil && at >= 0 && count >= -1
}

// isComplete reports whether the body has as many lines as the header states.
func (h *hunk) isComplete() bool { return h.hasOld == h.old && h.hasNow == h.now }

// isShort reports whether the body has fewer lines than the header states.
func (h *hunk) isShort() bool {
	return h.hasOld <= h.old && h.hasNow <= h.now && !h.isComplete()
}

// add adds a line of the body. A line \ No newline at end of file is about the one before it.
func (h *hunk) add(line string) {
	if strings.HasPrefix(line, `\ `) {
		if n := len(h.lines); n > 0 && strings.HasPrefix(h.lines[n-1], "-") {
			h.ending = block.Ended // unless another such line follows the added ones
		} else {
			h.ending = block.Unended
		}
		return
	}
	h.lines = append(h.lines, line)
	if !strings.HasPrefix(line, "+") {
		h.hasOld++
	}
	if !strings.HasPrefix(line, "-") {
		h.hasNow++
	}
}

// trim drops blank lines without a prefix at the end: they are between this hunk and what follows.
func (h *hunk) trim() {
	for n := len(h.lines); n > 0 && h.lines[n-1] == ""; n-- {
		h.lines = h.lines[:n-1]
	}
}

// Halves returns the lines to find and those to put in their place of a hunk. Of a line of context that begins with a
// space, that is its prefix, unless the line has lost it: has reports whether the file has a line.
func Halves(hunk []string, has func(line string) bool) (find, replace []string) {
	for _, s := range hunk {
		switch {
		case s == "":
		case s[0] == '-':
			find = append(find, s[1:])
			continue
		case s[0] == '+':
			replace = append(replace, s[1:])
			continue
		case s[0] == ' ' && (has(s[1:]) || !has(s)):
			s = s[1:]
		}
		find, replace = append(find, s), append(replace, s)
	}
	return find, replace
}

// isChange reports whether a line adds or removes one.
func isChange(line string) bool { return line != "" && (line[0] == '+' || line[0] == '-') }

// mayBeInHunk reports whether a line has the form of one of a hunk.
func mayBeInHunk(line string) bool { return line == "" || strings.IndexByte(` +-\`, line[0]) >= 0 }

// signature is the line behind the last hunk of a patch that git wrote as a mail.
const signature = "-- "

// isOtherDiff reports whether a line is one of a context diff, or a command of a diff without context, such as
// 12,13c12.
func isOtherDiff(line string) bool {
	if strings.HasPrefix(line, "***************") {
		return true
	}
	rest := strings.TrimLeft(line, ",0123456789")
	return rest != line && rest != "" && strings.ContainsAny(rest[:1], "acd") &&
		strings.Trim(rest[1:], ",0123456789") == ""
}

// continues reports whether the next paragraph has a line that a hunk adds or removes, other than the item of a list:
// then it is a part of the hunk whose first line has lost its prefix.
func (r *reader) continues() bool {
	for i := 0; r.n+i < len(r.lines) && r.lines[r.n+i] != ""; i++ {
		if s := r.lines[r.n+i]; isChange(s) && (len(s) == 1 || s[1] != ' ' || strings.HasPrefix(s[1:], "  ")) {
			return true
		}
	}
	return false
}

// readBody reads the lines of a hunk, up to a line that ends it. In a text without a fence, it ends with the lines that
// its header states, or before a paragraph that does not look like a part of it.
func (r *reader) readBody(h *hunk, ends func() bool) {
	for r.more() && !ends() {
		s := r.line(0)
		if !r.fenced && len(h.lines) > 0 && !mayBeInHunk(s) && h.lines[len(h.lines)-1] == "" &&
			!r.continues() {
			break
		}
		if !r.fenced && text.IsBlank(s) && h.isComplete() {
			break
		}
		if s == signature && h.isComplete() {
			h.trim()
			r.n = min(r.n+2, len(r.lines)) // with the version of git
			return
		}
		h.add(s)
		r.n++
	}
	read := len(h.lines)
	if h.trim(); len(h.lines) > 0 && !strings.HasPrefix(r.line(0), "@@") {
		r.n -= read - len(h.lines)
	}
}
