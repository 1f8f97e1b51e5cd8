package conflicts

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/eval/conflicts/gitmerge"
)

// marked reads a file in which git has put conflict markers. The markers name commits by their full ids, which no line
// of a file has in such a place. A line between them that looks like the marker in the middle is told from it by what
// the sides are. ok is false if the markers are not in order.
func marked(data string, m gitmerge.Merge, ours, theirs []string) (f form, ok bool) {
	lines := slices.Collect(strings.Lines(data))
	for at := 0; at < len(lines); at++ {
		if !isMarker(lines[at], "<<<<<<< "+m.Ours) {
			f.merged(lines[at : at+1])
			continue
		}
		end := slices.IndexFunc(lines[at:], func(line string) bool { return isMarker(line, ">>>>>>> "+m.Theirs) })
		if end < 0 {
			return form{}, false
		}
		between := lines[at+1 : at+end]
		middle := middleOf(between, ours, theirs)
		if middle < 0 {
			return form{}, false
		}
		f.conflict(between[:middle], between[middle+1:])
		at += end
	}
	return f, true
}

// isMarker reports whether a line is a marker, perhaps with the path that the file has in that commit.
func isMarker(line, marker string) bool {
	rest, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), marker)
	return ok && (rest == "" || rest[0] == ':')
}

// hasMarkers reports whether any of the lines is a marker above or below a conflict.
func hasMarkers(lines []string) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		return strings.HasPrefix(line, "<<<<<<< ") || strings.HasPrefix(line, ">>>>>>> ")
	})
}

// isNested reports whether git made a version of a file of a conflict, whose markers are longer.
func isNested(lines []string, m gitmerge.Merge) bool {
	return slices.ContainsFunc(lines, func(line string) bool {
		bare := strings.TrimLeft(line, "<")
		return len(line)-len(bare) > 7 && strings.HasPrefix(bare, " "+m.Ours)
	})
}

// middleOf returns where the marker in the middle of a conflict is, or -1.
func middleOf(between, ours, theirs []string) int {
	var all []int
	for i, line := range between {
		if strings.TrimRight(line, "\r\n") == "=======" {
			all = append(all, i)
		}
	}
	if len(all) == 1 {
		return all[0]
	}
	for _, i := range all {
		if has(ours, between[:i]) && has(theirs, between[i+1:]) {
			return i
		}
	}
	return -1
}

// has reports whether lines are in a file, one after the other.
func has(file, lines []string) bool {
	same := func(a, b string) bool { return strings.TrimRight(a, "\r\n") == strings.TrimRight(b, "\r\n") }
	for i := 0; i+len(lines) <= len(file); i++ {
		if slices.EqualFunc(file[i:i+len(lines)], lines, same) {
			return true
		}
	}
	return false
}
