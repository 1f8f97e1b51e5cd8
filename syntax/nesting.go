package syntax

// Parsers that descend into what is nested end the process when the text is nested deep enough: Go cannot recover from a
// stack that is full. So the depth is bounded before a parser runs.
//
// Where the text nests cannot be told without parsing it: a bracket may be in a string. So the bounds do not
// depend on that: there are no more levels than opening brackets, wherever these are. What nests without brackets takes
// at least two bytes for a level, one of them a letter or digit, or else is a run of other characters.
const (
	// maxOpening is the number of opening brackets in one file.
	maxOpening = 20_000
	// maxDepth is how much the opening brackets may be ahead of the closing ones, none of which is left out. It keeps
	// most of what is nested too deep away from the parsers, and cheaply; source text is rarely 20 levels deep.
	maxDepth = 500
	// maxRun is the number of characters, blanks aside, without a letter or digit among them.
	maxRun = 2_000
)

// tooDeep reports whether a text may be nested too deep for a parser that descends.
func tooDeep(text []byte) bool {
	opening, depth, run := 0, 0, 0
	for _, c := range text {
		switch c {
		case '(', '[', '{':
			opening++
			depth++
			run++
		case '<', '`': // which are not only brackets
			opening++
			run++
		case ')', ']', '}':
			depth = max(0, depth-1)
			run++
		case ' ', '\t', '\r', '\n':
		default:
			run++
			if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c >= 0x80 {
				run = 0
			}
		}
		if opening > maxOpening || depth > maxDepth || run > maxRun {
			return true
		}
	}
	return false
}
