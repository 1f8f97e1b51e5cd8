package explain

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/block"
	"github.com/tenon-bot/tenon/engine/text"
)

// maxExcerpt is how many lines an Excerpt has.
const maxExcerpt = 20

// Excerpt returns the lines of the file from start on, counted from 0, where find would match, or those around the
// first difference if that is further down. The difference is nil if find is there, apart from blank lines around it.
func Excerpt(t *text.Text, find []string, start int) (*block.Excerpt, *block.Difference) {
	differ, have := 0, ""
	for ; differ < len(find); differ++ {
		have = ""
		if n := start + differ; n < 0 || n >= len(t.Lines()) {
			break
		} else if have = t.Lines()[n]; have != find[differ] {
			break
		}
	}
	shown := differ
	if differ == len(find) {
		shown = 0
	}
	from := max(start, start+shown-maxExcerpt/2, 0)
	to := max(min(start+len(find), from+maxExcerpt, len(t.Lines())), from)
	e := &block.Excerpt{Line: from + 1}
	for _, l := range t.Lines()[min(from, len(t.Lines())):to] {
		e.Lines = append(e.Lines, strings.Clone(l))
	}
	if differ == len(find) {
		return e, nil
	}
	return e, &block.Difference{Line: max(start+differ, 0) + 1, Want: find[differ], Have: have}
}
