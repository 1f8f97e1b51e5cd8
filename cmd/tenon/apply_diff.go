package main

import (
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"
)

// maxShown is how much of a line is shown, in bytes; the rest of a minified file's line helps nobody.
const maxShown = 500

// diff writes a unified diff of a file, with the changed words of changed lines marked.
func (p *page) diff(name, before, after string, created bool) {
	from, to := "a/"+visible(name), "b/"+visible(name)
	if created {
		from = "/dev/null"
	}
	if allCRLF(before) && allCRLF(after) { // else every line would end in \x0d
		before, after = strings.ReplaceAll(before, "\r\n", "\n"), strings.ReplaceAll(after, "\r\n", "\n")
	}
	p.line("%s", p.paint(styleBold, "--- "+from))
	p.line("%s", p.paint(styleBold, "+++ "+to))
	lines := strings.Split(udiff.Unified("", "", before, after), "\n")
	for at := 2; at < len(lines); { // two lines of header, of which the names are not escaped
		at += p.diffPart(lines[at:])
	}
	p.line("")
}

func allCRLF(text string) bool {
	return strings.Count(text, "\r\n") == strings.Count(text, "\n")
}

// diffPart writes what belongs together, a run of changed lines or one other line, and returns how many lines it took.
func (p *page) diffPart(lines []string) int {
	minus := takeMarked(lines, "-")
	plus := takeMarked(lines[len(minus):], "+")
	if len(minus)+len(plus) > 0 {
		p.changed(minus, plus)
		return len(minus) + len(plus)
	}
	switch line := lines[0]; {
	case strings.HasPrefix(line, "@@"):
		p.line("%s", p.paint(styleCyan, line))
	case strings.HasPrefix(line, `\`):
		p.line("%s", p.paint(styleDim, line))
	case line != "":
		p.line("%s", shown(line))
	}
	return 1
}

// takeMarked returns the lines at the start that have a mark, without it. "No newline at end of file" belongs to the line above.
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
		p.line("%s", p.paint(styleRed, "-")+p.words(line, styleRed, styleRedWord))
	}
	for _, line := range put {
		p.line("%s", p.paint(styleGreen, "+")+p.words(line, styleGreen, styleAddWord))
	}
}

// words paints a line, its changed words in another style. A long line is cut.
func (p *page) words(line []word, plain, marked string) string {
	var b strings.Builder
	left := maxShown
	for _, w := range joined(line) {
		style := plain
		if w.changed {
			style = marked
		}
		if len(w.text) > left {
			return b.String() + p.paint(style, visible(cut(w.text, left))) + "…"
		}
		left -= len(w.text)
		b.WriteString(p.paint(style, visible(w.text)))
	}
	return b.String()
}

// shown is a line as the terminal may have it.
func shown(line string) string {
	if len(line) > maxShown {
		return visible(cut(line, maxShown)) + "…"
	}
	return visible(line)
}

// cut shortens to n bytes at most, at the start of a character.
func cut(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
