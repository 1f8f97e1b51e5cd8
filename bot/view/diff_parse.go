package view

import (
	"regexp"
	"strconv"
	"strings"
)

// hunkHead matches the head of a hunk of a unified diff.
var hunkHead = regexp.MustCompile(`^@@ -(\d{1,9})(?:,\d+)? \+(\d{1,9})(?:,\d+)? @@`)

// ParseDiff reads the hunks of a unified diff without names of files, as a record has it. Without a head, lines have no
// numbers. A line that is none of a diff says how many were left out. What a reader would not see is spelled out.
func ParseDiff(text string) (d Diff) {
	if text == "" {
		return d
	}
	oldLine, newLine := 0, 0
	for line := range strings.SplitSeq(strings.TrimSuffix(text, "\n"), "\n") {
		if m := hunkHead.FindStringSubmatch(line); m != nil {
			oldLine, _ = strconv.Atoi(m[1])
			newLine, _ = strconv.Atoi(m[2])
			d.Hunks = append(d.Hunks, Hunk{Old: oldLine, New: newLine})
			continue
		}
		if len(d.Hunks) == 0 {
			d.Hunks = append(d.Hunks, Hunk{})
		}
		h := &d.Hunks[len(d.Hunks)-1]
		if line == "" || !strings.ContainsAny(line[:1], " +-") {
			d.Cut = d.Cut || line != ""
			continue
		}
		l := Line{Kind: LineKind(line[:1]), Text: plain(line[1:])}
		if l.Kind != Added && oldLine > 0 {
			l.Old = oldLine
			oldLine++
		}
		if l.Kind != Removed && newLine > 0 {
			l.New = newLine
			newLine++
		}
		switch l.Kind {
		case Added:
			d.Added++
		case Removed:
			d.Removed++
		}
		h.Lines = append(h.Lines, l)
	}
	d.Mark()
	return d
}

// shift moves the numbers of the new side by some lines.
func (d Diff) shift(lines int) {
	for i := range d.Hunks {
		d.Hunks[i].New += lines
		for j := range d.Hunks[i].Lines {
			if l := &d.Hunks[i].Lines[j]; l.New > 0 {
				l.New += lines
			}
		}
	}
}

// added returns the first and the last line of the new side that is added; 0 if there is none, or if lines have no
// numbers.
func (d Diff) added() (first, last int) {
	for _, h := range d.Hunks {
		for _, l := range h.Lines {
			if l.Kind == Added && l.New > 0 {
				last = l.New
				if first == 0 {
					first = l.New
				}
			}
		}
	}
	return first, last
}
