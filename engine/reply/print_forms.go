package reply

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// waysToPrint returns the functions that may write a block, best first.
func waysToPrint(b block.Block) []func(block.Block) string {
	as := func(format block.Format) func(block.Block) string {
		return func(b block.Block) string { return printAs(format, b) }
	}
	switch {
	case b.Within:
		return []func(block.Block) string{printJSON}
	case b.Whole:
		return []func(block.Block) string{printWhole, printJSON}
	case b.Format == block.FormatPatch:
		return []func(block.Block) string{printPatch, printUnified, as(block.FormatDiff)}
	case b.Format == block.FormatUnified, b.Remove, b.MoveTo != "", b.Ending != block.EndingKept:
		return []func(block.Block) string{printUnified, as(block.FormatDiff)}
	}
	return []func(block.Block) string{as(b.Format), as(block.FormatDiff)}
}

// printUnified writes a block as a unified diff.
func printUnified(b block.Block) string {
	fence := strings.Repeat("`", max(3, longestRun(b, "`")+1))
	lines := []string{fence + "diff"}
	from, to := "--- a/"+b.Path, "+++ b/"+b.Path
	names := "diff --git a/" + b.Path + " b/" + b.Path
	switch {
	case b.MoveTo != "":
		lines = append(lines, "diff --git a/"+b.Path+" b/"+b.MoveTo, "rename from "+b.Path, "rename to "+b.MoveTo)
	case b.Remove && len(b.Find) == 0:
		lines = append(lines, names, "deleted file mode 100644")
	case b.Remove:
		lines = append(append(lines, from, "+++ /dev/null"), hunkLines(b)...)
	case b.Create && len(b.Replace) == 0:
		lines = append(lines, names, "new file mode 100644")
	case b.Create:
		lines = append(append(lines, "--- /dev/null", to), hunkLines(b)...)
	default:
		lines = append(append(lines, from, to), hunkLines(b)...)
	}
	return strings.Join(append(lines, fence), "\n") + "\n"
}

// printPatch writes a block as a patch between *** Begin Patch and *** End Patch.
func printPatch(b block.Block) string {
	lines := []string{"*** Begin Patch"}
	switch {
	case b.Remove:
		lines = append(lines, "*** Delete File: "+b.Path)
	case b.MoveTo != "":
		lines = append(lines, "*** Update File: "+b.Path, "*** Move to: "+b.MoveTo)
	case b.Create:
		lines = append(append(lines, "*** Add File: "+b.Path), prefixed("+", b.Replace)...)
	default:
		lines = append(append(lines, "*** Update File: "+b.Path), hunkLines(b)...)
	}
	return strings.Join(append(lines, "*** End Patch"), "\n") + "\n"
}

// noEnd is the line of a diff about a line without a line ending.
const noEnd = `\ No newline at end of file`

// hunkLines writes the halves of a block as a hunk, with its header. The lines that they have in common at the start
// and at the end are context.
func hunkLines(b block.Block) (lines []string) {
	find, replace := b.Find, b.Replace
	switch {
	case b.At > 0 || b.Create || b.Remove:
		old, now := max(b.At, min(1, len(find))), max(b.At, min(1, len(replace)))
		lines = append(lines, fmt.Sprintf("@@ -%d,%d +%d,%d @@", old, len(find), now, len(replace)))
	case len(b.Scope) > 0:
		for _, s := range b.Scope {
			lines = append(lines, "@@ "+s)
		}
	default:
		lines = append(lines, "@@")
	}
	same := text.CommonPrefix(find, replace)
	if b.Ending == block.Ended { // the last line changes
		same = max(min(same, len(find)-1, len(replace)-1), 0)
	}
	end := text.CommonSuffix(find[same:], replace[same:])
	if b.Ending == block.Ended {
		end = 0
	}
	lines = append(lines, prefixed(" ", find[:same])...)
	lines = append(lines, prefixed("-", find[same:len(find)-end])...)
	if b.Ending == block.Ended {
		lines = append(lines, noEnd)
	}
	lines = append(lines, prefixed("+", replace[same:len(replace)-end])...)
	lines = append(lines, prefixed(" ", find[len(find)-end:])...)
	if b.Ending == block.Unended {
		lines = append(lines, noEnd)
	}
	return lines
}

// printWhole writes a block as a path and a code block.
func printWhole(b block.Block) string {
	var lines []string
	if b.Complete {
		lines = []string{"The complete file:", ""}
	}
	fence := strings.Repeat("`", max(3, longestRun(b, "`")+1))
	lines = append(append(lines, b.Path, fence), prefixed("", b.Replace)...)
	return strings.Join(append(lines, fence), "\n") + "\n"
}

// printJSON writes a block as an edit in JSON.
func printJSON(b block.Block) string {
	text := func(lines []string) string { return strings.Join(prefixed("", lines), "\n") }
	var edit any
	if b.Whole {
		content := text(b.Replace)
		if len(b.Replace) > 0 {
			content += "\n"
		}
		edit = struct {
			Command string `json:"command"`
			Path    string `json:"path"`
			Text    string `json:"file_text"`
		}{"create", b.Path, content}
	} else {
		edit = struct {
			Path string `json:"path"`
			Old  string `json:"old_string"`
			New  string `json:"new_string"`
			All  bool   `json:"replace_all,omitempty"`
		}{b.Path, text(b.Find), text(b.Replace), b.All}
	}
	data, err := json.Marshal(edit)
	if err != nil {
		return ""
	}
	return "```json\n" + string(data) + "\n```\n"
}

// prefixed returns lines with a prefix. A carriage return at the end of one is doubled, since Parse takes one for a
// part of the line ending.
func prefixed(prefix string, lines []string) []string {
	out := make([]string, len(lines))
	for i, s := range lines {
		if strings.HasSuffix(s, "\r") {
			s += "\r"
		}
		out[i] = prefix + s
	}
	return out
}
