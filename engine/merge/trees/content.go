package trees

import (
	"bytes"

	"github.com/tenon-bot/tenon/engine/generated"
	"github.com/tenon-bot/tenon/engine/merge"
)

// outcome is what becomes of a path: an entry, a text with the mode of an entry, or a conflict.
type outcome struct {
	entry    Entry
	text     []byte
	pieces   []merge.Piece // of a text
	conflict *Conflict
}

// occupied reports whether the path has a file in the merge, or may have one.
func (o *outcome) occupied() bool { return o.entry.exists() || o.conflict != nil }

// as returns the versions of a node as a conflict.
func (n *node) as(k Kind) Conflict {
	return Conflict{Kind: k, Path: n.path, Base: n.base, Ours: n.ours, Theirs: n.theirs}
}

// outcome merges the versions of a path.
func (m *merger) outcome(n *node) outcome {
	if n.moved {
		return outcome{}
	}
	o := m.versions(n)
	if n.location == nil || o.conflict != nil || !o.entry.exists() {
		return o
	}
	c := n.as(Location)
	c.Mode, c.Pieces, c.Directory = o.entry.Mode, o.pieces, *n.location
	return outcome{conflict: &c}
}

// versions merges the versions of a node.
func (m *merger) versions(n *node) outcome {
	if n.conflict != nil {
		return outcome{conflict: n.conflict}
	}
	o, a, b := n.base.Entry, n.ours.Entry, n.theirs.Entry
	var c Conflict
	switch {
	case a == b, o == b:
		return outcome{entry: a}
	case o == a:
		return outcome{entry: b}
	case !a.exists() || !b.exists():
		c = n.as(ModifyDelete)
	case a.Mode&kindOfMode != b.Mode&kindOfMode:
		c = n.as(Types)
	case a.Mode == Submodule:
		c = n.as(Submodules)
	case a.Mode == Symlink:
		c = n.as(Symlinks)
	default:
		return m.file(n)
	}
	return outcome{conflict: &c}
}

// file merges two files.
func (m *merger) file(n *node) outcome {
	o, a, b := n.base.Entry, n.ours.Entry, n.theirs.Entry
	merged, kind := a, Kind("")
	switch {
	case a.Mode == o.Mode:
		merged.Mode = b.Mode
	case a.Mode != b.Mode && b.Mode != o.Mode:
		kind = Modes
	}
	var text []byte
	var pieces []merge.Piece
	switch {
	case b.ID == a.ID, b.ID == o.ID:
	case a.ID == o.ID:
		merged.ID = b.ID
	default:
		var k Kind
		if text, pieces, k = m.text(n, &merged); k != "" {
			kind = k
		}
	}
	if kind == "" {
		return outcome{entry: merged, text: text, pieces: pieces}
	}
	c := n.as(kind)
	c.Mode, c.Pieces = merged.Mode, pieces
	if command, ok := generated.Command(n.path); ok && kind != Modes {
		c.Kind, c.Command = Generated, command
	}
	return outcome{conflict: &c}
}

// text merges the content of two files, or returns the kind of the conflict, with pieces if that is Text. Merged gets
// the id of a side if the text is that of the side, and none otherwise.
func (m *merger) text(n *node, merged *Entry) ([]byte, []merge.Piece, Kind) {
	var texts [3][]byte
	for i, e := range []Entry{n.base.Entry, n.ours.Entry, n.theirs.Entry} {
		if !e.exists() || !e.file() { // of another kind, as none
			continue
		}
		var ok bool
		if texts[i], ok = m.read(e.ID, &m.left.textBytes, TooManyTexts); !ok {
			return nil, nil, Large
		}
	}
	pieces, refusal := merge.PiecesWithin(m.work, texts[0], texts[1], texts[2])
	m.spend(0)
	switch refusal {
	case merge.NotText:
		return nil, nil, Binary
	case merge.TooLarge:
		return nil, nil, Large
	case merge.TooDifferent:
		return nil, nil, Different
	}
	text := make([]byte, 0, len(texts[1]))
	for _, p := range pieces {
		if p.Conflict != nil {
			return nil, pieces, Text
		}
		for _, line := range p.Lines {
			text = append(text, line...)
		}
	}
	switch {
	case bytes.Equal(text, texts[1]):
		merged.ID, text = n.ours.ID, nil
	case bytes.Equal(text, texts[2]):
		merged.ID, text = n.theirs.ID, nil
	default:
		merged.ID = ""
	}
	return text, pieces, ""
}
