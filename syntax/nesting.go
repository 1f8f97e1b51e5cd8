package syntax

// Parsers that descend into what is nested end the process when the text is nested deep enough: Go cannot recover from
// a stack that is full. Others take time that grows with the square of what is nested or repeated. So both are bounded
// before a parser runs.
//
// Where the text nests cannot be told without parsing it: a bracket may be in a string. So the bounds do not depend on
// that. There are no more levels than opening brackets, wherever these are; and what nests without brackets takes an
// operator or a word for each level.
type bounds struct {
	// opening is the number of opening brackets of all kinds, backquotes included. The densest source files known have
	// 35 in 1,000 bytes.
	opening int
	// joining is the number of characters that join expressions or types without a bracket: ":", "?" and "=". A colon
	// that a comma or semicolon ends before the next one joins nothing, unless a comment may be between them. 0 is no
	// bound.
	joining int
	// word is how often the same word occurs. 0 is no bound.
	word int
}

const (
	// maxDepth is how much the opening brackets may be ahead of the closing ones, none of which is left out. It keeps
	// most of what is nested too deep away from the parsers, and cheaply; source text is rarely 20 levels deep.
	maxDepth = 500
	// maxRun is the number of characters, blanks aside, without a letter or digit among them.
	maxRun = 2_000
	// maxWordBytes bounds how often a word occurs times the bytes of the text: esbuild goes on behind an error such as a
	// name declared again, and counts the lines from the beginning for each.
	maxWordBytes = 4_000 * 256 << 10
)

// exceeded reports whether a text may be nested too deep, or repeat something too often, for a parser.
func (b bounds) exceeded(text []byte) bool {
	opening, joining, depth, run, colon := 0, 0, 0, 0, 0
	for _, c := range text {
		switch {
		case isWordByte(c):
			run = 0
			continue
		case c == ' ' || c == '\t' || c == '\r' || c == '\n':
			continue
		case c == '(' || c == '[' || c == '{':
			opening++
			depth++
		case c == '<' || c == '`': // which are not only brackets
			opening++
		case c == ')' || c == ']' || c == '}':
			depth = max(0, depth-1)
		case c == ':':
			joining += colon
			colon = 1
		case c == '?' || c == '=':
			joining++
		case c == ',' || c == ';':
			colon = 0
		case c == '/' || c == '-' || c == '#':
			joining += colon
			colon = 0
		}
		run++
		if opening > b.opening || depth > maxDepth || run > maxRun || b.joining > 0 && joining+colon > b.joining {
			return true
		}
	}
	return b.word > 0 && repeatsWord(text, min(b.word, maxWordBytes/(len(text)+1)))
}

// repeatsWord reports whether a text has a word more than limit times.
func repeatsWord(text []byte, limit int) bool {
	times := make(map[string]int)
	for start := 0; start < len(text); start++ {
		end := start
		for end < len(text) && isWordByte(text[end]) {
			end++
		}
		if end == start {
			continue
		}
		word := string(text[start:end])
		times[word]++
		if times[word] > limit {
			return true
		}
		start = end
	}
	return false
}

func isWordByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '$' || c >= 0x80
}
