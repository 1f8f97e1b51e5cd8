package settle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge/trees"
	linetext "github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax"
)

// Outcome returns what paths become by the accepted choices, and the conflicts of the merge that are left, each path
// once.
func (m Merge) Outcome(s State) (settled []trees.Merged, left []trees.Conflict) {
	answers := m.Answers(s)
	for i, c := range m.Conflicts {
		if i > 0 && m.Conflicts[i-1].Path == c.Path {
			continue
		}
		if c.Lines == nil {
			a, ok := answers[c.ID]
			switch {
			case !ok:
				left = append(left, c.What)
			default:
				settled = append(settled, c.side(a.Choice.String())...)
			}
			continue
		}
		f := m.file(c)
		text, open := f.Text(linesOf(f, answers))
		switch {
		case len(open) > 0, makesPointer(f, text):
			left = append(left, c.What)
		default:
			settled = append(settled, c.text(f, text)...)
		}
	}
	return settled, left
}

// makesPointer reports whether a text is a pointer of Git LFS that neither side has.
func makesPointer(f resolution.File, text []byte) bool {
	return linetext.IsLFSPointer(text) && !bytes.Equal(text, f.Ours) && !bytes.Equal(text, f.Theirs)
}

// linesOf returns what the conflicts of a file become.
func linesOf(f resolution.File, answers map[int]choice.Answer) map[int][]choice.Line {
	lines := map[int][]choice.Line{}
	for _, one := range f.Conflicts() {
		if a, ok := answers[one.ID]; ok {
			lines[one.ID] = a.Lines
		}
	}
	return lines
}

// text returns what a path becomes whose conflicts of lines are settled; nothing if it stays as it is in ours.
func (c Conflict) text(f resolution.File, text []byte) []trees.Merged {
	entry := trees.Entry{Mode: c.What.Mode}
	if c.ModesDiffer() && bytes.Equal(text, f.Theirs) {
		entry.Mode = c.What.Theirs.Mode
	}
	switch ours := c.What.Ours; {
	case bytes.Equal(text, f.Ours) && ours.Path == c.Path && ours.Mode == entry.Mode:
		return nil
	case bytes.Equal(text, f.Theirs) && c.What.Theirs.Mode != 0:
		entry.ID = c.What.Theirs.ID
		return []trees.Merged{{Path: c.Path, Entry: entry}}
	}
	if text == nil {
		text = []byte{}
	}
	return []trees.Merged{{Path: c.Path, Entry: entry, Text: text}}
}

// side returns what a path becomes of which a side is taken.
func (c Conflict) side(name string) []trees.Merged {
	v := c.What.Ours
	if name == Theirs {
		v = c.What.Theirs
	}
	entry := v.Entry
	if c.What.Kind == trees.Modes {
		switch {
		case len(c.What.Pieces) > 0:
			text := choice.File{Path: c.Path, Pieces: c.What.Pieces}.Side(choice.Ours)
			return []trees.Merged{{Path: c.Path, Entry: trees.Entry{Mode: entry.Mode}, Text: append([]byte{}, text...)}}
		case c.What.Ours.ID == c.What.Base.ID:
			entry.ID = c.What.Theirs.ID
		default:
			entry.ID = c.What.Ours.ID
		}
	}
	if name == Ours && entry.ID == v.ID && (v.Path == c.Path || entry.Mode == 0 && c.What.Theirs.Path == c.Path) {
		return nil // ours is as it is
	}
	return []trees.Merged{{Path: c.Path, Entry: entry}}
}

// Broken is a text that choices make, with problems that neither side has.
type Broken struct {
	Path string
	// Sum is the SHA-256 of the text, in hexadecimal.
	Sum      string
	Problems []syntax.Problem
	// IDs are those of the conflicts of the text.
	IDs []int
}

// Broken returns the texts whose conflicts are all settled, and that have problems.
func (m Merge) Broken(w *meter.Work, s State) (out []Broken) {
	answers := m.Answers(s)
	for _, f := range m.Files {
		text, open := f.Text(linesOf(f, answers))
		if len(open) > 0 {
			continue
		}
		problems := f.Check(w, text).Problems
		if len(problems) == 0 {
			continue
		}
		sum := sha256.Sum256(text)
		b := Broken{Path: f.Path, Sum: hex.EncodeToString(sum[:]), Problems: problems}
		for _, one := range f.Conflicts() {
			b.IDs = append(b.IDs, one.ID)
		}
		out = append(out, b)
	}
	return out
}

// Unchecked returns why texts whose conflicts are all settled were not checked for syntax, by path. Those that a side
// has already need no check.
func (m Merge) Unchecked(w *meter.Work, s State) map[string]syntax.Unchecked {
	out, answers := map[string]syntax.Unchecked{}, m.Answers(s)
	for _, f := range m.Files {
		text, open := f.Text(linesOf(f, answers))
		if len(open) > 0 || bytes.Equal(text, f.Ours) || bytes.Equal(text, f.Theirs) {
			continue
		}
		if why := f.Check(w, text).Unchecked; why != "" {
			out[f.Path] = why
		}
	}
	return out
}

// Revoke returns a state in which the choices of a broken text are proposals, at which people have to look again,
// unless they made all of them, and were told of the problem before: then sums have the text.
func (m Merge) Revoke(s State, broken []Broken, sums []string) State {
	out := maps.Clone(s)
	for _, b := range broken {
		byModel := slices.ContainsFunc(b.IDs, func(id int) bool { return !s[id].ByHand })
		if slices.Contains(sums, b.Sum) && !byModel {
			continue
		}
		for _, id := range b.IDs {
			known := out[id]
			known.Proposal, known.Choice, known.ByHand = known.Choice, "", false
			out[id] = known
		}
	}
	return out
}
