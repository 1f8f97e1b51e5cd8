package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/meter"
)

// unifiedContext is how many unchanged lines a unified diff has on each side of a change.
const unifiedContext = 3

// Unified returns the hunks of a unified diff of two files, as git writes them, without the names of the files. It is
// empty if the files are the same.
func Unified(w *meter.Work, old, now string) string {
	w.SpendBytes(len(old) + len(now))
	before, after := slices.Collect(strings.Lines(old)), slices.Collect(strings.Lines(now))
	w.Spend(len(before) + len(after))
	var b strings.Builder
	write := func(mark byte, lines []string) {
		for _, s := range lines {
			b.WriteByte(mark)
			if b.WriteString(s); !strings.HasSuffix(s, "\n") {
				b.WriteString("\n\\ No newline at end of file\n")
			}
		}
	}
	for hunks := Diff(w, before, after); len(hunks) > 0; {
		n := 1
		for n < len(hunks) && hunks[n].From-hunks[n-1].To <= 2*unifiedContext {
			n++
		}
		first, last := hunks[0], hunks[n-1]
		above, below := min(first.From, unifiedContext), min(len(before)-last.To, unifiedContext)
		all := Hunk{first.From - above, last.To + below, first.NewFrom - above, last.NewTo + below}
		b.WriteString(all.Header() + "\n")
		at := all.From
		for _, h := range hunks[:n] {
			write(' ', before[at:h.From])
			write('-', before[h.From:h.To])
			write('+', after[h.NewFrom:h.NewTo])
			at = h.To
		}
		write(' ', before[at:all.To])
		hunks = hunks[n:]
	}
	return b.String()
}

// Header returns the line above the lines of a hunk in a unified diff.
func (h Hunk) Header() string {
	return fmt.Sprintf("@@ -%s +%s @@", unifiedRange(h.From, h.To), unifiedRange(h.NewFrom, h.NewTo))
}

// unifiedRange returns the lines [from,to) as a unified diff names them: by the number of the first, and how many they
// are unless it is one. No lines are at the line before.
func unifiedRange(from, to int) string {
	switch to - from {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	}
	return fmt.Sprintf("%d,%d", from+1, to-from)
}
