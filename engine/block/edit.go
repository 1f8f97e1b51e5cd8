package block

// Edit is the change that a block made to its file, from the first changed line to the last, relative to the file as
// it was then: after the edits of earlier blocks and before those of later ones. Lines have the indentation of the
// file and no line ending.
type Edit struct {
	// Line is the line of Removed[0] in the old file and of Added[0] in the new one; for an empty one, the line after
	// it.
	Line int
	// Removed are the lines taken out, Added those that replace them. Removed is empty for a new file, Added for a
	// deletion.
	Removed, Added []string
	// ContextBefore and ContextAfter are the unchanged lines around the change, at most three each.
	ContextBefore, ContextAfter []string
}

// Excerpt is a range of lines of a file.
type Excerpt struct {
	// Line is the line of Lines[0] in the file.
	Line  int
	Lines []string
}

// Difference is a line of a file that differs from what a block expects.
type Difference struct {
	// Line is the line in the file.
	Line       int
	Want, Have string
}
