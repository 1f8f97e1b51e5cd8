package bot

import (
	"cmp"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine"
)

// tableShare is the part of the room that rows may take before there is any for folds, in percent.
const tableShare = 60

// table has one row per block, as many as fit, and says how many more there are. It returns the room that is left.
func (r summary) table(room int) (string, int) {
	if len(r.Results) == 0 {
		return "", room
	}
	text := "| # | file | result |\n|--:|---|---|"
	more := func(n int) string { return fmt.Sprintf("\n\n… and %d more%s", n, r.elsewhere()) }
	left := room*tableShare/100 - utf8.RuneCountInString(text+more(len(r.Results)))
	for i, row := range r.Results {
		line := fmt.Sprintf("\n| %d | %s | %s |", i+1, r.fileCell(row), resultCell(row))
		n := utf8.RuneCountInString(line)
		if left -= n; left < 0 {
			text += more(len(r.Results) - i)
			break
		}
		text += line
	}
	return text, room - utf8.RuneCountInString(text) - len("\n\n")
}

// fileCell names the file and line, with a link to where it stands: at the new commit, or where a block failed and there is
// none, at the commit that it was tried on.
func (r summary) fileCell(row row) string {
	name := clip(row.Path, maxCell)
	if row.Line > 0 {
		name = fmt.Sprintf("%s:%d", name, row.Line)
	}
	cell := cellCode(name)
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

func resultCell(r row) string {
	text := badge(r.Status)
	if r.Detail != "" {
		text += ": " + cellPlain(clip(r.Detail, maxCell), r.Path)
	}
	return text
}

func badge(status string) string {
	switch status {
	case engine.Applied.String():
		return "✅ applied"
	case engine.Failed.String():
		return "❌ failed"
	}
	return "⏭️ skipped"
}
