package web

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"html/template"
	"reflect"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web/diffhtml"
	"github.com/tenon-bot/tenon/meter"
)

const (
	// roomForDiffs and roomForReplies bound the diffs and replies that are part of the page of a run, in bytes; others
	// are loaded when somebody opens them.
	roomForDiffs   = 48 << 10
	roomForReplies = 16 << 10
	// roomForOne bounds the diff of one block there, in bytes.
	roomForOne = 16 << 10
	// workForPage and workForPart bound the colours of the diffs of a page (see Options.Colours), and of a part of it
	// alone, in units of work: 15 and 200 ms. Those of files that people write take a few milliseconds.
	workForPage = 500_000
	workForPart = 7_000_000
	// maxTail bounds how much of a reply that arrives is part of the page, in bytes: the end of it.
	maxTail = 32 << 10
)

// The elements that have sections of which there are many.
const (
	inBlocks  = "blocks"
	inReplies = "replies"
)

// section is an element of a run's page that is replaced as a whole when it changes.
type section struct {
	// ID is that of the element, In that of the element around it if it is one of many; empty for others.
	ID, In string
	HTML   template.HTML
	// hash changes with what the section shows, but not with the text of a reply that arrives.
	hash uint64
	// diffs is how much of it are diffs, in bytes.
	diffs int
	// event returns the section as an event; it is made once for all watchers.
	event func() string
}

// press renders the sections of a run's page. Not safe for concurrent use.
type press struct {
	acts, split bool
	painter     *diffhtml.Painter
	painted     *painted
	diffs       int
	replies     int
	// made are the sections of blocks, before those of an earlier press, which are used again for what has not changed.
	made, before map[int]madeBlock
}

// madeBlock is the section of a block, and what it was made from.
type madeBlock struct {
	from    shownBlock
	section section
}

// newPress returns a press for one page, or a part of one.
func (p *pages) newPress(split bool, colours int) *press {
	return &press{acts: p.Acts != nil, split: split, painter: diffhtml.New(meter.Of(colours)), painted: &p.painted,
		diffs: roomForDiffs, replies: roomForReplies, made: map[int]madeBlock{}}
}

// singles are the sections of which there is one, by the names of their templates, which are their ids.
var singles = []string{"banner", "acts", "request", "files", "suggestions", "problems", "costs", "timeline", "saw"}

