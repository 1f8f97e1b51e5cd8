package view

// Diff is a change of a file.
type Diff struct {
	Hunks          []Hunk
	Added, Removed int
	// Cut means that lines are left out, because the diff is long.
	Cut bool
}

// Hunk is a run of changed lines with the lines around them.
type Hunk struct {
	// Old and New are the first lines of both sides.
	Old, New int
	Lines    []Line
}

// LineKind says on which side of a diff a line is.
type LineKind string

// The kinds of lines.
const (
	Context LineKind = " "
	Added   LineKind = "+"
	Removed LineKind = "-"
)

// Line is a line of a diff.
type Line struct {
	Kind LineKind
	// Old and New are its numbers; 0 on the side where it is not.
	Old, New int
	Text     string
	// Marks are the parts of Text that changed against the line of the other side, as offsets in bytes, in order. None
	// are marked if the whole line changed.
	Marks [][2]int
}

// Row is a row of a diff that is shown side by side; a side is nil where it has no line.
type Row struct{ Left, Right *Line }
