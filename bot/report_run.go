package bot

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// runWords is what came of file operations.
func runWords(run string, c chosen, r summary) (title, body string) {
	n := count(r.Results)
	title = fmt.Sprintf("Applied %d, failed %d, skipped %d of %d %s", n.applied, n.failed, n.skipped, len(r.Results), plural(len(r.Results), "file operation"))
	head := "**" + title + "**"
	if len(r.Changed) > 0 && r.SHA != "" {
		head += fmt.Sprintf(" in %d %s", len(r.Changed), plural(len(r.Changed), "file"))
	}
	head += r.landed()
	if why := r.uncommitted(); why != "" {
		head += "\n\n" + why
	}
	foot := RunNote(run)
	if r.SHA != "" {
		foot = "`/tenon undo` takes the commit back.\n\n" + foot
	}
	patch, room := r.patchFold(bodyRoom - len(head) - len(foot))
	return title, joinSections([]string{head, operationTable(c, r, room), patch, foot})
}

// operationTable has one row per operation, numbered as in the answer that suggested it.
func operationTable(c chosen, r summary, room int) string {
	var b strings.Builder
	b.WriteString("| # | command | result |\n|--:|---|---|")
	for i, p := range c.Picks[:min(len(c.Picks), len(r.Results))] {
		line := fmt.Sprintf("\n| %d | %s | %s |", p.Number, cellCode(clip(p.Command, maxCell)), r.resultCell(r.Results[i]))
		if room -= utf8.RuneCountInString(line); room < 100 {
			break
		}
		b.WriteString(line)
	}
	return b.String()
}
