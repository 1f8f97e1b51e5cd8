package engine

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

// FormatInfo describes a format to programs that ask a model to write it.
type FormatInfo struct {
	// Name is the name of the format in configuration and prompts.
	Name string
	// ParsesAs is the Format of the blocks that Parse returns for it. Formats whose names begin with "editor-" are
	// written like those without; they are for prompts that ask for edits only.
	ParsesAs Format
	// Head, Dividers and End are the marker lines of a block, in order.
	Head     string
	Dividers []string
	End      string
	// NewFileHead and NewFileEnd are the marker lines of a new file, if the format has them. In other formats, a new
	// file is a block with nothing to find.
	NewFileHead, NewFileEnd string
	// Path is the position of the path.
	Path PathPosition
	// Fenced is set if blocks are written in a code fence.
	Fenced bool
	// Commands is set if a prompt for the format may ask for shell commands besides edits.
	Commands bool
}

// PathPosition is where a format has its path.
type PathPosition string

// The positions of a path.
const (
	PathBeforeHead  PathPosition = "the line before the head marker"
	PathBeforeFence PathPosition = "the line before the opening fence"
	PathInFence     PathPosition = "the first line inside the fence"
	PathHeader      PathPosition = "a ### File: line before the file's blocks"
)

// Formats returns the formats that Parse understands, in the order in which documentation and help name them.
func Formats() []FormatInfo {
	v3 := FormatInfo{
		Name: "v3", ParsesAs: FormatV3, Path: PathBeforeHead, Commands: true,
		Head: "««« EDIT", Dividers: []string{"═══════ REPL"}, End: "»»» EDIT END",
	}
	anchored := FormatInfo{
		Name: "anchored", ParsesAs: FormatAnchored, Path: PathBeforeHead, Commands: true,
		Head: "««« EDIT", Dividers: []string{"───────", "═══════", "───────"}, End: "»»»",
	}
	diff := FormatInfo{
		Name: "diff", ParsesAs: FormatDiff, Path: PathBeforeFence, Fenced: true, Commands: true,
		Head: "<<<<<<< SEARCH", Dividers: []string{"======="}, End: ">>>>>>> REPLACE",
	}
	fenced := diff
	fenced.Name, fenced.ParsesAs, fenced.Path = "diff-fenced", FormatDiffFenced, PathInFence
	section := FormatInfo{
		Name: "section", ParsesAs: FormatSection, Path: PathHeader, Commands: true,
		Head: "<<<<<<< SEARCH", Dividers: []string{"======="}, End: ">>>>>>> REPLACE",
		NewFileHead: "<<<<<<< NEW_FILE", NewFileEnd: ">>>>>>> NEW_FILE",
	}
	return []FormatInfo{v3, anchored, diff, fenced, diff.forEditor(), fenced.forEditor(), section}
}

// forEditor returns the variant of f whose prompt asks for edits only.
func (f FormatInfo) forEditor() FormatInfo {
	f.Name, f.Commands = "editor-"+f.Name, false
	return f
}

// DetectFormat returns the format of the first complete block in a reply, or "" if there is none.
func DetectFormat(text string) Format {
	if blocks := Parse(text, ParseOptions{}).Blocks; len(blocks) > 0 {
		return blocks[0].Format
	}
	return ""
}
