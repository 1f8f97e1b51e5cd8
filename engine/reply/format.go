package reply

import "github.com/tenon-bot/tenon/engine/block"

// FormatInfo describes a format to programs that ask a model to write it.
type FormatInfo struct {
	// Name is the name of the format in configuration and prompts.
	Name string
	// ParsesAs is the Format of the blocks that Parse returns for it. Formats whose names begin with "editor-" are
	// written like those without; they are for prompts that ask for edits only.
	ParsesAs block.Format
	// Head, Dividers and End are the marker lines of a block, in order; empty in a format without. Those of a patch are
	// around all its changes.
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
	PathInHeader    PathPosition = "the lines before the file's changes"
)

// Formats returns the formats that a model can be asked for, in the order in which documentation and help name them.
// Parse reads calls of editors' tools besides, as block.FormatXML and block.FormatJSON.
func Formats() []FormatInfo {
	v3 := FormatInfo{
		Name: "v3", ParsesAs: block.FormatV3, Path: PathBeforeHead, Commands: true,
		Head: "««« EDIT", Dividers: []string{"═══════ REPL"}, End: "»»» EDIT END",
	}
	anchored := FormatInfo{
		Name: "anchored", ParsesAs: block.FormatAnchored, Path: PathBeforeHead, Commands: true,
		Head: "««« EDIT", Dividers: []string{"───────", "═══════", "───────"}, End: "»»»",
	}
	diff := FormatInfo{
		Name: "diff", ParsesAs: block.FormatDiff, Path: PathBeforeFence, Fenced: true, Commands: true,
		Head: "<<<<<<< SEARCH", Dividers: []string{"======="}, End: ">>>>>>> REPLACE",
	}
	fenced := diff
	fenced.Name, fenced.ParsesAs, fenced.Path = "diff-fenced", block.FormatDiffFenced, PathInFence
	section := FormatInfo{
		Name: "section", ParsesAs: block.FormatSection, Path: PathHeader, Commands: true,
		Head: "<<<<<<< SEARCH", Dividers: []string{"======="}, End: ">>>>>>> REPLACE",
		NewFileHead: "<<<<<<< NEW_FILE", NewFileEnd: ">>>>>>> NEW_FILE",
	}
	unified := FormatInfo{Name: "udiff", ParsesAs: block.FormatUnified, Path: PathInHeader, Fenced: true, Commands: true}
	patch := FormatInfo{
		Name: "patch", ParsesAs: block.FormatPatch, Path: PathInHeader, Commands: true,
		Head: "*** Begin Patch", End: "*** End Patch",
	}
	whole := FormatInfo{
		Name: "whole", ParsesAs: block.FormatWhole, Path: PathBeforeFence, Fenced: true, Commands: true,
	}
	return []FormatInfo{
		v3, anchored, diff, fenced, diff.forEditor(), fenced.forEditor(), section, unified, patch, whole,
	}
}

// forEditor returns the variant of f whose prompt asks for edits only.
func (f FormatInfo) forEditor() FormatInfo {
	f.Name, f.Commands = "editor-"+f.Name, false
	return f
}

// DetectFormat returns the format of the first complete block in a reply, or "" if there is none.
func DetectFormat(text string) block.Format {
	if blocks := Parse(text, Options{}).Blocks; len(blocks) > 0 {
		return blocks[0].Format
	}
	return ""
}
