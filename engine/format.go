package engine

// FormatInfo describes a format for those who ask models to write it.
type FormatInfo struct {
	// Name is what configuration and prompts call the format.
	Name string
	// ParsesAs is the Format of the blocks that Parse finds in it. The editor formats differ in their prompts alone.
	ParsesAs Format
	// Head, Dividers and End are the marker lines of an edit, in order.
	Head     string
	Dividers []string
	End      string
	// NewFileHead and NewFileEnd are the markers of a new file, where the format has some; elsewhere a new file is an edit
	// that finds nothing.
	NewFileHead, NewFileEnd string
	// Path says where the path stands.
	Path PathPosition
	// Fenced says that a block stands in a code fence.
	Fenced bool
	// Commands says that the prompt may ask for shell commands.
	Commands bool
}

// PathPosition is where a format has its path.
type PathPosition string

// The places of a path.
const (
	PathBeforeHead  PathPosition = "the line before the head marker"
	PathBeforeFence PathPosition = "the line before the opening fence"
	PathInFence     PathPosition = "the first line inside the fence"
	PathHeader      PathPosition = "a ### File: line before the file's blocks"
)

// Formats lists the formats that Parse understands, in the order in which documents and help name them.
func Formats() []FormatInfo {
	edit := FormatInfo{Head: "<<<<<<< SEARCH", Dividers: []string{"======="}, End: ">>>>>>> REPLACE", Commands: true}
	diff, fenced, section := edit, edit, edit
	diff.Name, diff.ParsesAs, diff.Path, diff.Fenced = "diff", FormatDiff, PathBeforeFence, true
	fenced.Name, fenced.ParsesAs, fenced.Path, fenced.Fenced = "diff-fenced", FormatDiffFenced, PathInFence, true
	section.Name, section.ParsesAs, section.Path = "section", FormatSection, PathHeader
	section.NewFileHead, section.NewFileEnd = "<<<<<<< NEW_FILE", ">>>>>>> NEW_FILE"
	return []FormatInfo{
		{Name: "v3", ParsesAs: FormatV3, Head: "««« EDIT", Dividers: []string{"═══════ REPL"}, End: "»»» EDIT END",
			Path: PathBeforeHead, Commands: true},
		{Name: "anchored", ParsesAs: FormatAnchored, Head: "««« EDIT", Dividers: []string{"───────", "═══════", "───────"}, End: "»»»",
			Path: PathBeforeHead, Commands: true},
		diff,
		fenced,
		diff.forEditor(),
		fenced.forEditor(),
		section,
	}
}

// forEditor is the variant whose prompt asks for edits and nothing else.
func (f FormatInfo) forEditor() FormatInfo {
	f.Name, f.Commands = "editor-"+f.Name, false
	return f
}

// DetectFormat returns the format of the reply's first complete block, or "" if there is none.
func DetectFormat(text string) Format {
	if blocks := Parse(text, ParseOptions{}).Blocks; len(blocks) > 0 {
		return blocks[0].Format
	}
	return ""
}
