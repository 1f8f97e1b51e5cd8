package retrieve

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// relocate returns where the last of the former lines is now, a number from 1, or 0 if it is gone: the line before
// which most of the other former lines are, and of several such lines the nearest to hint.
func relocate(now, former []string, hint int) int {
	best, at := 0, 0
	last := len(former) - 1
	if last < 0 {
		return 0
	}
	for i, line := range now {
		if line != former[last] {
			continue
		}
		n := 1
		for n <= last && n <= i && now[i-n] == former[last-n] {
			n++
		}
		if n > best || n == best && max(i+1-hint, hint-i-1) < max(at-hint, hint-at) {
			best, at = n, i+1
		}
	}
	if best == 1 && strings.TrimSpace(former[last]) == "" {
		return 0
	}
	return at
}

// maxFormer is how many former lines are looked for.
const maxFormer = 12

// movedLines returns where lines of a former version of a file are now, zero if they are gone.
func movedLines(former, now []string, lines Span) Span {
	if lines.From == 0 || lines.To > len(former) {
		return Span{}
	}
	from := max(0, lines.To-max(maxFormer, lines.To-lines.From+1))
	return endingAt(relocate(now, former[from:lines.To], lines.To), lines)
}

// reviewLines returns where the lines that a comment on the diff is about are now, zero if they are gone. The numbers
// that GitHub gives are those of the commit that was commented on; its hunk has the lines themselves.
func reviewLines(c port.Comment, now []string) Span {
	lines := Span{c.StartLine, c.Line}
	if lines.From == 0 || lines.From > lines.To {
		lines.From = lines.To
	}
	former := hunkLines(c.Hunk, c.Side)
	if len(former) == 0 {
		if c.Side == "LEFT" || lines.To > len(now) || lines.To == 0 {
			return Span{}
		}
		return lines
	}
	return endingAt(relocate(now, former, lines.To), lines)
}

// endingAt returns as many lines as there are in a span, ending at a line; zero if there is no such line.
func endingAt(last int, lines Span) Span {
	if last == 0 {
		return Span{}
	}
	return Span{max(1, last-(lines.To-lines.From)), last}
}

// hunkLines returns the last lines of a hunk as they are on one side of the diff. The last of all is commented on.
func hunkLines(hunk, side string) (out []string) {
	skip := byte('-')
	if side == "LEFT" {
		skip = '+'
	}
	for line := range strings.SplitSeq(hunk, "\n") {
		line = strings.TrimSuffix(line, "\r")
		if line == "" || line[0] == '@' || line[0] == '\\' || line[0] == skip {
			continue
		}
		out = append(out, line[1:])
	}
	return out[max(0, len(out)-maxFormer):]
}

// linesOf returns the lines of a file, without what ends them.
func linesOf(data []byte) []string {
	text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
