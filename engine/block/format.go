package block

// Format is the syntax in which a block is written.
type Format string

// The formats of a block. In all of them, the path is on a line of its own.
const (
	// FormatV3 is path, ««« EDIT, the lines to find, ═══════ REPL, the lines to put in their place, »»» EDIT END.
	FormatV3 Format = "v3"
	// FormatAnchored is path, ««« EDIT, the lines before the change, ───────, the lines to replace, ═══════, the lines to
	// put in their place, ───────, the lines after the change, »»».
	FormatAnchored Format = "anchored"
	// FormatDiff is path, an opening fence, <<<<<<< SEARCH, the lines to find, =======, the lines to put in their place,
	// >>>>>>> REPLACE, a closing fence. The fence may be missing.
	FormatDiff Format = "diff"
	// FormatDiffFenced is FormatDiff with the path on the first line inside the fence.
	FormatDiffFenced Format = "diff-fenced"
	// FormatSection is a heading "### File: path" with any number of blocks below it that are like those of FormatDiff
	// without a fence. A new file is between <<<<<<< NEW_FILE and >>>>>>> NEW_FILE.
	FormatSection Format = "section"
)
