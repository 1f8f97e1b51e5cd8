package retrieve

import (
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/prompts"
)

// want returns how many bytes an ask takes if it is given all.
func (it *asked) want() int {
	n := askBytes
	for _, text := range slices.Concat(it.names, it.near, it.lines) {
		n += len(text) + 1
	}
	for _, v := range it.views {
		n += v.want()
	}
	return n
}

// give answers an ask in at most room bytes.
func (r *round) give(it *asked, room int) {
	room -= askBytes
	switch {
	case it.refused != "":
		r.refuse(it, it.refused, room)
	case it.repeated:
		r.above(it)
	case len(it.views) > 0:
		r.giveViews(it, room)
	case len(it.names) > 0:
		names := fitting(it.names, room)
		if len(names) == 0 {
			r.refuse(it, noRoom, 0)
			return
		}
		it.given.Names = len(names)
		r.out.Prompt.Lists = append(r.out.Prompt.Lists,
			prompts.NameList{Of: it.ask.Path, Names: names, More: len(it.names) - len(names)})
	case len(it.lines) > 0:
		lines := fitting(it.lines, room)
		switch {
		case it.absent != "":
			r.refuse(it, it.absent, 0)
		case len(lines) == 0:
			r.refuse(it, noRoom, 0)
		}
		if len(lines) == 0 {
			return
		}
		it.given.Hits, it.given.All = len(lines), it.all
		r.out.Prompt.Finds = append(r.out.Prompt.Finds,
			prompts.Find{Text: it.find, Lines: lines, More: it.all - len(lines)})
	default:
		r.refuse(it, "there is nothing in it", room)
	}
}

// fitting returns the first of some texts, in at most room bytes.
func fitting(texts []string, room int) []string {
	for i, text := range texts {
		if room -= len(text) + 1; room < 0 {
			return texts[:i]
		}
	}
	return texts
}

// refuse says why nothing is shown for an ask, and what may have been meant.
func (r *round) refuse(it *asked, why string, room int) {
	it.given.Why = why
	name := secret.Path(it.ask.Path)
	if it.ask.Find != "" {
		name = it.given.Ask
	}
	if it.path != "" && !markdown.Unprintable(it.path) {
		name = it.path
	}
	w := prompts.Withheld{Path: name, Why: why}
	for _, near := range fitting(it.near, room) {
		if Withheld(r.Policy, near) == "" {
			w.Near = append(w.Near, near)
		}
	}
	if it.ask.Find != "" {
		r.out.Prompt.Absent = append(r.out.Prompt.Absent, w)
		return
	}
	r.out.Prompt.Withheld = append(r.out.Prompt.Withheld, w)
	if len(r.out.Selection.LeftOut) < maxLeftOut {
		r.out.Selection.LeftOut = append(r.out.Selection.LeftOut, LeftOut{name, why})
	}
}

const shownAbove = "it was shown before"

// above reports whether what is asked for was shown before.
func (r *round) above(it *asked) {
	it.given.Why = shownAbove
	r.out.Prompt.Above = append(r.out.Prompt.Above, it.given.Ask)
}

// giveViews shows files for an ask, each in an equal part of the room.
func (r *round) giveViews(it *asked, room int) {
	above, unseen := 0, len(r.out.Prompt.Unseen)
	for i, v := range it.views {
		left := r.seen.unseen(v, v.wanted)
		switch {
		case len(left) == 0:
			above++
			continue
		case lineCount(v.wanted) <= maxRepeated:
			left = v.wanted // a gap in so few lines would cost more than it saves
		}
		file, rest := v.cut(left, room/(len(it.views)-i))
		room -= size(file)
		if len(file.Parts) > 0 {
			r.show(it, v, file)
		}
		for _, span := range rest[:min(len(rest), maxUnseen)] {
			rest := Ask{Path: v.path, Lines: Span{span[0] + 1, span[1]}}
			r.out.Prompt.Unseen = append(r.out.Prompt.Unseen, rest.String())
		}
		if len(rest) > 0 {
			it.given.Why = "not all of it fits"
		}
	}
	switch {
	case above == len(it.views):
		r.above(it)
	case len(it.given.Lines) == 0:
		r.out.Prompt.Unseen = r.out.Prompt.Unseen[:unseen]
		r.refuse(it, tooLong(it.views), room)
	}
}

// tooLong says why no line of what was asked for fits.
func tooLong(views []*view) string {
	for _, v := range views {
		for _, span := range v.wanted {
			for i := span[0]; i < span[1]; i++ {
				if n := len(v.lines[i]); n > RoundBytes/MaxAsks {
					return fmt.Sprintf("line %d has %d bytes, too many to be shown", i+1, n)
				}
			}
		}
	}
	return noRoom
}

// show notes what is shown of a file.
func (r *round) show(it *asked, v *view, file prompts.File) {
	r.out.Prompt.Files = append(r.out.Prompt.Files, file)
	shown := ShownFile{
		Path: v.path, Why: reasons[byRequest].words, Score: reasons[byRequest].score, Lines: file.Lines,
	}
	for _, p := range file.Parts {
		it.given.Lines = append(it.given.Lines, GivenLines{v.path, Span{p.From, p.To}})
		if !file.Whole() {
			shown.Parts = append(shown.Parts, Span{p.From, p.To})
		}
	}
	r.out.Selection.Files = append(r.out.Selection.Files, shown)
	r.out.Selection.Shown[v.path] = v.sum
	if v.redacted.kinds != "" {
		r.out.Selection.ReadOnly[v.path] = v.redacted.kinds
	}
	r.seen.add(v.path, v.sum, shown)
}

// unseen returns what of some ranges of lines of a file was not shown.
func (s seenLines) unseen(v *view, ranges markdown.Ranges) (out markdown.Ranges) {
	if s.sums[v.path] != v.sum {
		return ranges
	}
	return without(ranges, s.lines[v.path])
}
