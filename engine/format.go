package engine

// Format is the syntax in which a block is written.
type Format string

// The formats of a block. The editor formats are written like FormatDiff and FormatDiffFenced and parsed as those.
const (
	FormatV3         Format = "v3"
	FormatAnchored   Format = "anchored"
	FormatDiff       Format = "diff"
	FormatDiffFenced Format = "diff-fenced"
	FormatSection    Format = "section"
)

// FormatInfo describes a format to those who ask a model to write it.
type FormatInfo struct {
	// Name is the name of the format in configuration and prompts.
	Name string
	// ParsesAs is the Format of the blocks that Parse returns for it. The editor formats differ only in their
	// prompts.
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
	// Commands is set if the prompt may ask for shell commands.
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
