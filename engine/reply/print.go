package reply

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
)

// Print writes blocks as a reply that Parse reads as the same blocks: the same paths and halves, and the same formats
// unless the content of a block has markers of its own format, which is then written as FormatDiff with longer markers.
// A block whose halves begin and end inside a line is written as FormatJSON, and so is a whole file beside other
// blocks.
// The error wraps ErrUnprintable and names the file of a block that no format can express: one with a line feed in a
// line, or with a path that Parse takes for something else.
func Print(blocks []block.Block) (string, error) {
	printed := make([]string, len(blocks))
	for i, b := range blocks {
		ways := waysToPrint(b)
		if b.Whole && slices.ContainsFunc(blocks, func(b block.Block) bool { return !b.Whole }) {
			ways = ways[1:] // beside others, a code block with a path is an example
		}
		if !slices.ContainsFunc(ways, func(write func(block.Block) string) bool {
			printed[i] = write(b)
			return readsBack(printed[i], b)
		}) {
			return "", fmt.Errorf("%w: no format expresses that of %q", ErrUnprintable, b.Path)
		}
	}
	text := strings.Join(printed, "\n")
	if !readsBack(text, blocks...) {
		return "", fmt.Errorf("%w: next to each other, the blocks read back as others", ErrUnprintable)
	}
	return text, nil
}

// ErrUnprintable is wrapped by the error of Print.
var ErrUnprintable = errors.New("the block cannot be printed")

// readsBack reports whether a reply has exactly the given blocks, and no problems.
func readsBack(text string, blocks ...block.Block) bool {
	read := Parse(text, Options{})
	return len(read.Problems) == 0 && slices.EqualFunc(read.Blocks, blocks, func(a, b block.Block) bool {
		return a.Path == b.Path && a.Create == b.Create && len(a.Splits) == 0 &&
			a.Whole == b.Whole && a.Complete == b.Complete && a.Labelled == b.Labelled && a.Remove == b.Remove &&
			a.MoveTo == b.MoveTo && a.Within == b.Within && a.All == b.All && a.Ending == b.Ending &&
			slices.Equal(a.Find, b.Find) && slices.Equal(a.Replace, b.Replace)
	})
}

// printAs writes a block in a format.
func printAs(format block.Format, b block.Block) string {
	formats := Formats()
	f := formats[max(0, slices.IndexFunc(formats, func(f FormatInfo) bool { return f.ParsesAs == format }))]
	markers, parts := slices.Concat([]string{f.Head}, f.Dividers, []string{f.End}), [][]string{b.Find, b.Replace}
	switch {
	case format == block.FormatAnchored:
		parts = [][]string{b.Anchor, b.Old, b.New, b.Tail}
	case f.NewFileHead != "" && b.Create && len(b.Find) == 0:
		markers, parts = []string{f.NewFileHead, f.NewFileEnd}, parts[1:]
	}

	path, fence := pathLine(b.Path), strings.Repeat("`", max(3, longestRun(b, "`")+1))
	lines := []string{path}
	switch f.Path {
	case PathBeforeFence:
		lines = []string{path, fence}
	case PathInFence:
		lines = []string{fence, path}
	case PathHeader:
		lines = []string{"### File: " + strings.TrimPrefix(path, "File: "), ""}
	}
	longer := ""
	for n, marker := range markers {
		if strings.HasPrefix(f.Head, "<") { // longer than the markers in the content
			longer = strings.Repeat(marker[:1], max(0, longestRun(b, "<=>")-6))
		}
		lines = append(lines, longer+marker)
		if n < len(parts) {
			lines = append(lines, prefixed("", parts[n])...)
		}
	}
	if f.Fenced {
		lines = append(lines, fence)
	}
	return strings.Join(lines, "\n") + "\n"
}

// pathLine writes a path so that it is read as itself: in backticks if necessary, or else after a word that says that
// it is one. A path may begin like a fence.
func pathLine(path string) string {
	_, fence := fenceOf(path, "")
	quoted := "`" + path + "`"
	for _, s := range []string{path, quoted, "`` " + path + " ``"} {
		if r := readPathLine(s, true); r.confidence == certain && r.path == path && (s != path || !fence) {
			return s
		}
	}
	return "File: " + quoted
}

// longestRun returns the length of the longest run of one of the given characters that begins a line of a block.
func longestRun(b block.Block, signs string) int {
	longest := 0
	for _, line := range slices.Concat(b.Find, b.Replace) {
		if s := strings.TrimSpace(line); s != "" && strings.IndexByte(signs, s[0]) >= 0 {
			n, _ := cutRun(s, s[:1])
			longest = max(longest, n)
		}
	}
	return longest
}
