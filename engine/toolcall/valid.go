package toolcall

import (
	"encoding/json"
	"strings"
)

// validJSON returns a trimmed text as JSON, if it is such or becomes it by withEscapedLines.
func validJSON(s string) (raw json.RawMessage, ok bool) {
	if json.Valid([]byte(s)) {
		return json.RawMessage(s), true
	}
	s, ok = withEscapedLines(s)
	return json.RawMessage(s), ok && json.Valid([]byte(s))
}

// withEscapedLines returns a JSON text with the line feeds and tabs inside its strings escaped, which models forget. ok
// is false if it has other escapes than that of quotes: they may be meant literally, as the line feeds are.
func withEscapedLines(s string) (repaired string, ok bool) {
	var b strings.Builder
	inString := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			inString = !inString
		case !inString:
		case c == '\\':
			if i++; i == len(s) || s[i] != '"' {
				return "", false
			}
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
			continue
		case c == '\t':
			b.WriteString(`\t`)
			continue
		case c == '\r':
			b.WriteString(`\r`)
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String(), true
}
