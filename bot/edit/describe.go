package edit

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/engine/merge"
)

// Bounds on what a result shows of a file, in lines.
const (
	// maxExcerpt is how many lines the excerpt of an overlap has, excerptContext of them around it.
	maxExcerpt     = 12
	excerptContext = 2
	// maxDescribed is how many removed or added lines an edit has.
	maxDescribed = 400
)

// describe fills a result with the change of a file from one state to another.
func describe(res *engine.Result, from, to fileState) {
	switch {
	case !to.isFile():
		res.Detail = "Removed again"
	case !from.isFile():
		res.Detail = "Brought back"
	case from.executable != to.executable && string(from.data) == string(to.data):
		res.Detail = "Its mode did not change"
	}
	if !mergeable(from.data, to.data) {
		return
	}
	if res.Edit = difference(string(from.data), string(to.data)); res.Edit != nil && to.isFile() {
		res.Line = res.Edit.Line
	}
}

// difference returns one edit that turns a text into another; nil when they are equal or the edit is too long to be
// shown.
func difference(from, to string) *engine.Edit {
	a, b := textLines(from), textLines(to)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	endA, endB := len(a), len(b)
	for endA > head && endB > head && a[endA-1] == b[endB-1] {
		endA, endB = endA-1, endB-1
	}
	if endA == endB && endA == head || endA-head > maxDescribed || endB-head > maxDescribed {
		return nil
	}
	return &engine.Edit{
		Line: head + 1, Removed: a[head:endA], Added: b[head:endB],
		ContextBefore: a[max(head-excerptContext, 0):head], ContextAfter: a[endA:min(endA+excerptContext, len(a))],
	}
}

// excerpt returns the lines from first to last with some lines around them; nil when the text has none of them.
func excerpt(text string, first, last int) *engine.Excerpt {
	lines := textLines(text)
	from := min(max(first-1-excerptContext, 0), len(lines))
	to := min(last+excerptContext, len(lines), from+maxExcerpt)
	if from >= to {
		return nil
	}
	return &engine.Excerpt{Line: from + 1, Lines: lines[from:to]}
}

// textLines returns the lines of a text without their endings.
func textLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSuffix(line, "\r")
	}
	return lines
}

func mergeable(versions ...[]byte) bool {
	return !slices.ContainsFunc(versions, func(data []byte) bool {
		return len(data) > merge.MaxBytes || slices.Contains(data, 0) || !utf8.Valid(data)
	})
}
