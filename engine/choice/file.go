package choice

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/engine/merge"
)

// File is a merged text with conflicts.
type File struct {
	// Path is where the text is, relative to the top of the repository.
	Path string
	// Pieces are those of merge.Pieces; they are not modified.
	Pieces []merge.Piece
	// First is the ID of the first conflict, at least 1; those below it are numbered in order.
	First int
}

// Conflicts returns the conflicts of the file, from the first to the last.
func (f File) Conflicts() []Conflict {
	var out []Conflict
	for i, p := range f.Pieces {
		if p.Conflict != nil {
			out = append(out, Conflict{ID: f.First + len(out), Sides: *p.Conflict, Last: i == len(f.Pieces)-1})
		}
	}
	return out
}

// Text returns the text with what each conflict becomes, by ID; open are the IDs of the conflicts without such lines,
// in order, and there is no text if there are any. Outside of the conflicts it has the bytes of the merged pieces.
func (f File) Text(settled map[int][]Line) (text []byte, open []int) {
	text = f.render(func(c Conflict) string {
		lines, ok := settled[c.ID]
		if !ok {
			open = append(open, c.ID)
		}
		var b strings.Builder
		for _, l := range lines {
			b.WriteString(l.Text)
		}
		return b.String()
	})
	if len(open) > 0 {
		return nil, open
	}
	return text, nil
}

// Side returns the text with each conflict as one side has it.
func (f File) Side(o Origin) []byte {
	return f.render(func(c Conflict) string { return strings.Join(side(c.Sides, o), "") })
}

func (f File) render(conflict func(Conflict) string) []byte {
	var out []byte
	conflicts := f.Conflicts()
	for _, p := range f.Pieces {
		if p.Conflict != nil {
			out = append(out, conflict(conflicts[0])...)
			conflicts = conflicts[1:]
			continue
		}
		for _, line := range p.Lines {
			out = append(out, line...)
		}
	}
	return out
}

// Block returns a conflict between conflict markers as git writes them, with its base. Their labels have the name of
// the conflict and a key, one word that no version of the file contains.
func (c Conflict) Block(key string) string {
	var b strings.Builder
	end := ending(c.Sides)
	part := func(marker, label string, lines []string) {
		b.WriteString(marker + label + end)
		for i, line := range lines {
			b.WriteString(line)
			if i == len(lines)-1 && !strings.HasSuffix(line, "\n") {
				b.WriteString(end)
			}
		}
	}
	label := func(o Origin) string { return fmt.Sprintf(" %s %s %s", Name(c.ID), o, key) }
	part("<<<<<<<", label(Ours), c.Sides.Ours)
	part("|||||||", label(Base), c.Sides.Base)
	part("=======", "", c.Sides.Theirs)
	part(">>>>>>>", label(Theirs), nil)
	return b.String()
}
