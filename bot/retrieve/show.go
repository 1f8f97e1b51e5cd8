package retrieve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/retrieve/lexical"
	"github.com/tenon-bot/tenon/prompts"
)

// shown is what is shown of candidates, and the room that is left.
type shown struct {
	*selector
	files      []prompts.File
	candidates []*candidate // of the files
	room       int
}

// add shows a file.
func (v *shown) add(c *candidate, file prompts.File) {
	v.room -= size(file)
	v.files, v.candidates = append(v.files, file), append(v.candidates, c)
}

// fill shows further candidates, and then more of those of them that are shown in parts.
func (v *shown) fill(ctx context.Context, candidates []*candidate) error {
	first := len(v.files)
	for _, c := range candidates {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("cutting files: %w", err)
		}
		file, why := v.cut(c, v.room, allotted(c, v.room))
		switch {
		case why == "":
			v.add(c, file)
		case c.reason != bySibling:
			v.leaveOut(c.path, why)
		}
	}
	v.extend(first)
	return nil
}

// allotted returns how many bytes of a file are shown while others wait for room.
func allotted(c *candidate, room int) int {
	switch {
	case c.reason == bySibling:
		return room
	case len(c.lines) == 0:
		return room * 6 / 10
	}
	return room / 2
}

// extend shows more of the files from the first one on that are shown in parts, the likeliest first, as far as room is
// left. Of a file whose lines are named, those are enough.
func (v *shown) extend(first int) {
	for i := first; i < len(v.files) && v.room >= minExtension; i++ {
		c := v.candidates[i]
		if v.files[i].Whole() || len(c.lines) > 0 {
			continue
		}
		had := size(v.files[i])
		if file, why := v.cut(c, had+v.room, had+v.room); why == "" && size(file) > had {
			v.files[i] = file
			v.room -= size(file) - had
		}
	}
}

// The room, in bytes, for which it is worth cutting a file into parts, and cutting it again.
const (
	minPart      = 500
	minExtension = 2000
)

// selection returns what is recorded of the files that are shown.
func (v *shown) selection() (out Selection) {
	out.Shown, out.ReadOnly = map[string]string{}, map[string]string{}
	for i, c := range v.candidates {
		out.Files = append(out.Files, shownFile(c, v.files[i]))
		data, _ := v.read(c.path)
		sum := sha256.Sum256(data)
		out.Shown[c.path] = hex.EncodeToString(sum[:])
		if v.files[i].Redacted != "" {
			out.ReadOnly[c.path] = v.files[i].Redacted
		}
	}
	out.LeftOut = v.leftOut
	return out
}

func shownFile(c *candidate, file prompts.File) ShownFile {
	shown := ShownFile{Path: c.path, Why: reasons[c.reason].words, Score: c.score, Rank: c.rank, Lines: file.Lines}
	if !file.Whole() {
		for _, part := range file.Parts {
			shown.Parts = append(shown.Parts, Span{part.From, part.To})
		}
	}
	return shown
}

const noRoom = "there was no room left to show it to the model"

// cut returns what is shown of a file, of which some bytes are allotted to it, or why nothing is. Lines that are meant
// may take more, up to room.
func (s *selector) cut(c *candidate, room, allotted int) (prompts.File, string) {
	if room < len(c.path)+delimiterBytes {
		return prompts.File{}, noRoom
	}
	divided, why := s.divided(c)
	if why != "" {
		return prompts.File{}, why
	}
	file := divided.whole()
	if n := size(file); n <= allotted && file.Lines <= maxWholeLines || n <= room && file.Lines <= maxNamedLines &&
		c.certain {
		return file, ""
	}
	if c.reason == bySibling {
		return file, noRoom
	}
	for _, on := range []int{linesAround, linesAround / 4} {
		must := around(c.lines, divided.lines, on)
		left := allotted - min(maxOutline, allotted/outlineDivisor) - len(c.path)
		shown := divided.best(must, markdown.Ranges{{0, file.Lines}}, left)
		if len(shown) == 0 {
			shown = divided.first(left)
		}
		file.Parts = partsOf(divided.lines, shown)
		file.Outline = divided.outlineWithout(shown, min(maxOutline, allotted/outlineDivisor))
		if len(file.Parts) > 0 && size(file) <= room {
			return file, ""
		}
	}
	return file, noRoom
}

// divided returns a file without its secrets, to be shown in pieces, or why it is not shown.
func (s *selector) divided(c *candidate) (dividedFile, string) {
	data, why := s.showable(c)
	if why != "" {
		return dividedFile{}, why
	}
	redacted, ok := s.redacted.of(c.path, data)
	if !ok {
		return dividedFile{}, noRoom
	}
	return dividedFile{path: c.path, lines: splitLines(redacted.text), outline: redacted.definitions(c.path),
		kinds: redacted.kinds, weights: s.ranking.weights}, ""
}

// showable returns the bytes of a file that may be shown, or why they may not be.
func (s *selector) showable(c *candidate) ([]byte, string) {
	if why := Withheld(s.Policy, c.path); why != "" {
		return nil, why
	}
	data, ok := s.read(c.path)
	switch {
	case !ok && s.tooLarge(c.path):
		return nil, "it is larger than 1 MiB"
	case !ok:
		return nil, "too many others were named before it"
	case withheldText(data) != "":
		return nil, withheldText(data)
	case !c.reason.explicit() && c.reason != byRequest && generated(c.path, data):
		return nil, "it is generated or vendored; name it to have it shown"
	}
	return data, ""
}

// size returns about how many bytes a file takes in a prompt.
func size(f prompts.File) int {
	n := len(f.Outline) + len(f.Path)
	for _, p := range f.Parts {
		n += len(p.Text) + len(f.Path) + delimiterBytes
	}
	return n
}

// outlineText writes definitions with their lines, as many as there is room for, in bytes.
func outlineText(list []lexical.Definition, room int) string {
	var b strings.Builder
	for i, d := range list {
		line := fmt.Sprintf("%d: %s\n", d.Line, strings.TrimSpace(d.Text))
		if b.Len()+len(line) > room-40 {
			fmt.Fprintf(&b, "… and %d more\n", len(list)-i)
			break
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// outlineWithout writes the definitions outside of some lines.
func (f dividedFile) outlineWithout(shown markdown.Ranges, room int) string {
	return outlineText(slices.DeleteFunc(slices.Clone(f.outline), func(d lexical.Definition) bool {
		return contains(shown, [2]int{d.Line - 1, d.Line})
	}), room)
}
