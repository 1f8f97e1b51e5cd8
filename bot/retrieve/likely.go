package retrieve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

// How files that are not certain share the room: ADR 0072 has what each of these wins.
const (
	maxLikely       = 15       // files that are shown for their rank alone
	maxFirstBytes   = 700      // of the one piece of each file that is shown before others get a second
	mentionedWorth  = 0.5      // of a file that is mentioned; that of the first of the ranking is 1
	neighbourWorth  = 0.5      // of how well the neighbour of a piece fits
	lengthExponent  = 0.3      // of the length of a piece, by which its worth is divided
	chosenShare     = 0.9      // of the room, for what the model chose, in equal shares
	mentionedShare  = 1.0 / 2  // of the room, for all that is mentioned while others want room
	outlineShare    = 1.0 / 20 // of the room, for the outlines of files that are shown in parts
	firstPieceWorth = 1000     // how much more the first piece of a file is worth
)

// fillLikely shows pieces of files that are not certain: the best one of each, and then those that are worth most. What
// the model chose has equal shares before the others get more.
func (v *shown) fillLikely(ctx context.Context, candidates []*candidate) error {
	files, err := v.likely(ctx, candidates)
	if err != nil {
		return err
	}
	outlines := int(float64(v.room) * outlineShare)
	p := pieceFiller{left: v.room - outlines, mentioned: int(float64(v.room) * mentionedShare)}
	for _, f := range files {
		p.pieces = append(p.pieces, f.pieces()...)
	}
	slices.SortStableFunc(p.pieces, func(a, b *piece) int { return cmp.Compare(b.worth, a.worth) })
	if v.Chosen != nil {
		share := chosenBytes(files, p.left)
		p.fill(func(f *likelyFile) int {
			if f.reason == byRequest {
				return share
			}
			return maxFirstBytes
		})
	}
	all := func(*likelyFile) int { return math.MaxInt }
	p.fill(all)
	p.mentioned = math.MaxInt // nobody else wants what is left
	p.fill(all)
	for _, f := range files {
		if len(f.shown) == 0 {
			v.leaveOutMeant(f.candidate, noRoom)
			continue
		}
		p.closeGaps(f)
		file := f.file()
		if !file.Whole() {
			file.Outline = f.outlineWithout(f.shown, min(maxOutline, outlines))
			outlines -= len(file.Outline)
		}
		v.add(f.candidate, file)
	}
	return nil
}

// chosenBytes returns how many bytes each file that the model chose has, of some room for all.
func chosenBytes(files []*likelyFile, room int) int {
	var wants []int
	for _, f := range files {
		if f.reason == byRequest {
			wants = append(wants, size(f.whole()))
		}
	}
	return FairShare(wants, int(float64(room)*chosenShare))
}

// likelyFile is a file of which the pieces are shown that are worth most.
type likelyFile struct {
	dividedFile
	*candidate
	worth float64
	shown markdown.Ranges
	used  int // bytes of what is shown
}

// likely returns the files of candidates that may be shown, at most maxLikely of them for their rank alone.
func (v *shown) likely(ctx context.Context, candidates []*candidate) (files []*likelyFile, err error) {
	ranked := 0
	for _, c := range candidates {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("dividing files: %w", err)
		}
		if c.reason == byRank && ranked == maxLikely {
			continue
		}
		divided, why := dividedFile{}, noRoom
		if v.room >= minPart { // else spare the work
			divided, why = v.divided(c)
		}
		if why != "" {
			v.leaveOutMeant(c, why)
			continue
		}
		if c.reason == byRank {
			ranked++
		}
		files = append(files, &likelyFile{dividedFile: divided, candidate: c, worth: c.worth()})
	}
	return files, nil
}

// leaveOutMeant notes why a file is not shown, if it was meant.
func (v *shown) leaveOutMeant(c *candidate, why string) {
	if c.reason.meant() {
		v.leaveOut(c.path, why)
	}
}

