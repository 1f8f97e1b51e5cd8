package match

// Rules is a set of the rules that decide inside of a level.
type Rules uint32

// The rules. LevelHomoglyph has the first two, LevelFuzzyContext the others.
const (
	// Dashes: a long dash of the block is one to three hyphens of the file.
	Dashes Rules = 1 << iota
	// LineNumbers: numbers in front of all lines of the block are cut off.
	LineNumbers
	// Typos: a line of the block is the line of the file that differs from it in a typo.
	Typos
	// Slips: a context line of the block that the file lacks is the only line of the file that differs in a letter.
	Slips
	// Drift: context that changed further counts if there is evidence enough for the place.
	Drift
	// OtherNames: a line with another name is another line.
	OtherNames
	// Headers: a place under the header of another section or definition is another place.
	Headers
	// Elsewhere: a place with more of the context that is missing here counts against a place.
	Elsewhere
	// Rivals: a place that lacks the lines to change and has as much context counts against a place.
	Rivals
)

func (r Rules) has(rule Rules) bool { return r&rule != 0 }