// sections returns all sections, in the order of the page.
func (p *press) sections(run view.Run) ([]section, error) {
	var all []section
	for _, name := range singles {
		s, err := section{ID: name}.render(name, map[string]any{"Run": run, "Acts": p.acts && !run.Hidden})
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	for _, b := range run.Blocks {
		s, err := p.block(run, b, false)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	for i, reply := range run.Replies {
		s, err := p.reply(run, i, reply, false)
		if err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, nil
}

// shownBlock is a block as its template gets it.
type shownBlock struct {
	view.Block
	// Choose adds a box by which the block is chosen to be applied.
	Choose bool
	// open means that there is room for its diff.
	open bool
	// DiffHTML and SearchHTML are empty if they are loaded from Path.
	HasDiff              bool
	DiffHTML, SearchHTML template.HTML
	Path                 string
}

// whole returns the section of a block with all that it has.
func (p *press) whole(run view.Run, b view.Block) (section, error) { return p.block(run, b, true) }

// block returns the section of a block. Its diff is left out if the page has enough of them, unless all is asked for.
func (p *press) block(run view.Run, b view.Block, all bool) (section, error) {
	s := shownBlock{Block: b, Choose: p.acts && b.Left && !run.Hidden, HasDiff: len(b.Diff.Hunks) > 0,
		Path: fmt.Sprintf("/runs/%s/blocks/%d", run.ID, b.Number)}
	if p.split {
		s.Path += "?diff=split"
	}
	s.open = all || p.diffs > 0
	if old, ok := p.before[b.Number]; ok && reflect.DeepEqual(old.from, s) {
		p.made[b.Number] = old
		p.diffs -= old.section.diffs
		return old.section, nil
	}
	from, n := s, 0
	if s.open {
		if s.HasDiff {
			s.DiffHTML = p.diff(b)
		}
		if b.Searched != nil && len(b.Searched.Lines) > 0 {
			s.SearchHTML = p.paint("searched", b.Path, *b.Searched, func() template.HTML {
				return p.painter.Searched(b.Path, *b.Searched)
			})
		}
		n = len(s.DiffHTML) + len(s.SearchHTML)
		if !all && n > roomForOne {
			s.DiffHTML, s.SearchHTML, n = "", "", 0
		}
		p.diffs -= n
	}
	made, err := section{ID: fmt.Sprintf("block-%d", b.Number), In: inBlocks, diffs: n}.render("block", s)
	p.made[b.Number] = madeBlock{from, made}
	return made, err
}

func (p *press) diff(b view.Block) template.HTML {
	if p.split {
		return p.paint("split", b.Path, b.Diff, func() template.HTML { return p.painter.Split(b.Path, b.Diff) })
	}
	return p.paint("unified", b.Path, b.Diff, func() template.HTML { return p.painter.Unified(b.Path, b.Diff) })
}

// paint renders a diff in one of several ways, unless it was rendered so before. It is kept if it has its colours.
func (p *press) paint(way, path string, value any, render func() template.HTML) template.HTML {
	key := keyOf(way, path, value)
	if html, ok := p.painted.get(key); ok {
		return html
	}
	html := render()
	if !p.painter.UsedUp() {
		p.painted.put(key, html)
	}
	return html
}

// shownReply is a reply as its template gets it.
type shownReply struct {
	view.Reply
	Run    view.Run
	Number int
	// Shown is the text as far as it is part of the page, Tail means that it is only the end.
	Shown string
	Tail  bool
	// Length is that of the text, in bytes. Path is where it is loaded from if it is not shown.
	Length int
	Path   string
}

// reply returns the section of the reply at a place.
func (p *press) reply(run view.Run, at int, reply view.Reply, all bool) (section, error) {
	n := len(reply.Text)
	s := shownReply{Reply: reply, Run: run, Number: at + 1, Length: n,
		Path: fmt.Sprintf("/runs/%s/replies/%d", run.ID, at+1)}
	switch {
	case reply.Arriving:
		s.Shown = tail(reply.Text)
		s.Tail = len(s.Shown) < n
	case all:
		s.Shown = reply.Text
	case n <= p.replies:
		s.Shown = reply.Text
		p.replies -= n
	}
	sec := section{ID: fmt.Sprintf("reply-%d", at+1), In: inReplies}
	rendered, err := sec.render("reply", s)
	if err == nil && reply.Arriving { // what arrives is told apart from what changes
		s.Shown, s.Length, s.Tail = "", 0, false
		var without section
		without, err = sec.render("reply", s)
		rendered.hash = without.hash
	}
	return rendered, err
}

// tail returns the last whole lines of a text, at most maxTail bytes of it.
func tail(text string) string {
	if len(text) <= maxTail {
		return text
	}
	text = text[len(text)-maxTail:]
	if _, lines, ok := strings.Cut(text, "\n"); ok {
		return lines
	}
	return text
}

// render fills the section from a template.
func (s section) render(name string, data any) (section, error) {
	var b bytes.Buffer
	if err := templates["run.html"].ExecuteTemplate(&b, "section-"+name, data); err != nil {
		return section{}, fmt.Errorf("rendering %s of a run: %w", s.ID, err)
	}
	h := fnv.New64a()
	_, _ = h.Write(b.Bytes())
	s.HTML, s.hash = template.HTML(b.String()), h.Sum64() //nolint:gosec // a template has written it
	s.event = sync.OnceValue(func() string {
		return eventOf("section", map[string]any{"id": s.ID, "in": s.In, "html": s.HTML})
	})
	return s, nil
}
