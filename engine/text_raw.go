package engine

import (
	"bytes"
	"slices"
	"strings"
)

// A text is bytes as long as every block that changes it matches exactly: then the place is found by a search for
// bytes, an edit moves bytes, and lines are counted but not listed. The first block that needs more than that splits it
// into lines, once; from then on it is lines. raw is not empty only as long as it is bytes.

// rawText returns the text of a file as bytes, which the caller must not modify. isUTF8 says whether they are valid.
func rawText(data []byte, isUTF8 bool) *text {
	t := &text{asciiOnly: !isUTF8}
	if bytes.HasPrefix(data, []byte(bom)) {
		t.bom, data = bom, data[len(bom):]
	}
	t.raw = data
	if bytes.IndexByte(data, '\r') < 0 {
		t.rawEnd = "\n"
	} else if n := bytes.Count(data, []byte("\r\n")); n == bytes.Count(data, []byte("\n")) &&
		n == bytes.Count(data, []byte("\r")) {
		t.rawEnd = "\r\n"
	}
	return t
}

// position is the start of a line, counted from 0, and its offset in the bytes of a text.
type position struct{ line, offset int }

// split turns bytes into lines.
func (t *text) split() {
	if len(t.raw) == 0 {
		return
	}
	t.work.spendBytes(len(t.raw))
	t.lines = splitLines(string(t.raw))
	t.work.spend(2 * len(t.lines))
	t.raw, t.own = nil, false
}

// What a search for the bytes of a block may cost besides the one pass over the file: needleBytes is the part of the
// block that the pass looks for, and candidateCost what a place where that part is, but the block may not be, counts
// for in addition to the bytes compared there. A search that would cost more than searchFactor times the file, and
// searchMin, is left to the comparison of lines, which is linear whatever is in the file.
const (
	needleBytes   = 63 // the longest that bytes.Index compares with vector instructions
	candidateCost = 32
	searchFactor  = 4
	searchMin     = 4096
)

// findOnce returns the only place where consecutive lines of the file are those of find. ok is false if there is no
// such place, or several, or if a search for bytes cannot tell: because lines of the file end in different ways, or
// the file has a part of find too often.
func (t *text) findOnce(find []string) (at position, ok bool) {
	if len(t.raw) == 0 || t.rawEnd == "" {
		return position{}, false
	}
	sought := t.joined(find)
	if bytes.Count(sought, []byte("\n")) != len(find)-1 {
		return position{}, false
	}
	t.work.spendBytes(len(t.raw))
	budget, found := searchFactor*len(t.raw)+searchMin, -1
	skip := t.rarestPart(sought)
	needle := sought[skip:min(skip+needleBytes, len(sought))]
	for from := skip; ; from++ {
		n := bytes.Index(t.raw[min(from, len(t.raw)):], needle)
		if n < 0 {
			break
		}
		from += n
		if budget -= candidateCost; t.isLineStart(from-skip) && bytes.HasPrefix(t.raw[from-skip:], sought) {
			if budget -= len(sought); t.isLineEnd(from - skip + len(sought)) {
				if found >= 0 {
					return position{}, false
				}
				found = from - skip
			}
		} else {
			budget -= len(sought)
		}
		if budget < 0 {
			return position{}, false
		}
	}
	if found < 0 {
		return position{}, false
	}
	t.moveMark(found)
	return t.mark, true
}

// rarity says how often a sample of a file has each byte and, by a hash, each pair of bytes.
type rarity struct {
	bytes [256]uint16
	pairs [1024]uint16
}

func pairHash(a, b byte) int { return (int(a)*37 ^ int(b)) & 1023 }

// How much of the file rarestPart samples, where in the block it looks for a start, and how much of the block it keeps
// for the search.
const (
	sampleBytes = 2048
	maxRareSkip = 160
	minNeedle   = 16
)

