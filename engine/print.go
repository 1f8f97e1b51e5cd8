package engine

import (
	"slices"
	"strings"
)

// Print writes blocks as a reply that Parse reads as the same blocks: the same paths, halves and formats. If the
// content of a block has markers of its format itself, the block is written as FormatDiff with longer markers. Lines
// must not contain a line feed, nor a path anything that Parse takes for decoration.
func Print(blocks []Block) string {
	var out printer
	for i, b := range blocks {
		if i > 0 {
			out.line("")
		}
		out.block(b)
	}
	return out.text.String()
}

type printer struct{ text strings.Builder }

func (p *printer) line(s string) {
	p.text.WriteString(s)
	p.text.WriteByte('\n')
}

func (p *printer) lines(lines []string) {
	for _, line := range lines {
		p.line(line)
	}
}

func (p *printer) block(b Block) {
	switch {
	case b.Format == FormatV3 && !containsMarker(b, editHead, editEnd, replDivider, thinBar):
		p.v3(b)
	case b.Format == FormatAnchored && !containsMarker(b, editHead, editEnd, bareEnd, replDivider, thinBar, thickBar):
		p.anchored(b)
	case b.Format == FormatSection:
		p.section(b)
	default:
		p.diff(b)
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
	p.line("### File: " + pathLine(b.Path))
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

func (p *printer) diff(b Block) {
	fence := strings.Repeat("`", unusedFence(b))
	if b.Format == FormatDiffFenced {
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

// pathLine writes a path so that it is read as itself: in backticks if necessary. A path may begin like a fence.
func pathLine(path string) string {
	_, fence := fenceOf(path, "")
	if r := readPathLine(path, true); r.confidence == certain && r.path == path && !fence {
		return path
	}
	if strings.Contains(path, "`") {
		return "`` " + path + " ``"
	}
	return "`" + path + "`"
}

// containsMarker reports whether a line of the content is a marker of one of the kinds.
func containsMarker(b Block, kinds ...markerKind) bool {
	found := false
	eachMarker(b, func(k markerKind, _ int) { found = found || slices.Contains(kinds, k) })
	return found
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
