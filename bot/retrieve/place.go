package retrieve

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// relocate finds, in today's lines, the place that stood at the end of former: the line that is former's last, with most of
// those before it; of several, the nearest to line hint. It returns a line counted from 1, 0 when there is none.
func relocate(lines, former []string, hint int) int {
	best, at := 0, 0
	last := len(former) - 1
	if last < 0 {
		return 0
	}
	for i, line := range lines {
		if line != former[last] {
			continue
		}
		n := 1
		for n <= last && n <= i && lines[i-n] == former[last-n] {
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

// maxFormer is how many former lines a place is known by.
const maxFormer = 12

// reviewPlace is where a comment on the diff stands in today's lines, zero when that is gone. The lines that GitHub names
// are those of the commit that was commented on; its hunk says what stood there.
func reviewPlace(c port.Comment, lines []string) Span {
	old := Span{c.StartLine, c.Line}
	if old.From == 0 || old.From > old.To {
		old.From = old.To
	}
	former := hunkLines(c.Hunk, c.Side)
	if len(former) == 0 {
		if c.Side == "LEFT" || old.To > len(lines) || old.To == 0 {
			return Span{}
		}
		return old
	}
	at := relocate(lines, former, old.To)
	if at == 0 {
		return Span{}
	}
	return Span{max(1, at-(old.To-old.From)), at}
}

// hunkLines are the last lines of a diff's hunk as they stood on one side; the commented line is the last of all.
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

// mapLines finds today's place of lines of a former version of a file.
func mapLines(former, lines []string, old Span) Span {
	if old.From == 0 || old.To > len(former) {
		return Span{}
	}
	at := relocate(lines, former[max(0, old.To-max(maxFormer, old.To-old.From+1)):old.To], old.To)
	if at == 0 {
		return Span{}
	}
	return Span{max(1, at-(old.To-old.From)), at}
}

// linesOf are the lines of a file without their ends.
func linesOf(data []byte) []string {
	text := strings.TrimSuffix(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}
