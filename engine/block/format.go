package block

// Format is the syntax in which a block is written.
type Format string

// The formats of a block.
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
	// FormatUnified is a unified diff, as git diff and diff -u write it: --- path, +++ path, @@ lines and hunks. Each
	// hunk is a block.
	FormatUnified Format = "udiff"
	// FormatPatch is *** Begin Patch, for each file a line such as *** Update File: path with its changes, *** End Patch.
	// Each change is a block.
	FormatPatch Format = "patch"
	// FormatWhole is a path and a code fence with the whole content of the file.
	FormatWhole Format = "whole"
	// FormatXML is a call of an editor's tool as XML, such as <write_to_file> with <path> and <content>.
	FormatXML Format = "xml"
	// FormatJSON is a call of an editor's tool as JSON: an object with a path, the text to replace and its replacement,
	// or a list of such.
	FormatJSON Format = "json"
)
