package diffhtml

import "github.com/tenon-bot/tenon/bot/view"

// row is a row of a diff side by side: places in the lines of its hunk, -1 on a side without one.
type row struct{ left, right int }

// rows pairs the lines of a hunk: a context line with itself, and of a change the removed lines with the added ones, in
// order.
func rows(lines []view.Line) []row {
	var all []row
	for i := 0; i < len(lines); {
		if lines[i].Kind == view.Context {
			all = append(all, row{i, i})
			i++
			continue
		}
		removed := i
		for i < len(lines) && lines[i].Kind == view.Removed {
			i++
		}
		added := i
		for i < len(lines) && lines[i].Kind == view.Added {
			i++
		}
		for k := range max(added-removed, i-added) {
			r := row{-1, -1}
			if removed+k < added {
				r.left = removed + k
			}
			if added+k < i {
				r.right = added + k
			}
			all = append(all, r)
		}
		if i == removed { // a line of no known kind
			i++
		}
	}
	return all
}
