package prompts

// ReviewThread is a thread on a pull request's diff.
type ReviewThread struct {
	// Number is how the reply names it, from 1.
	Number int
	// Place is the file and lines that it is at, Hunk the diff above it, which may be empty.
	Place, Hunk string
	// Remarks are its comments, oldest first.
	Remarks []Remark
}

// Retry is the result of an earlier reply to the same task.
type Retry struct {
	Made   []MadeEdit
	Failed []LostEdit
}

// MadeEdit is an edit that stands. Line is 0 when it is not known.
type MadeEdit struct {
	Number int
	Path   string
	Line   int
}

// LostEdit is an edit that was not made.
type LostEdit struct {
	Number    int
	Path, Why string
	// Problems are what was wrong with the file after its edits, each with its line; nil for an edit that found no place.
	// They may quote the file.
	Problems []string
	// Diff is what it was to change; empty when it is not known.
	Diff string
}
