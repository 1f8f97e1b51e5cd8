package block

// Level is how lenient the comparison was at which a block matched; 0 if it matched nowhere.
type Level int

// The levels, strictest first. Each ignores one more kind of difference between a block and the file.
const (
	LevelExact         Level = iota + 1 // line endings and a byte order mark
	LevelTrailingSpace                  // whitespace at the end of lines
	LevelBlankLines                     // the number of blank lines
	LevelIndent                         // one change of indentation for all lines
	LevelHomoglyph                      // characters that look alike, and line numbers
	LevelEllipsis                       // lines left out for "..."
	LevelFuzzyContext                   // some of the context lines
	LevelTokens                         // not in use: earlier versions ignored line breaks, commas and quotes
	LevelStructure                      // not in use: earlier versions looked in the definition that the context names
	LevelMerged                         // changes that the file has got since the model saw it
)
