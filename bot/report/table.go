package report

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// tableShare is the part of the room that rows may take before there is any for folds, in percent.
const tableShare = 60

// maxRows is how many rows are shown at once; of more, those of applied blocks are folded away.
const maxRows = 20

// table has one row per block, as many as fit, and says how many more there are. It returns the room that is left.
func (r Summary) table(room int) (string, int) {
	if len(r.Results) == 0 {
		return "", room
	}
	var first, folded []string
	for i, row := range r.Results {
		line := fmt.Sprintf("| %d | %s | %s |", row.NumberAt(i), r.fileCell(row), r.resultCell(row))
		if len(r.Results) > maxRows && row.Status == engine.Applied.String() {
			folded = append(folded, line)
		} else {
			first = append(first, line)
		}
	}
	share := room * tableShare / 100
	text := r.rows(first, share)
	if len(folded) > 0 {
		title := fmt.Sprintf("The %d edits that were applied", len(folded))
		if r.SHA == "" {
			title = fmt.Sprintf("The %d edits that fit", len(folded))
		}
		text = markdown.JoinSections([]string{text, markdown.Fold(title, r.rows(folded, share-utf8.RuneCountInString(text)-foldRoom))})
	}
	return text, room - utf8.RuneCountInString(text) - len("\n\n")
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

// fileCell names the file and line, with a link to where it stands: at the new commit, or where a block failed and there is
// none, at the commit that it was tried on.
func (r Summary) fileCell(row record.Result) string { return r.placeLink(row, markdown.CellCode) }

func (r Summary) placeLink(row record.Result, code func(string) string) string {
	name := markdown.Clip(row.Path, markdown.MaxCell)
	if row.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, row.Line)
	}
	cell := code(name)
	sha := r.SHA
	if row.Status != engine.Applied.String() {
		sha = cmp.Or(r.SHA, r.Base)
	}
	if sha == "" || row.Line == 0 {
		return cell
	}
	return blobLink(cell, r.RepoURL, sha, row.Path, row.Line)
}

// escapePath makes a path safe in a Markdown link: nothing in it can end the link.
func escapePath(name string) string {
	parts := strings.Split(name, "/")
	for i, p := range parts {
		parts[i] = strings.NewReplacer("(", "%28", ")", "%29", "'", "%27", "|", "%7C").Replace(url.PathEscape(p))
	}
	return strings.Join(parts, "/")
}

func (r Summary) resultCell(row record.Result) string {
	text := r.badge(row.Status)
	if row.Detail != "" {
		text += ": " + markdown.CellPlain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
	}
	return text
}

func (r Summary) badge(status string) string {
	switch {
	case status == engine.Failed.String():
		return "❌ failed"
	case status != engine.Applied.String():
		return "⏭️ skipped"
	case r.SHA == "":
		return "✅ fits"
	}
	return "✅ applied"
}
