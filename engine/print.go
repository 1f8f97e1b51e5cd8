package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Print writes blocks as a reply that Parse reads as the same blocks: the same paths and halves, and the same formats
// unless the content of a block has markers of its own format, which is then written as FormatDiff with longer markers.
// The error wraps ErrUnprintable and names the file of a block that no format can express: one with a line feed in a
// line, or with a path that Parse takes for something else.
func Print(blocks []Block) (string, error) {
	var out printer
	for i, b := range blocks {
		if i > 0 {
			out.line("")
		}
		if err := out.block(b); err != nil {
			return "", err
		}
	}
	text := out.text.String()
	if !readsBack(text, blocks) {
		return "", fmt.Errorf("%w: next to each other, the blocks read back as others", ErrUnprintable)
	}
	return text, nil
}

// ErrUnprintable is wrapped by the error of Print.
var ErrUnprintable = errors.New("the block cannot be printed")

// readsBack reports whether a reply has exactly the given blocks, and no problems.
func readsBack(text string, blocks []Block) bool {
	reply := Parse(text, ParseOptions{})
	return len(reply.Problems) == 0 && slices.EqualFunc(reply.Blocks, blocks, sameBlock)
}

// sameBlock reports whether two blocks have the same path and the same halves.
func sameBlock(a, b Block) bool {
	return a.Path == b.Path && a.Create == b.Create && len(a.Splits) == 0 &&
		slices.Equal(a.Find, b.Find) && slices.Equal(a.Replace, b.Replace)
}

type printer struct{ text strings.Builder }

func (p *printer) line(s string) {
	p.text.WriteString(s)
	p.text.WriteByte('\n')
}

// lines writes lines of content. One that ends with a carriage return gets another, since Parse takes one for a part of
// the line ending.
func (p *printer) lines(lines []string) {
	for _, line := range lines {
		if strings.HasSuffix(line, "\r") {
			line += "\r"
		}
		p.line(line)
	}
}

// block writes a block in its own format or, if that does not read back, in the first that does.
func (p *printer) block(b Block) error {
	for _, format := range []Format{b.Format, FormatDiff} {
		var own printer
		own.blockAs(format, b)
		if readsBack(own.text.String(), []Block{b}) {
			p.text.WriteString(own.text.String())
			return nil
		}
	}
	return fmt.Errorf("%w: no format expresses that of %q", ErrUnprintable, b.Path)
}

func (p *printer) blockAs(format Format, b Block) {
	switch format {
	case FormatV3:
		p.v3(b)
	case FormatAnchored:
		p.anchored(b)
	case FormatSection:
		p.section(b)
	default:
		p.diff(format, b)
	}
}

func (p *printer) v3(b Block) {
	p.line(pathLine(b.Path))
	p.line("««« EDIT")
	p.lines(b.Find)
	p.line("═══════ REPL")
	p.lines(b.Replace)
	p.line("»»» EDIT END")
}

func (p *printer) anchored(b Block) {
	p.line(pathLine(b.Path))
	p.line("««« EDIT")
	p.lines(b.Anchor)
	p.line("───────")
	p.lines(b.Old)
	p.line("═══════")
	p.lines(b.New)
	p.line("───────")
	p.lines(b.Tail)
	p.line("»»»")
}

func (p *printer) section(b Block) {
	p.line("### File: " + strings.TrimPrefix(pathLine(b.Path), "File: "))
	p.line("")
	if b.Create && len(b.Find) == 0 {
		run := unusedRun(b)
		p.line(strings.Repeat("<", run) + " NEW_FILE")
		p.lines(b.Replace)
		p.line(strings.Repeat(">", run) + " NEW_FILE")
		return
	}
	p.searchReplace(b)
}

func (p *printer) diff(format Format, b Block) {
	fence := strings.Repeat("`", unusedFence(b))
	if format == FormatDiffFenced {
		p.line(fence)
		p.line(pathLine(b.Path))
	} else {
		p.line(pathLine(b.Path))
		p.line(fence)
	}
	p.searchReplace(b)
	p.line(fence)
}

func (p *printer) searchReplace(b Block) {
	run := unusedRun(b)
	p.line(strings.Repeat("<", run) + " SEARCH")
	p.lines(b.Find)
	p.line(strings.Repeat("=", run))
	p.lines(b.Replace)
	p.line(strings.Repeat(">", run) + " REPLACE")
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

// unusedRun returns the usual length of markers, or the next one that no marker in the content has.
func unusedRun(b Block) int {
	taken := map[int]bool{}
	eachMarker(b, func(_ markerKind, run int) { taken[run] = true })
	run := 7
	for taken[run] {
		run++
	}
	return run
}

// unusedFence returns the length of a fence that is longer than every fence in the content.
func unusedFence(b Block) int {
	longest := 2
	eachLine(b, func(s string) {
		if f, ok := fenceOf(s, ""); ok && f.tag == "" {
			longest = max(longest, len(f.mark))
		}
	})
	return longest + 1
}

func eachMarker(b Block, f func(k markerKind, run int)) {
	eachLine(b, func(s string) {
		if k, run := markerOf(s); k != noMarker {
			f(k, run)
		}
	})
}

// eachLine calls f for the trimmed lines of both halves, except blank ones.
func eachLine(b Block, f func(string)) {
	for _, half := range [][]string{b.Find, b.Replace} {
		for _, line := range half {
			if s := trimSpace(line); s != "" {
				f(s)
			}
		}
	}
}
