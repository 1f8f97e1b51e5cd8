package retrieve

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what a model is shown.
const (
	maxWholeLines  = 400  // of a file that is shown whole; of others, the lines around those that are meant are shown
	linesAround    = 60   // on either side
	maxOutline     = 6000 // bytes of an outline
	delimiterBytes = 100  // about as many are around a part
)

// show returns the candidates in their order as far as there is room, and what was shown, cut and left out.
func (s *selector) show(room int) (files []prompts.File, out Selection) {
	out.Shown, out.ReadOnly = map[string]string{}, map[string]string{}
	for _, c := range s.ranked() {
		file, why := s.cut(c, room)
		if why != "" {
			if c.reason < bySibling { // somebody meant it
				s.leaveOut(c.path, why)
			}
			continue
		}
		room -= size(file)
		files = append(files, file)
		out.Files = append(out.Files, shownFile(c, file))
		data, _ := s.read(c.path)
		sum := sha256.Sum256(data)
		out.Shown[c.path] = hex.EncodeToString(sum[:])
		if file.Redacted != "" {
			out.ReadOnly[c.path] = file.Redacted
		}
	}
	out.LeftOut = s.leftOut
	return files, out
}

func shownFile(c *candidate, file prompts.File) ShownFile {
	shown := ShownFile{Path: c.path, Why: reasons[c.reason].words, Score: c.score, Lines: file.Lines}
	if !file.Whole() {
		for _, part := range file.Parts {
			shown.Parts = append(shown.Parts, Span{part.From, part.To})
		}
	}
	return shown
}

const noRoom = "it did not fit any more into what the model may be shown"

// cut returns what is shown of a file, or why nothing is.
func (s *selector) cut(c *candidate, room int) (prompts.File, string) {
	data, why := s.showable(c)
	if why != "" {
		return prompts.File{}, why
	}
	text, secrets := secret.Redact(string(data))
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	file := prompts.File{
		Path: c.path, Lines: len(lines), Redacted: strings.Join(secrets, ", "),
		Parts: []prompts.Part{{From: 1, To: len(lines), Text: text}},
	}
	switch fits := size(file) <= room; {
	case len(lines) <= maxWholeLines && fits:
		return file, ""
	case len(lines) <= maxWholeLines && !c.reason.explicit():
		return file, noRoom
	}
	// The outline is made of what is shown: a name may be in what was redacted.
	file.Parts, file.Outline = parts(c, lines, text, room)
	if len(file.Parts) == 0 || size(file) > room {
		return file, noRoom
	}
	return file, ""
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

// parts returns the lines of a file around those that are meant, or its first ones if none are, and its outline; none
// if they do not fit.
func parts(c *candidate, lines []string, text string, room int) ([]prompts.Part, string) {
	room -= len(c.path) + delimiterBytes
	list := outlineText(outline(c.path, []byte(text)), min(maxOutline, room/3))
	for _, around := range []int{linesAround, linesAround / 4} {
		parts := partsAround(c.lines, lines, around)
		if size(prompts.File{Path: c.path, Parts: parts, Outline: list}) <= room {
			return parts, list
		}
	}
	return nil, ""
}

// partsAround returns the parts of a file around spans of lines, joined if they touch.
func partsAround(spans []Span, lines []string, around int) (parts []prompts.Part) {
	if len(spans) == 0 {
		spans = []Span{{1, 1}}
	}
	var ranges markdown.Ranges
	for _, s := range spans {
		if s.From <= len(lines) {
			last := min(s.To, s.From+maxWholeLines)
			ranges = append(ranges, [2]int{max(0, s.From-1-around), min(len(lines), last+around)})
		}
	}
	if len(ranges) == 0 {
		ranges = markdown.Ranges{{0, min(len(lines), around)}}
	}
	for _, r := range markdown.MergeRanges(ranges) {
		parts = append(parts, prompts.Part{From: r[0] + 1, To: r[1], Text: strings.Join(lines[r[0]:r[1]], "")})
	}
	return parts
}

// outlineText writes definitions with their lines, as many as there is room for, in bytes.
func outlineText(list []definition, room int) string {
	var b strings.Builder
	for i, d := range list {
		line := fmt.Sprintf("%d: %s\n", d.line, strings.TrimSpace(d.text))
		if b.Len()+len(line) > room-40 {
			fmt.Fprintf(&b, "… and %d more\n", len(list)-i)
			break
		}
		b.WriteString(line)
	}
	return strings.TrimSuffix(b.String(), "\n")
}
