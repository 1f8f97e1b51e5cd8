package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tenon-bot/tenon/prompts"
)

// Bounds on what is fetched to choose from.
const (
	maxLoaded   = 80
	maxAnchors  = 12 // places of one file
	maxLeftOut  = 100
	maxListings = 4
	// maxDefining is how many files are shown because they define what a place uses.
	maxDefining = 5
	// maxAnchoredFiles is how many files' places are looked into for what they use.
	maxAnchoredFiles = 3
)

// pick is a file that may be shown.
type pick struct {
	path string
	// score and kind are those of the best reference to it; order is when it was first named.
	score, order int
	kind         referenceKind
	anchors      []span
}

// gathering chooses the files of one question.
type gathering struct {
	*session
	head     target
	checkout Checkout
	index    *fileIndex
	picks    map[string]*pick
	// changed is what the pull request changes.
	changed  []ChangedFile
	leftOut  []leftOut
	listings []prompts.Listing
	// missing are names in the task that no file has.
	missing []string
	symbols []string
	globs   int
	linked  []linkedPlace
}

// choose finds and ranks the files that the comment is about.
func (s *session) choose(ctx context.Context, head target, checkout Checkout, what task, changed []ChangedFile) (*gathering, error) {
	files, err := checkout.Files()
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	g := &gathering{session: s, head: head, checkout: checkout, changed: changed, index: newFileIndex(files), picks: map[string]*pick{}}
	if c := s.about(); c.Path != "" {
		g.resolve(reference{kind: byReview, names: []string{c.Path}}, 0)
	}
	for _, name := range s.inv.options.files {
		g.resolve(reference{kind: byOption, names: []string{name}}, 0)
	}
	for _, f := range what.files {
		g.resolve(reference{kind: byTask, names: []string{f.path}, lines: f.lines}, 0)
	}
	for _, text := range append(what.sources, head.Title, head.About) {
		g.resolveAll(findReferences(shownText(text)))
	}
	g.addChanged()
	steps := []func(context.Context) error{g.loadPicks, g.settleLinks, g.addDefinitions}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	g.listNeighbours()
	return g, nil
}

// addChanged picks what the pull request changes, and the tests of what was named.
func (g *gathering) addChanged() {
	for _, p := range g.ranked() {
		if p.score < referenceKinds[bySymbol].score {
			break
		}
		for _, f := range g.index.siblings(p.path) {
			g.pick(f, bySibling, referenceKinds[bySibling].score, span{})
		}
	}
	for _, f := range g.changed {
		if g.index.has(f.Path) {
			g.pick(f.Path, byChange, referenceKinds[byChange].score, span{})
		}
	}
}

// ranked are the picks, the likeliest first.
func (g *gathering) ranked() []*pick {
	out := make([]*pick, 0, len(g.picks))
	for _, p := range g.picks {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *pick) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.order, b.order)) })
	return out
}

// loadPicks brings the likeliest files here, in one request, and finds the place of a comment on the diff.
func (g *gathering) loadPicks(ctx context.Context) error {
	var names []string
	for _, p := range g.ranked() {
		if len(names) < maxLoaded && hides(g.policy, p.path) == "" {
			names = append(names, p.path)
		}
	}
	if err := g.load(ctx, names); err != nil {
		return err
	}
	p := g.picks[g.about().Path]
	if p == nil {
		return nil
	}
	if data, ok := g.read(p.path); ok {
		if at := reviewPlace(g.about(), linesOf(data)); at.From > 0 {
			p.anchors = append([]span{at}, p.anchors...)
		}
	}
	return nil
}

func (g *gathering) load(ctx context.Context, names []string) error {
	if len(names) == 0 {
		return nil
	}
	if err := g.checkout.Load(ctx, names...); err != nil {
		return fmt.Errorf("loading %d files: %w", len(names), err)
	}
	return nil
}

// read returns the bytes of a file that was loaded.
func (g *gathering) read(name string) ([]byte, bool) {
	data, err := g.checkout.ReadFile(name)
	return data, err == nil
}

// tooLarge says that a file could not be read because of its size.
func (g *gathering) tooLarge(name string) bool {
	_, err := g.checkout.ReadFile(name)
	var user *UserError
	return errors.As(err, &user)
}
