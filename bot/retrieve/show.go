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

// Bounds on what a model is shown.
const (
	maxWholeLines  = 900  // of a file that is shown whole; of others, the pieces that fit best are shown
	maxNamedLines  = 400  // of a file that is shown whole if somebody named it, though others wait for room
	maxSpanLines   = 400  // of lines that are meant
	linesAround    = 60   // on either side of those
	maxShownRanked = 10   // files that are shown for their rank alone
	maxOutline     = 6000 // bytes of an outline
	delimiterBytes = 100  // about as many are around a part
)

// show returns the candidates in their order as far as there is room, and what was shown, cut and left out. Those that
// somebody named are shown before others get any room. It returns an error only if the context is done.
func (s *selector) show(ctx context.Context, room int) ([]prompts.File, Selection, error) {
	v := &shown{selector: s, room: room}
	all := s.ranked()
	named := slices.IndexFunc(all, func(c *candidate) bool { return !c.reason.explicit() })
	if named < 0 {
		named = len(all)
	}
	for _, some := range [][]*candidate{all[:named], all[named:]} {
		if err := v.fill(ctx, some); err != nil {
			return nil, Selection{}, err
		}
	}
	return v.files, v.selection(), nil
}

// shown is what is shown of candidates, and the room that is left.
type shown struct {
	*selector
	files      []prompts.File
	candidates []*candidate // of the files
	ranked     int          // how many are shown for their rank alone
	room       int
}

// fill shows further candidates, and then more of those of them that are shown in parts.
func (v *shown) fill(ctx context.Context, candidates []*candidate) error {
	first := len(v.files)
	for _, c := range candidates {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("cutting files: %w", err)
		}
		if c.reason == byRank && v.ranked == maxShownRanked {
			continue
		}
		file, why := v.cut(c, v.room, allotted(c, v.room))
		if why != "" {
			if c.reason < byRank { // somebody meant it
				v.leaveOut(c.path, why)
			}
			continue
		}
		v.room -= size(file)
		v.files, v.candidates = append(v.files, file), append(v.candidates, c)
		if c.reason == byRank {
			v.ranked++
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
	case c.reason.explicit() && len(c.lines) == 0:
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
	data, why := s.showable(c)
	if why != "" {
		return prompts.File{}, why
	}
	if room < len(c.path)+delimiterBytes || room < minPart && len(data) > room && len(c.lines) == 0 {
		return prompts.File{}, noRoom // spare the work
	}
	redacted, ok := s.redacted.of(c.path, data)
	if !ok {
		return prompts.File{}, noRoom
	}
	lines := splitLines(redacted.text)
	file := prompts.File{
		Path: c.path, Lines: len(lines), Redacted: redacted.kinds,
		Parts: []prompts.Part{{From: 1, To: len(lines), Text: redacted.text}},
	}
	if n := size(file); n <= allotted && len(lines) <= maxWholeLines ||
		n <= room && len(lines) <= maxNamedLines && c.reason.explicit() {
		return file, ""
	}
	if c.reason == bySibling {
		return file, noRoom
	}
	divided := dividedFile{c.path, lines, redacted.definitions(c.path), s.ranking.weights}
	for _, on := range []int{linesAround, linesAround / 4} {
		file.Outline = outlineText(divided.outline, min(maxOutline, allotted/outlineDivisor))
		must := around(c.lines, lines, on)
		left := allotted - len(file.Outline) - len(c.path)
		shown := divided.best(must, markdown.Ranges{{0, len(lines)}}, left)
		if len(shown) == 0 {
			shown = divided.first(left)
		}
		file.Parts = partsOf(lines, shown)
		if len(file.Parts) > 0 && size(file) <= room {
			return file, ""
		}
	}
	return file, noRoom
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
	case !c.reason.explicit() && generated(c.path, data):
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
