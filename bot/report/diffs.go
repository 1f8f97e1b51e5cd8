package report

import (
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

const (
	// maxOpen is how many lines the diffs of an answer have, all of them together, if they are not folded.
	maxOpen = 15
	// foldRoom is kept for the fold around others, and for saying how many are missing, in characters.
	foldRoom = 400
)

// diffs shows what the edits changed: at once if that is short and nothing failed, else in one fold, as far as there is
// room.
func (r Summary) diffs(room int) string {
	var rows []record.Result
	lines := 0
	for _, row := range r.Results {
		if row.Status.Applied() && (row.Diff != "" || r.fileNote(row) != "") {
			rows, lines = append(rows, row), lines+strings.Count(r.diff(row), "\n")
		}
	}
	if len(rows) == 0 {
		return ""
	}
	open := lines <= maxOpen && !r.hasFailed()
	var kept []string
	left := room - foldRoom - utf8.RuneCountInString(r.elsewhere())
	for i, row := range rows {
		title, diff := "", r.diff(row)
		if i == 0 || rows[i-1].Path != row.Path || !open {
			title = r.placeLink(row, markdown.Code)
		}
		if len(r.Changed) == 1 && len(rows) == 1 { // the line above names the place
			title = ""
		}
		if len(rows) > 1 {
			title = joinDots(title, purposeText(row))
		}
		title = joinDots(title, r.fileNote(row))
		if open {
			diff = gist(diff)
		}
		if diff != "" {
			diff = markdown.Fenced("diff", diff)
		}
		text := markdown.JoinSections([]string{title, diff})
		if size(text) > left {
			break
		}
		kept, left = append(kept, text), left-size(text)
	}
	if more := len(rows) - len(kept); more > 0 && room > foldRoom {
		kept = append(kept, fmt.Sprintf("… and %d more%s", more, r.elsewhere()))
	}
	text := markdown.JoinSections(kept)
	if open || text == "" {
		return text
	}
	return markdown.Fold(r.diffsTitle(len(rows)), text)
}

// fileNote says that an edit removed or renamed its file; it is empty for other edits.
func (r Summary) fileNote(row record.Result) string {
	if r.does() != editing || row.Line > 0 && row.Diff != "" {
		return ""
	}
	return markdown.Plain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
}

// diffsTitle is the line of the fold around n diffs.
func (r Summary) diffsTitle(n int) string {
	switch {
	case r.SHA != "" && r.hasFailed():
		return "What was committed"
	case n == 1:
		return "Diff"
	}
	return english.Plural(n, "diff", "")
}

// diff returns the diff of a result: whole, where there is room for that and it is known.
func (r Summary) diff(row record.Result) string {
	if whole := row.WholeDiff(); r.whole && whole != "" {
		return whole
	}
	return row.Diff
}

// gist returns the changed lines of a diff, with the line before those that are only added.
func gist(diff string) string {
	var out []string
	before := "" // the unchanged line before a change that only adds, until something is removed
	for line := range strings.Lines(diff) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "@@"):
			before = ""
			if len(out) > 0 {
				out = append(out, " ⋮")
			}
		case strings.HasPrefix(line, "+"), strings.HasPrefix(line, "-"):
			if strings.HasPrefix(line, "+") && before != "" {
				out = append(out, before)
			}
			out, before = append(out, line), ""
		default:
			before = line
		}
	}
	return strings.Join(out, "\n")
}

// foldTitle is the line of a block's fold, in HTML: GitHub renders no Markdown there.
func foldTitle(number int, r record.Result, purpose string) string {
	path := html.EscapeString(markdown.OneLine(markdown.Clip(r.Path, markdown.MaxCell)))
	text := fmt.Sprintf("Edit %d · <code>%s</code>", number, path)
	if r.Line > 0 {
		text += fmt.Sprintf(", line %d", r.Line)
	}
	return text + " · " + purpose
}
