// Package block has the values that the other packages of the edit engine exchange: what a reply contains, how well a
// block matches, why it does not, and what it changes. It is pure.
package block

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
	// Raw is the text of the block in the reply, from head marker to end marker.
	Raw string
	// Line and EndLine are the lines of the head and the end marker in the reply.
	Line, EndLine int
}

// Split is one way to split a block in halves.
type Split struct{ Find, Replace []string }
