package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
)

// threeWay shows the three versions of the lines of a conflict as git does in a file with merge.conflictStyle=diff3;
// empty for a result without one.
func threeWay(row record.Result) string {
	s := row.Sides
	if s == nil {
		return ""
	}
	now, before, wanted := "the file now", "as the model saw it", "the edit"
	if row.Reason == string(edit.ReasonOverlap) {
		before, wanted = "as the commit left it", "the undo"
	}
	if s.Line > 0 {
		now += ", line " + humanize.Comma(int64(s.Line))
	}
	var b strings.Builder
	side := func(mark, name string, lines []string) {
		b.WriteString(strings.TrimSpace(mark+" "+name) + "\n")
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
	}
	side("<<<<<<<", now, s.Theirs)
	side("|||||||", before, s.Base)
	side("=======", "", s.Ours)
	fmt.Fprintf(&b, ">>>>>>> %s\n", wanted)
	return "Both sides, with the lines as they were between them:\n\n" +
		markdown.Fenced("text", markdown.Clip(b.String(), maxNearest))
}
