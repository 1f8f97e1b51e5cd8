// Package block has the values that the other packages of the edit engine exchange: what a reply contains, how well a
// block matches, why it does not, and what it changes. It is pure.
package block

import "github.com/tenon-bot/tenon/engine/text"

// Block is one edit as the reply states it: in the file named by Path, the lines Find become the lines Replace.
//
// Lines have no line ending. Neither Parse nor Apply keeps or modifies a Block after returning it.
type Block struct {
	// Path is the likeliest path, without decoration, as the reply wrote it. It is never empty in a Reply. It is used
	// when the tree has a file for none of the Candidates.
	Path string
	// Candidates are all readings of the path, including Path, in the order in which to look them up in the tree: the
	// first that exists is used. Some are valid only if they exist, such as a single word that may be prose.
	Candidates []string
	Format     Format
	// Purpose is the line of prose before the block that says what it is for, as Markdown of at most 200 characters;
	// empty if there is none. It is not part of the Prose of the Reply.
	Purpose string
	// Find and Replace are the two halves of the block, split at the likeliest divider.
	Find, Replace []string
	// Anchor is the common prefix of Find and Replace; Old and New are what follows it, without Tail. Tail is the
	// trailing anchor of an anchored block and nil in other formats. Find = Anchor + Old + Tail and Replace = Anchor
	// + New + Tail.
	Anchor, Old, New, Tail []string
	// Splits are all the ways to split the block in halves, if more than one line could be its divider; otherwise
	// nil. Find and Replace equal one of them. Apply picks the one that matches the file.
	Splits []Split
	// Create is set if the block creates a file: Find is empty or blank, or the block is a NEW_FILE.
	Create bool
	// Whole is set if Replace is the whole content of the file, which is created or replaced; Find is empty.
	Whole bool
	// Complete is set if the reply says that Replace is the whole file, so that it may be much shorter than the file is.
	Complete bool
	// Labelled is set if the first line of a whole file is a comment with its path, which is no part of the file unless
	// the file has it already.
	Labelled bool
	// Remove is set if the block removes the file. Find are the lines of the file, or empty if the reply has none.
	Remove bool
	// MoveTo is the path that the file is renamed to after the edit, or empty. A block that only renames has no lines.
	MoveTo string
	// Within is set if Find and Replace may begin and end inside a line, as a text to replace in an editor does.
	Within bool
	// All is set if the block edits all places that match, however many.
	All bool
	// At is the line of Find[0] in the file that the model saw, as the reply states it; 0 if it states none. It counts
	// only where the lines alone fit at several places, and one of these is there.
	At int
	// Scope are the lines above the place, outermost first, that name what contains it, such as "class Cart:". They
	// count only where the lines alone fit at several places.
	Scope []string
	// Ending is what the block says of the line ending after the last line of Replace, if that is the last of the file.
	Ending Ending
	// Hunk are the lines of a hunk of a diff as written, with their prefixes. Models leave out the space before a line of
	// context, which shows only by the lines of the file.
	Hunk []string
	// Raw is the text of the block in the reply, from head marker to end marker.
	Raw string
	// Line and EndLine are the lines of the head and the end marker in the reply.
	Line, EndLine int
}

// SetHalves sets Find and Replace, and Anchor, Old and New to their parts.
func SetHalves(b *Block, find, replace []string) {
	b.Find, b.Replace = find, replace
	same := text.CommonPrefix(find, replace)
	b.Anchor, b.Old, b.New = find[:same:same], find[same:], replace[same:]
}

// Ending is what a block says of the line ending at the end of the file.
type Ending int

// The endings. Without one, a last line that the block changes or adds gets a line ending, and others stay as they are.
const (
	EndingKept Ending = iota
	Ended             // the file ends with a line ending
	Unended           // the file ends without one
)

// Split is one way to split a block in halves.
type Split struct{ Find, Replace []string }
