package secret

import (
	"regexp"
	"slices"
	"strings"
)

// MaxStream is how much of a text a Stream shows, in bytes: what follows is shown when the text is whole.
const MaxStream = 256 << 10

// Stream masks a text while it arrives, so that it can be shown as it grows. What it shows is the beginning of what
// Redacted makes of the text so far, line by line; it keeps back the last lines as long as what follows could make a
// secret of them. Not safe for concurrent use.
type Stream struct {
	text strings.Builder
	// shown counts the lines that were shown.
	shown int
}

// Write adds the next piece of the text, which may end anywhere.
func (s *Stream) Write(piece string) {
	if room := MaxStream - s.text.Len(); len(piece) > room {
		piece = piece[:max(0, room)]
	}
	s.text.WriteString(piece)
}

// Next returns the masked lines that can be shown since the last call, each with its line ending. It reads the whole
// text, which takes about a millisecond for each 20 KB of it.
func (s *Stream) Next() string {
	text := s.text.String()
	whole := text[:strings.LastIndexByte(text, '\n')+1]
	lines := strings.SplitAfter(whole, "\n")
	lines = lines[:len(lines)-1] // it is empty
	found, _ := find(whole, possibleManifestValues(whole)...)
	masked := strings.SplitAfter(Masked{}.hide(whole, found).text, "\n")
	show := len(lines) - max(keptForKey(lines), keptForName(masked[:len(lines)]))
	if show <= s.shown {
		return ""
	}
	next := strings.Join(masked[s.shown:show], "")
	s.shown = show
	return next
}

var (
	// keyOnly matches a line that has nothing but Base64, and what is around it where the lines of a key are.
	keyOnly = regexp.MustCompile(`^(?:` + aroundKey + `|[A-Za-z0-9/=])*$`)
	// keyStart matches a line that a key can begin in whose other lines follow, and markStart one if it has the mark of an
	// encoded key.
	keyStart  = regexp.MustCompile(`[A-Za-z0-9+/=]{24}` + aroundKey + `*$`)
	markStart = regexp.MustCompile(`[A-Za-z0-9+/=]` + aroundKey + `*$`)
	// named matches what is a secret near the name of its maker, which may follow it: at least as long as the shortest.
	named = regexp.MustCompile(`[\w.|%-]{40}`)
)

// keptForKey returns how many of the last lines may be a part of a private key that only the lines behind it tell.
func keptForKey(lines []string) int {
	from := len(lines)
	for from > 0 && keyOnly.MatchString(lines[from-1]) {
		from--
	}
	for i := max(0, from-1); i < len(lines); i++ {
		if keyStart.MatchString(lines[i]) || markStart.MatchString(lines[i]) && hasKeyMark(lines[i]) {
			return len(lines) - i
		}
	}
	return 0
}

// hasKeyMark reports whether a line has the mark of an encoded key.
func hasKeyMark(line string) bool {
	return slices.ContainsFunc(encodedKeys, func(key encodedKey) bool { return strings.Contains(line, key.mark) })
}

// keptForName returns how many of the last lines, which are masked, have what the name of a maker may still follow.
func keptForName(lines []string) (kept int) {
	behind := 0
	for i := len(lines) - 1; i >= 0 && behind < maxApart; i-- {
		if named.MatchString(lines[i]) {
			kept = len(lines) - i
		}
		behind += len(lines[i])
	}
	return kept
}

// possibleManifestValues returns the values in a text, line by line, that are those of a Kubernetes secret if a line
// that follows says so.
func possibleManifestValues(text string) (out []match) {
	const outside = -1
	at, indent := 0, outside
	for line := range strings.Lines(text) {
		at += len(line)
		value := strings.TrimLeft(strings.TrimRight(line, " \t\r\n"), " \t")
		depth := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case value == "":
		case indent != outside && depth > indent:
			if m, ok := manifestValue(value, at-len(line)+depth); ok {
				m.kind, m.rank = "possible Kubernetes secret", lastRank
				out = append(out, m)
			}
		case secretValues.MatchString(value):
			indent = depth
		default:
			indent = outside
		}
	}
	return out
}

// lastRank is behind those of all rules.
const lastRank = 1 << 30
