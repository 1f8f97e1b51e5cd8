package ci

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// timeBytes is how many bytes of a time are compared: those up to the seconds, which order as the times do.
const timeBytes = len("2006-01-02T15:04:05")

// timestamp returns the time that GitHub writes before each line of a log, up to its seconds, and the line behind it;
// empty and the whole line if there is none.
func timestamp(line []byte) (at, rest []byte) {
	line = bytes.TrimPrefix(line, []byte("\ufeff"))
	if len(line) <= timeBytes || !bytes.HasPrefix(shapeOf(line[:timeBytes]), []byte("0000-00-00T00:00:00")) {
		return nil, line
	}
	end := timeBytes
	for end < len(line) && (line[end] == '.' || '0' <= line[end] && line[end] <= '9') {
		end++
	}
	if end == len(line) || line[end] != 'Z' {
		return nil, line
	}
	return line[:timeBytes], bytes.TrimPrefix(line[end+1:], []byte(" "))
}

// shapeOf returns a time with its digits as zeros.
func shapeOf(text []byte) []byte {
	var out [timeBytes]byte
	for i, c := range text {
		if '0' <= c && c <= '9' {
			c = '0'
		}
		out[i] = c
	}
	return out[:]
}

// cleaned returns a line as a terminal would show it: without escape sequences and control characters, and what was
// written last where a program wrote over its line. Characters that nobody sees are left out too.
func cleaned(line []byte) string {
	line = bytes.TrimRight(line, "\r")
	plain := true
	for _, c := range line {
		if (c < ' ' && c != '\t') || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return strings.TrimRight(string(line), " \t")
	}
	if bytes.IndexByte(line, 0x1b) >= 0 {
		line = withoutEscapes(line)
	}
	for {
		i := bytes.LastIndexByte(line, '\r')
		if i < 0 {
			break
		}
		if rest := line[i+1:]; len(bytes.TrimSpace(rest)) > 0 {
			line = rest
			break
		}
		line = line[:i]
	}
	return strings.TrimRight(strings.Map(visible, strings.ToValidUTF8(string(line), string(utf8.RuneError))), " \t")
}

// visible drops the characters that move the cursor, turn the direction of text, or are not seen.
func visible(c rune) rune {
	switch {
	case c == '\t':
		return c
	case c == '\u2028' || c == '\u2029' || c == '\u00a0':
		return ' '
	case unicode.In(c, unicode.Cc, unicode.Cf, unicode.Co), 0xfe00 <= c && c <= 0xfe0f, 0xe0100 <= c && c <= 0xe01ef:
		return -1
	}
	return c
}

// withoutEscapes returns a line without the escape sequences of terminals. What only begins as one is left there.
func withoutEscapes(line []byte) []byte {
	out := make([]byte, 0, len(line))
	// A string of a terminal that does not end in the line is looked for once: those behind it do not end either.
	endless := map[bool]bool{}
	for {
		i := bytes.IndexByte(line, 0x1b)
		if i < 0 {
			return append(out, line...)
		}
		out, line = append(out, line[:i]...), line[i:]
		isString := len(line) > 1 && strings.IndexByte("]PX^_", line[1]) >= 0
		isCommand := isString && line[1] == ']'
		if isString && endless[isCommand] {
			line = line[1:]
			continue
		}
		sequence := graphemes.FromBytes(line)
		sequence.AnsiEscapeSequences = true
		sequence.Next()
		if isString && len(sequence.Value()) == 1 {
			endless[isCommand] = true
		}
		line = line[len(sequence.Value()):]
	}
}
