package merge

import (
	"bytes"
	"slices"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/meter"
)

// Piece is a part of the merge of two versions: merged lines, or a conflict.
type Piece struct {
	// Lines are merged lines with their endings; none in a conflict.
	Lines []string
	// Conflict is nil for merged lines.
	Conflict *Sides
}

// Sides are the lines of a conflict in each version, with their endings. Ours and Theirs differ.
type Sides struct{ Base, Ours, Theirs []string }

// Pieces merges two branches' versions of a text as git does: outside of conflicts the lines are those of git's own
// merge with the same base, and a conflict is where git has one, or several that are close together. Unlike Merge,
// Pieces accepts a change wherever git does. Exchanging ours and theirs exchanges the sides of the conflicts and
// nothing else. Merged lines and conflicts take turns; equal versions are one piece, and an empty text has none. With a
// refusal there are no pieces. Pieces neither modifies nor keeps the versions, is safe for concurrent use, and costs at
// most about Work.
func Pieces(base, ours, theirs []byte) ([]Piece, Refusal) {
	work := Work
	return piecesWithin(&work, base, ours, theirs)
}

// PiecesWithin is Pieces for one of several merges, as Within is Merge.
func PiecesWithin(w *meter.Work, base, ours, theirs []byte) (pieces []Piece, r Refusal) {
	share(w, func(work *int) { pieces, r = piecesWithin(work, base, ours, theirs) })
	return pieces, r
}

// piecesWithin is Pieces with a bound: it takes its cost from work, which may become negative, and refuses with
// TooDifferent once none is left.
func piecesWithin(work *int, base, ours, theirs []byte) ([]Piece, Refusal) {
	if r := refused(base, ours, theirs); r != "" {
		return nil, r
	}
	if text.IsLFSPointer(ours) && text.IsLFSPointer(theirs) && !bytes.Equal(ours, theirs) {
		return nil, NotText // lines of both would point to nothing
	}
	*work -= len(base) + len(ours) + len(theirs)
	t := table{}
	v := versions{base: t.split(base), ours: t.split(ours), theirs: t.split(theirs), work: work}
	toOurs, ok := alignByHistogram(v.base, v.ours, work)
	if !ok {
		return nil, TooDifferent
	}
	toTheirs, ok := alignByHistogram(v.base, v.theirs, work)
	if !ok {
		return nil, TooDifferent
	}
	var out pieces
	at := 0
	for _, r := range join(toOurs, toTheirs, touch) {
		out.merged(v.base.text[at:r.From])
		at = r.To
		switch {
		case !r.byOurs:
			out.merged(v.theirs.text[r.theirs.From:r.theirs.To])
		case !r.byTheirs:
			out.merged(v.ours.text[r.ours.From:r.ours.To])
		default:
			head, tail, ok := v.common(r)
			if !ok {
				return nil, TooDifferent
			}
			out.both(v.sides(r), head, tail)
		}
	}
	out.merged(v.base.text[at:])
	return out, ""
}

func (v *versions) sides(r region) Sides {
	return Sides{
		Base:   v.base.text[r.From:r.To],
		Ours:   v.ours.text[r.ours.From:r.ours.To],
		Theirs: v.theirs.text[r.theirs.From:r.theirs.To],
	}
}

// pieces are those of a text up to some line.
type pieces []Piece

func (p *pieces) merged(lines []string) {
	switch last := len(*p) - 1; {
	case len(lines) == 0:
	case last >= 0 && (*p)[last].Conflict == nil:
		(*p)[last].Lines = append((*p)[last].Lines, lines...)
	default:
		*p = append(*p, Piece{Lines: slices.Clone(lines)})
	}
}

// both adds lines that both sides changed, of which the first and the last ones are merged.
func (p *pieces) both(s Sides, head, tail int) {
	after := s.Ours[len(s.Ours)-tail:]
	p.merged(s.Ours[:head])
	s.Ours, s.Theirs = s.Ours[head:len(s.Ours)-tail], s.Theirs[head:len(s.Theirs)-tail]
	if len(s.Ours)+len(s.Theirs) > 0 {
		*p = append(*p, Piece{Conflict: &s})
	}
	p.merged(after)
}

// keptInInsertions is how many lines at each end that two insertions have in common stay in the conflict, so that both
// insertions, one after the other, are whole: each with its closing bracket, and a blank line.
const keptInInsertions = 3

// common returns how many lines at the beginning and at the end of a region that both sides changed are merged: at most
// those that are so in git, whichever branch is merged into the other. git compares the sides with each other, which
// may take an equal line at an end for the partner of another one. ok is false if that is more than work.
func (v *versions) common(r region) (head, tail int, ok bool) {
	numbers := map[int]int{}
	ours, theirs := v.ours.part(r.ours).renumbered(numbers), v.theirs.part(r.theirs).renumbered(numbers)
	*v.work -= len(ours.id) + len(theirs.id)
	head = text.CommonPrefix(ours.id, theirs.id)
	tail = text.CommonSuffix(ours.id[head:], theirs.id[head:])
	if head+tail == 0 || head == max(len(ours.id), len(theirs.id)) {
		return head, tail, true
	}
	for _, sides := range [][2]lines{{ours, theirs}, {theirs, ours}} {
		hunks, ok := alignByHistogram(sides[0], sides[1], v.work)
		if !ok {
			return 0, 0, false
		}
		head = min(head, hunks[0].From)
		tail = min(tail, len(sides[0].id)-hunks[len(hunks)-1].To)
	}
	if r.From == r.To {
		head, tail = max(0, head-keptInInsertions), max(0, tail-keptInInsertions)
	}
	return head, tail, true
}
