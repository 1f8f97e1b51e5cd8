package main

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// page renders the result of a reply for a person: diffs, a row per block, problems, suggestions, and a summary as the
// last line.
type page struct {
	terminal.Palette
	b strings.Builder
	// warned are the files whose problems were shown.
	warned map[string]bool
}

func (p *page) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	p.b.WriteString(format + "\n")
}

// place returns the file, and the line in it if that is known.
func place(r engine.Result) string {
	if r.Line == 0 {
		return terminal.Escape(r.Path)
	}
	return fmt.Sprintf("%s:%d", terminal.Escape(r.Path), r.Line)
}

func counted(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, noun, ""))
}