// worth returns how likely a file is, in comparison with others: 1 for what the model chose and for the first of the
// ranking, half of that for the second one and for what is mentioned, a third for the third.
func (c *candidate) worth() float64 {
	worth := 0.0
	if c.rank > 0 {
		worth = 1 / float64(c.rank)
	}
	switch {
	case c.reason == byRequest:
		return 1
	case c.reason < byRank:
		return max(worth, mentionedWorth)
	}
	return worth
}

// pieces returns the pieces of the file. One that has a line that the file was found by fits as well as the best. The
// best one that is not too long is worth more than any other piece.
func (f *likelyFile) pieces() (out []*piece) {
	bounds := pieces(f.dividedFile.lines, f.outline)
	scores := f.weights.Scores([]byte(f.text()), bounds)
	best, top := -1, slices.Max(append(scores, 0))
	for i := range scores {
		p := &piece{file: f, lines: [2]int{bounds[i], bounds[i+1]}}
		out = append(out, p)
		if slices.ContainsFunc(f.candidate.lines, p.overlaps) {
			scores[i] = max(top, leastScore)
		}
		if scores[i] > 0 && (best < 0 || scores[i] > scores[best]) && f.cost(p.lines) <= maxFirstBytes {
			best = i
		}
	}
	for i, p := range out {
		beside := slices.Max(slices.Concat([]float64{0}, scores[max(0, i-1):i], scores[i+1:min(len(scores), i+2)]))
		fit := scores[i] + neighbourWorth*beside + leastScore
		p.worth = f.worth * fit / math.Pow(float64(f.cost(p.lines)), lengthExponent)
	}
	if best >= 0 {
		out[best].worth *= firstPieceWorth
	}
	return out
}

// leastScore is that of a piece that has none of the words: it is shown if nothing better wants the room.
const leastScore = 0.001

// file returns what is shown of the file.
func (f *likelyFile) file() prompts.File {
	out := f.whole()
	out.Parts = partsOf(f.dividedFile.lines, f.shown)
	return out
}

// piece is a part of a file that is shown as a whole or not at all: a definition, or several short ones, or a part of a
// long one.
type piece struct {
	file  *likelyFile
	lines [2]int // from 0, with the end excluded
	worth float64
	shown bool
}

// overlaps reports whether the piece has one of some lines.
func (p *piece) overlaps(s Span) bool { return p.lines[0] < s.To && s.From-1 < p.lines[1] }

// cost returns how many bytes more are shown with the piece.
func (p *piece) cost() int {
	n := p.file.cost(p.lines) - p.file.saved(p.file.shown, p.lines)
	if len(p.file.shown) == 0 {
		n += len(p.file.dividedFile.path)
	}
	return n
}

// pieceFiller fills a room with pieces, which are in the order of their worth.
type pieceFiller struct {
	pieces          []*piece
	left, mentioned int // bytes that are left for all, and for files that are mentioned
}

// fill shows the pieces for which there is room. bound returns how many bytes of a file are shown at most.
func (p *pieceFiller) fill(bound func(*likelyFile) int) {
	for _, one := range p.pieces {
		f := one.file
		if one.shown {
			continue
		}
		n := one.cost()
		if n > min(p.left, bound(f)-f.used) || f.reason.explicit() && n > p.mentioned {
			continue
		}
		if f.reason.explicit() {
			p.mentioned -= n
		}
		p.left -= n
		f.used += n
		one.shown = true
		f.shown = markdown.MergeRanges(append(f.shown, one.lines))
	}
}

// closeGaps shows the few lines between pieces of a file, too.
func (p *pieceFiller) closeGaps(f *likelyFile) {
	before := f.costAll(f.shown)
	f.shown = f.closeGaps(f.shown, markdown.Ranges{{0, len(f.dividedFile.lines)}}, p.left)
	p.left -= f.costAll(f.shown) - before
}
