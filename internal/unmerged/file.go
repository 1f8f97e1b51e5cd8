// Package unmerged knows how far the conflicts of a file in a work tree are settled, by what the file contains, and
// puts lines in their place. It reads and writes no files.
package unmerged

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/resolution"
	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
)

// State says what a file in the work tree contains.
type State int

// The states.
const (
	// Marked: the conflicts that are open are there as git or Text wrote them, and what people wrote elsewhere since Text
	// wrote the file is kept.
	Marked State = iota
	// Edited: the file is not as git's merge leaves it, and has conflict markers, so that it is not known which conflicts
	// are open.
	Edited
	// Done: the file is not as git's merge leaves it, and no conflict marker was found.
	Done
)

// File is a file with conflicts as it is in the work tree.
type File struct {
	resolution.File
	State State
	// Open are the conflicts that the file has; none unless it is Marked.
	Open []choice.Conflict

	key  string
	text string
}

// New merges the three versions of a file and returns it as it is in the work tree, where it has the text now. first is
// the ID of its first conflict. Line endings are those of now if it alone has "\r\n", as where git converts them. There
// is no file with a refusal.
func New(path string, base, ours, theirs, now []byte, first int) (File, merge.Refusal) {
	stored := bytes.Join([][]byte{base, ours, theirs}, nil)
	if bytes.Contains(now, []byte("\r\n")) && !bytes.Contains(stored, []byte("\r\n")) {
		for _, version := range []*[]byte{&base, &ours, &theirs} {
			*version = bytes.ReplaceAll(*version, []byte("\n"), []byte("\r\n"))
		}
	}
	f, refusal := Unsettled(path, base, ours, theirs, first)
	if refusal != "" || f.isAsGitLeftIt(string(now)) {
		return f, refusal
	}
	f.text = string(now)
	var known bool
	switch f.Open, known = f.openIn(f.text); {
	case !known:
		f.State, f.Open = Edited, nil
	case len(f.Open) > 0:
	case hasMarkers(f.text):
		f.State = Edited
	default:
		f.State = Done
	}
	return f, ""
}

// openIn returns the conflicts that a text has as Text writes them; ok is false if one is there twice, or they are not
// in order, so that it is not known which ones are meant.
func (f File) openIn(text string) (open []choice.Conflict, ok bool) {
	for _, c := range f.Conflicts() {
		before, after, found := strings.Cut(text, c.Block(f.key))
		if !found {
			continue
		}
		open, text = append(open, c), after
		if strings.Contains(before, f.key) {
			return nil, false
		}
	}
	return open, !strings.Contains(text, f.key)
}

// Unsettled merges the three versions of a file, and returns it with all conflicts open. first is the ID of the first
// one. There is no file with a refusal.
func Unsettled(path string, base, ours, theirs []byte, first int) (File, merge.Refusal) {
	merged, refusal := resolution.NewFile(path, base, ours, theirs, first)
	if refusal != "" {
		return File{}, refusal
	}
	f := File{File: merged, key: keyOf(base, ours, theirs)}
	f.Open = f.Conflicts()
	f.text = string(f.marked())
	return f, ""
}

// keyOf returns a word that none of some versions contains, because it depends on all of them: who writes a version
// cannot imitate the conflicts of its merge.
func keyOf(versions ...[]byte) string {
	h := sha256.New()
	for _, v := range versions {
		_, _ = fmt.Fprintf(h, "%d:", len(v)) // a hash takes all that is written
		_, _ = h.Write(v)
	}
	return hex.EncodeToString(h.Sum(nil)[:6])
}

// marked returns the merge with each conflict between markers.
func (f File) marked() []byte {
	lines := map[int][]choice.Line{}
	for _, c := range f.Conflicts() {
		lines[c.ID] = []choice.Line{{Text: c.Block(f.key)}}
	}
	text, _ := f.File.Text(lines)
	return text
}

// Text returns the text of the file with lines in place of open conflicts, by ID, and the IDs of those that remain, in
// order. These are between conflict markers.
func (f File) Text(settled map[int][]choice.Line) (text []byte, open []int) {
	rest := f.text
	for _, c := range f.Open { // in the order in which they are in the text
		block := c.Block(f.key)
		lines, ok := settled[c.ID]
		if !ok {
			open = append(open, c.ID)
			lines = []choice.Line{{Text: block}}
		}
		before, after, _ := strings.Cut(rest, block)
		text = append(text, before...)
		for _, l := range lines {
			text = append(text, l.Text...)
		}
		rest = after
	}
	return append(text, rest...), open
}

// isAsGitLeftIt reports whether a text is the merge with git's conflict markers: with each side in place of what is
// between them, it is the merge with that side. git ends the last line before a marker.
func (f File) isAsGitLeftIt(text string) bool {
	atEnd := len(f.Pieces) > 0 && f.Pieces[len(f.Pieces)-1].Conflict != nil
	for _, o := range []choice.Origin{choice.Ours, choice.Theirs} {
		side, ok := gitSide(text, o)
		want := string(f.Side(o))
		if atEnd && !strings.HasSuffix(want, "\n") {
			side = strings.TrimSuffix(strings.TrimSuffix(side, "\n"), "\r")
		}
		if !ok || side != want {
			return false
		}
	}
	return true
}

// gitSide returns a text with one side of what is between git's conflict markers; ok is false if there are none, or
// they are not in order.
func gitSide(text string, o choice.Origin) (side string, ok bool) {
	const (
		outside = iota
		inOurs
		inBase
		inTheirs
	)
	var b strings.Builder
	at := outside
	for line := range strings.Lines(text) {
		switch marker, found := markerOf(line); {
		case found && marker == '<' && at == outside:
			at, ok = inOurs, true
		case found && marker == '|' && at == inOurs:
			at = inBase
		case found && marker == '=' && (at == inOurs || at == inBase):
			at = inTheirs
		case found && marker == '>' && at == inTheirs:
			at = outside
		case at == outside, at == inOurs && o == choice.Ours, at == inTheirs && o == choice.Theirs:
			b.WriteString(line)
		}
	}
	return b.String(), ok && at == outside
}

// markerOf returns the sign of git's conflict marker in a line.
func markerOf(line string) (sign byte, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if len(line) < 7 || strings.Count(line[:7], line[:1]) != 7 || !strings.ContainsAny(line[:1], "<|=>") {
		return 0, false
	}
	return line[0], len(line) == 7 || line[7] == ' '
}

// hasMarkers reports whether a text has conflict markers of any length.
func hasMarkers(text string) bool {
	for line := range strings.Lines(text) {
		if choice.MarkerLength(line) >= 7 {
			return true
		}
	}
	return false
}
