package report

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/secret"
)

const (
	// tableShare is the part of the room that rows may take before there is any for folds, in percent.
	tableShare = 60
	// maxRows is how many rows are shown at once; of more, those of applied blocks are folded.
	maxRows = 20
)

// table has a row for each block, as many as fit, and says how many more there are. It returns the room that is left.
func (r Summary) table(room int) (string, int) {
	if len(r.Results) == 0 {
		return "", room
	}
	var shown, folded []string
	for i, row := range r.Results {
		line := fmt.Sprintf("| %d | %s | %s |", row.NumberAt(i), r.placeLink(row, markdown.CellCode), r.resultCell(row))
		if len(r.Results) > maxRows && row.Status.Applied() {
			folded = append(folded, line)
		} else {
			shown = append(shown, line)
		}
	}
	share := room * tableShare / 100
	text := r.rows(shown, share)
	if len(folded) > 0 {
		title := fmt.Sprintf("The %d edits that were applied", len(folded))
		if r.SHA == "" {
			title = fmt.Sprintf("The %d edits that fit", len(folded))
		}
		fold := markdown.Fold(title, r.rows(folded, share-utf8.RuneCountInString(text)-foldRoom))
		text = markdown.JoinSections([]string{text, fold})
	}
	return text, room - size(text)
}

// rows is a table of as many rows as fit into room.
func (r Summary) rows(lines []string, room int) string {
	if len(lines) == 0 {
		return ""
	}
	text := "| # | file | result |\n|--:|---|---|"
	more := func(n int) string { return fmt.Sprintf("\n\n… and %d more%s", n, r.elsewhere()) }
	room -= utf8.RuneCountInString(text + more(len(lines)))
	for i, line := range lines {
		if room -= utf8.RuneCountInString(line) + len("\n"); room < 0 {
			return text + more(len(lines)-i)
		}
		text += "\n" + line
	}
	return text
}

// placeLink names the file and line of a block, which code shows, with a link to it: at the new commit, or for a block
// that was not applied, at the commit it was tried on if there is no new one.
func (r Summary) placeLink(row record.Result, code func(string) string) string {
	name := markdown.Clip(secret.Path(row.Path), markdown.MaxCell)
	if row.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, row.Line)
	}
	sha := r.SHA
	if !row.Status.Applied() {
		sha = cmp.Or(r.SHA, r.Base)
	}
	if sha == "" || row.Line == 0 {
		return code(name)
	}
	return fileLink(code(name), r.Links, sha, row.Path, row.Line)
}

func (r Summary) resultCell(row record.Result) string {
	text := r.badge(row.Status)
	if w := warning(row); w != "" {
		text += " " + strings.ReplaceAll(w, "|", `\|`)
	}
	if m := marks(row); m != "" {
		text += " " + strings.ReplaceAll(m, "|", `\|`)
	}
	if row.Detail != "" {
		text += ": " + markdown.CellPlain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
	}
	return text
}

// marks says, as Markdown, what of an applied block a reader does not see.
func marks(row record.Result) string {
	if len(row.Marks) == 0 {
		return ""
	}
	return "⚠️ " + markdown.Plain(markdown.Clip(strings.Join(row.Marks, "; "), markdown.MaxCell), row.Path)
}

func (r Summary) badge(status record.Status) string {
	switch {
	case status.Failed():
		return "❌ failed"
	case status.Skipped():
		return "⏭️ skipped"
	case r.SHA == "":
		return "✅ fits"
	}
	return "✅ applied"
}
