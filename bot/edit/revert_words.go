package edit

import (
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

const (
	// maxExcerpt is how many lines of a file an overlap shows, with excerptContext around them.
	maxExcerpt     = 12
	excerptContext = 2
	// maxTold is how many lines of a change are told.
	maxTold = 400
)

// tell describes a change of a whole file.
func tell(res *engine.Result, now, want stand) {
	switch {
	case !want.file():
		res.Detail = "Removed again"
	case !now.file():
		res.Detail = "Brought back"
	case now.program != want.program && string(now.data) == string(want.data):
		res.Detail = "Its mode is as it was"
	}
	if !mergeable(now.data, want.data) {
		return
	}
	if res.Edit = difference(string(now.data), string(want.data)); res.Edit != nil && want.file() {
		res.Line = res.Edit.Line
	}
}

// difference is what turns one text into another, as one change; nil when it is too long to be told.
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
	if endA == endB && endA == head || endA-head > maxTold || endB-head > maxTold {
		return nil
	}
	return &engine.Edit{
		Line: head + 1, Removed: a[head:endA], Added: b[head:endB],
		ContextBefore: a[max(head-excerptContext, 0):head], ContextAfter: a[endA:min(endA+excerptContext, len(a))],
	}
}

// excerpt shows the lines from first to last, and some around them.
func excerpt(text string, first, last int) *engine.Excerpt {
	lines := textLines(text)
	from := min(max(first-1-excerptContext, 0), len(lines))
	to := min(last+excerptContext, len(lines), from+maxExcerpt)
	if from >= to {
		return nil
	}
	return &engine.Excerpt{Line: from + 1, Lines: lines[from:to]}
}

// textLines are the lines of a text, without their endings.
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
