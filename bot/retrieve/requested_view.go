package retrieve

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what is shown of a file that was asked for.
const (
	aroundLine = 30 // lines on either side of one that was asked for alone
	aroundUse  = 15 // lines on either side of a use of a name that the file does not define
	maxUses    = 6  // of those
)

// view is a file that was asked for, without its secrets.
type view struct {
	path, sum string
	redacted  *redactedText
	lines     []string
	// wanted are the ranges of lines that were asked for, from 0. best says that those are shown first that are most
	// likely meant, if not all fit.
	wanted  markdown.Ranges
	best    bool
	weights lexical.Weights
}

// want returns about how many bytes the wanted lines take, with the outline of a file that is too long to be shown
// whole.
func (v *view) want() int {
	n := len(v.path)
	if v.best && len(v.lines) > maxAskedLines {
		n += maxOutline
	}
	for _, r := range v.wanted {
		n += delimiterBytes + len(v.path)
		for _, line := range v.lines[r[0]:r[1]] {
			n += len(line)
		}
	}
	return n
}

// cut returns as much of some ranges of lines as fits into room, and the ranges that it has no room for.
func (v *view) cut(ranges markdown.Ranges, room int) (file prompts.File, rest markdown.Ranges) {
	file = prompts.File{Path: v.path, Lines: len(v.lines), Redacted: v.redacted.kinds}
	chosen := v.first(ranges, room)
	if v.best && (len(v.lines) > maxAskedLines || len(without(ranges, chosen)) > 0) {
		file.Outline = outlineText(v.outline(), min(maxOutline, room/outlineDivisor))
		chosen = v.likeliest(ranges, room-len(file.Outline)-delimiterBytes)
	}
	file.Parts = partsOf(v.lines, chosen)
	return file, without(ranges, chosen)
}

// outline returns what the file defines, in what is shown of it.
func (v *view) outline() []lexical.Definition {
	return v.redacted.definitions(v.path)
}

// first returns the first lines of ranges that fit into room.
func (v *view) first(ranges markdown.Ranges, room int) (out markdown.Ranges) {
	room -= len(v.path)
	for _, r := range ranges {
		room -= len(v.path) + delimiterBytes
		end := r[0]
		for end < r[1] && len(v.lines[end]) <= room {
			room -= len(v.lines[end])
			end++
		}
		if end > r[0] {
			out = append(out, [2]int{r[0], end})
		}
		if end < r[1] {
			break
		}
	}
	return out
}

// likeliest returns the pieces of ranges that match the texts best, as many as fit into room, in the file's order; the
// first lines if no piece matches.
func (v *view) likeliest(ranges markdown.Ranges, room int) markdown.Ranges {
	file := dividedFile{path: v.path, lines: v.lines, outline: v.outline(), weights: v.weights}
	best := file.best(nil, ranges, room-len(v.path))
	if len(best) == 0 {
		return v.first(ranges, room)
	}
	return best
}

// viewOf returns a file that was asked for, or why it must not be shown.
func (r *round) viewOf(name string) (*view, string) {
	if why := Withheld(r.Policy, name); why != "" {
		return nil, why
	}
	data, ok := r.read(name)
	switch {
	case !ok && r.tooLarge(name):
		return nil, "it is larger than 1 MiB"
	case !ok:
		return nil, "it cannot be read"
	case withheldText(data) != "":
		return nil, withheldText(data)
	}
	redacted, ok := r.redacted.of(name, data)
	if !ok {
		return nil, noRoom
	}
	sum := sha256.Sum256(data)
	v := &view{
		path: name, redacted: redacted, lines: splitLines(redacted.text),
		sum: hex.EncodeToString(sum[:]), weights: r.weights,
	}
	return v, ""
}