// rarestPart returns where in sought the search is to begin: at the pair of bytes that the file has least often, since
// the search stops at each of them. Most blocks begin with an indentation, as do the lines of the file.
func (t *text) rarestPart(sought []byte) (skip int) {
	if t.rarity == nil {
		t.rarity = &rarity{}
		for i := 1; i < len(t.raw); i += len(t.raw)/sampleBytes | 1 {
			t.rarity.bytes[t.raw[i-1]]++
			t.rarity.pairs[pairHash(t.raw[i-1], t.raw[i])]++
		}
	}
	least := 1 << 20
	for i := 0; i == 0 || i < min(len(sought)-minNeedle, maxRareSkip); i++ {
		if i+1 == len(sought) {
			break
		}
		n := int(t.rarity.bytes[sought[i]]) + int(t.rarity.pairs[pairHash(sought[i], sought[i+1])])
		if n < least {
			skip, least = i, n
		}
	}
	return skip
}

// joined returns the bytes of lines in the file, without the last line ending, until the next call.
func (t *text) joined(lines []string) []byte {
	out := t.scratch[:0]
	for i, s := range lines {
		if i > 0 {
			out = append(out, t.rawEnd...)
		}
		out = append(out, s...)
	}
	t.scratch = out
	return out
}

func (t *text) isLineStart(offset int) bool { return offset == 0 || t.raw[offset-1] == '\n' }

// isLineEnd reports whether a line ends at an offset. There is no line after the last line ending.
func (t *text) isLineEnd(offset int) bool {
	rest := t.raw[offset:]
	return len(rest) == 0 && !t.isLineStart(offset) || bytes.HasPrefix(rest, []byte(t.rawEnd))
}

// moveMark moves t.mark to the line that starts at an offset, by counting the line feeds between.
func (t *text) moveMark(offset int) {
	if offset >= t.mark.offset {
		t.mark.line += bytes.Count(t.raw[t.mark.offset:offset], []byte("\n"))
	} else {
		t.mark.line -= bytes.Count(t.raw[offset:t.mark.offset], []byte("\n"))
	}
	t.mark.offset = offset
}

// after returns the position n lines after p, or the end of the text if it has fewer.
func (t *text) after(p position, n int) position {
	for ; n > 0 && p.offset < len(t.raw); n-- {
		p.line++
		if i := bytes.IndexByte(t.raw[p.offset:], '\n'); i >= 0 {
			p.offset += i + 1
		} else {
			p.offset = len(t.raw)
		}
	}
	return p
}

// before returns the position n lines before p, or the start of the text if there are fewer.
func (t *text) before(p position, n int) position {
	for ; n > 0 && p.offset > 0; n-- {
		p.line--
		p.offset = bytes.LastIndexByte(t.raw[:p.offset-1], '\n') + 1
	}
	return p
}

// rawLines returns the lines between two positions.
func (t *text) rawLines(from, to position) []string {
	lines := make([]string, 0, to.line-from.line)
	for s := string(t.raw[from.offset:to.offset]); s != ""; {
		line, rest, _ := strings.Cut(s, "\n")
		lines = append(lines, strings.TrimSuffix(line, "\r"))
		s = rest
	}
	return lines
}

// spliceRaw makes edits, in order, at or after t.mark, by replacing the bytes between the first and the last.
func (t *text) spliceRaw(edits []edit) {
	end := t.rawEnd
	if bytes.IndexByte(t.raw, '\n') < 0 {
		end = "\n" // as for every file without a line ending
	}
	out, at := t.scratch[:0], t.after(t.mark, edits[0].from-t.mark.line)
	first := at.offset
	for _, e := range edits {
		next := t.after(at, e.from-at.line)
		out = append(out, t.raw[at.offset:next.offset]...)
		if n := next.offset; len(e.repl) > 0 && n > 0 && t.raw[n-1] != '\n' {
			out = append(out, end...)
		}
		for _, s := range e.repl {
			out = append(append(out, s...), end...)
		}
		at = t.after(next, e.to-e.from)
	}
	t.scratch = out
	if !t.own {
		grown := make([]byte, len(t.raw), len(t.raw)+max(len(out), len(t.raw)/spareShare))
		copy(grown, t.raw)
		t.raw, t.own = grown, true
	}
	t.raw = slices.Replace(t.raw, first, at.offset, out...)
}

// spareShare is the part of a file that its first edit leaves room for, so that later ones need no further copy.
const spareShare = 16
