package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// maxShown is how much of a line is shown, in bytes.
const maxShown = 500

// diffs writes a diff of each file that changed, in git's form.
func (p *page) diffs(d applied) {
	renamed := d.renamed()
	for _, name := range d.changed {
		from := cmp.Or(renamed[name], name)
		switch {
		case d.before[from] == nil:
			p.diff("", name, "", string(d.after[name]))
		case d.after[name] != nil:
			p.diff(from, name, string(d.before[from]), string(d.after[name]))
		case !slices.Contains(slices.Collect(maps.Values(renamed)), name):
			p.diff(name, "", string(d.before[name]), "")
		}
	}
}

// diff writes a unified diff of a file, with the changed words of changed lines marked. The old name is empty for a new
// file, and the new name for one that was removed.
func (p *page) diff(oldName, newName, before, after string) {
	if oldName != "" && newName != "" && oldName != newName {
		p.line("%s", p.Paint(terminal.Bold, "rename from "+terminal.Escape(oldName)))
		p.line("%s", p.Paint(terminal.Bold, "rename to "+terminal.Escape(newName)))
		if before == after {
			p.line("")
			return
		}
	}
	from, to := "/dev/null", "/dev/null"
	if oldName != "" {
		from = "a/" + terminal.Escape(oldName)
	}
	if newName != "" {
		to = "b/" + terminal.Escape(newName)
	}
	if allCRLF(before) && allCRLF(after) { // otherwise every line would end in \x0d
		before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	}
	p.line("%s", p.Paint(terminal.Bold, "--- "+from))
	p.line("%s", p.Paint(terminal.Bold, "+++ "+to))
	lines := strings.Split(text.Unified(nil, before, after), "\n")
	for at := 0; at < len(lines); {
		at += p.diffPart(lines[at:])
	}
	p.line("")
}

func allCRLF(text string) bool {
	return strings.Count(text, "\r\n") == strings.Count(text, "\n")
}

// diffPart writes a sequence of changed lines, or one other line, and returns their number.
func (p *page) diffPart(lines []string) int {
	minus := takeMarked(lines, "-")
	plus := takeMarked(lines[len(minus):], "+")
	if len(minus)+len(plus) > 0 {
		p.changed(minus, plus)
		return len(minus) + len(plus)
	}
	switch line := lines[0]; {
	case strings.HasPrefix(line, "@@"):
		p.line("%s", p.Paint(terminal.Cyan, line))
	case strings.HasPrefix(line, `\`):
		p.line("%s", p.Paint(terminal.Dim, line))
	case line != "":
		p.line("%s", shown(line))
	}
	return 1
}

// takeMarked returns the lines at the start that have a mark, without the mark.
func takeMarked(lines []string, mark string) []string {
	n := 0
	for n < len(lines) && strings.HasPrefix(lines[n], mark) {
		n++
	}
	taken := make([]string, n)
	for i, line := range lines[:n] {
		taken[i] = line[1:]
	}
	return taken
}

func (p *page) changed(minus, plus []string) {
	old, put := markWords(minus, plus)
	for _, line := range old {
		p.line("%s", p.Paint(terminal.Red, "-")+p.words(line, terminal.Red, terminal.RedWord))
	}
	for _, line := range put {
		p.line("%s", p.Paint(terminal.Green, "+")+p.words(line, terminal.Green, terminal.GreenWord))
	}
}

// words returns a line with its changed words in another style. A long line is cut.
func (p *page) words(line []word, plain, marked terminal.Style) string {
	var b strings.Builder
	left := maxShown
	for _, w := range joined(line) {
		style := plain
		if w.changed {
			style = marked
		}
		if len(w.text) > left {
			return b.String() + p.Paint(style, terminal.Escape(cut(w.text, left))) + "…"
		}
		left -= len(w.text)
		b.WriteString(p.Paint(style, terminal.Escape(w.text)))
	}
	return b.String()
}

// shown returns a line for the terminal: escaped, and cut if it is long.
func shown(line string) string {
	if len(line) > maxShown {
		return terminal.Escape(cut(line, maxShown)) + "…"
	}
	return terminal.Escape(line)
}

// cut returns at most n bytes of text, up to the start of a character.
func cut(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
