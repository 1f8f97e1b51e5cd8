package conflicts

import (
	"strings"

	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/engine/text"
)

// form is a merged text with conflicts as two texts: with all conflicts settled by ours, and by theirs. Lines have
// their endings. Where conflicts are in these texts does not depend on how finely they are split.
type form struct {
	ours, theirs []string
	boxes        []box
}

// box is a conflict: the lines of it in both texts.
type box struct{ ours, theirs text.Span }

func (f *form) merged(lines []string) {
	f.ours, f.theirs = append(f.ours, lines...), append(f.theirs, lines...)
}

func (f *form) conflict(ours, theirs []string) {
	f.boxes = append(f.boxes, box{
		ours:   text.Span{From: len(f.ours), To: len(f.ours) + len(ours)},
		theirs: text.Span{From: len(f.theirs), To: len(f.theirs) + len(theirs)},
	})
	f.ours, f.theirs = append(f.ours, ours...), append(f.theirs, theirs...)
}

func formOf(pieces []merge.Piece) form {
	var f form
	for _, p := range pieces {
		if p.Conflict == nil {
			f.merged(p.Lines)
		} else {
			f.conflict(p.Conflict.Ours, p.Conflict.Theirs)
		}
	}
	return f
}

// places says of each line of a text where it is in the other one, or, in a conflict, minus 1 minus the conflict.
func (f *form) places() (ours, theirs []int) {
	ours, theirs = make([]int, len(f.ours)), make([]int, len(f.theirs))
	i, j := 0, 0
	for n, b := range append(f.boxes, box{text.Span{From: len(ours)}, text.Span{From: len(theirs)}}) {
		for ; i < b.ours.From; i, j = i+1, j+1 {
			ours[i], theirs[j] = j, i
		}
		for ; i < b.ours.To; i++ {
			ours[i] = -1 - n
		}
		for ; j < b.theirs.To; j++ {
			theirs[j] = -1 - n
		}
	}
	return ours, theirs
}

// outside returns how many bytes outside of the conflicts of a merge are not as git has them. They are so if
//   - both have the same texts with all conflicts settled by ours, and by theirs, and
//   - each merged line of one is a merged line of the other at the same place, or both of its places are in one
//     conflict.
//
// So a conflict here may contain several of git's, which are split where lines are equal by chance, and one of git's
// several here, as git joins those that are close together.
func outside(here, git form) int {
	ofOurs := differingBytes(here.ours, git.ours, here.inOurs)
	ofTheirs := differingBytes(here.theirs, git.theirs, here.inTheirs)
	if ofOurs+ofTheirs > 0 {
		return max(ofOurs, ofTheirs)
	}
	return unlike(here, git) + unlike(git, here)
}

func (f *form) inOurs(line int) bool {
	return within(line, f.boxes, func(b box) text.Span { return b.ours })
}
func (f *form) inTheirs(line int) bool {
	return within(line, f.boxes, func(b box) text.Span { return b.theirs })
}

func within(line int, boxes []box, side func(box) text.Span) bool {
	for _, b := range boxes {
		if s := side(b); s.From <= line && line < s.To {
			return true
		}
	}
	return false
}

// differingBytes returns how many bytes are between what two texts have in common at both ends. Between conflict
// markers, git ends a line that has no ending.
func differingBytes(here, git []string, inConflict func(int) bool) int {
	ended := make([]string, len(here))
	for i, line := range here {
		if ended[i] = line; i < len(git) && !strings.HasSuffix(line, "\n") && inConflict(i) {
			if bare := strings.TrimSuffix(strings.TrimSuffix(git[i], "\n"), "\r"); bare == line {
				ended[i] = git[i]
			}
		}
	}
	head := text.CommonPrefix(ended, git)
	tail := text.CommonSuffix(ended[head:], git[head:])
	return max(bytesOf(ended[head:len(ended)-tail]), bytesOf(git[head:len(git)-tail]))
}

// unlike returns how many bytes of the merged lines of a form are neither merged at the same place nor in one conflict
// of another form of the same texts.
func unlike(f, other form) int {
	n := 0
	places, _ := f.places()
	inOurs, inTheirs := other.places()
	for i, j := range places {
		if j < 0 {
			continue
		}
		sameConflict := inOurs[i] < 0 && inOurs[i] == inTheirs[j]
		if inOurs[i] != j && !sameConflict {
			n += len(f.ours[i])
		}
	}
	return n
}

func bytesOf(lines []string) int {
	n := 0
	for _, line := range lines {
		n += len(line)
	}
	return n
}
