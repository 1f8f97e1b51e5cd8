package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	head     pinned
	checkout Checkout
	index    *fileIndex
	picks    map[string]*pick
	leftOut  []leftOut
	listings []prompts.Listing
	// missing are names in the task that no file has.
	missing []string
	symbols []string
	globs   int
	linked  []linkedPlace
}

// choose finds and ranks the files that the comment is about.
func (s *session) choose(ctx context.Context, head pinned, checkout Checkout) (*gathering, error) {
	files, err := checkout.Files()
	if err != nil {
		return nil, fmt.Errorf("listing files: %w", err)
	}
	g := &gathering{session: s, head: head, checkout: checkout, index: newFileIndex(files), picks: map[string]*pick{}}
	if c := s.ev.Comment; c.Path != "" {
		g.resolve(reference{kind: byReview, names: []string{c.Path}}, 0)
	}
	g.resolveAll(findReferences(shownText(s.ev.Comment.Body)))
	steps := []func(context.Context) error{g.addChanged, g.loadPicks, g.settleLinks, g.addDefinitions}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return nil, err
		}
	}
	g.listNeighbours()
	return g, nil
}

// resolveAll takes the references in order; of a stack trace, the innermost frame first.
func (g *gathering) resolveAll(refs []reference) {
	frames := map[int]int{}
	for i := 0; i < len(refs); {
		j := i + 1
		for j < len(refs) && refs[i].innerLast && refs[j].trace == refs[i].trace {
			j++
		}
		for _, r := range slices.Backward(refs[i:j]) {
			if g.resolve(r, frames[r.trace]) {
				frames[r.trace]++
			}
		}
		i = j
	}
}

// resolve picks the files that a reference means, and says whether there are any. frame is how many frames of its trace
// were found before.
func (g *gathering) resolve(r reference, frame int) bool {
	switch {
	case r.kind == byGlob:
		return g.addGlob(r)
	case r.link != nil && !g.ours(*r.link):
		g.leave(r.link.repo+"/"+r.names[0], "it is in another repository")
		return false
	}
	for _, name := range r.names {
		found := g.index.resolve(name)
		if found.tooMany > 0 {
			if r.kind != byFrame {
				g.leave(name, fmt.Sprintf("%d files have this name; write the folder with it", found.tooMany))
			}
			return false
		}
		for _, f := range found.files {
			g.pick(f, r.kind, r.score(frame)-found.deduct, r.anchor())
			if r.link != nil && r.lines.From > 0 {
				g.linked = append(g.linked, linkedPlace{path: f, name: name, link: *r.link, lines: r.lines})
			}
		}
		if len(found.files) > 0 {
			return true
		}
	}
	return g.resolveOther(r)
}

// anchor is the place in the file as it is today; those of links and of comments on the diff are found by content, later.
func (r reference) anchor() span {
	if r.kind == byLink || r.kind == byReview {
		return span{}
	}
	return r.lines
}

// resolveOther takes a reference whose name no file has: a folder, a symbol, or a mistake.
func (g *gathering) resolveOther(r reference) bool {
	for _, name := range r.names {
		if folder, ok := g.index.isFolder(name); ok && (r.kind == byCode || r.kind == byLink || strings.Contains(name, "/")) {
			return g.addFolder(folder, r)
		}
	}
	switch {
	case len(r.names) == 0 || r.kind == byFrame || r.kind == byCompiler || r.kind == byName:
	case g.isNoFile(r.names[0]):
	case r.kind != byCode || r.lines.From > 0 || looksLikePath(r.names[0]) && (strings.Contains(r.names[0], "/") || isSource(r.names[0])):
		g.notFound(r.names[0])
	case r.symbol != "" && len(g.symbols) < maxSymbols && !slices.Contains(g.symbols, r.symbol):
		g.symbols = append(g.symbols, r.symbol)
	}
	return false
}

// isNoFile says that a name stands in the tree, but for something that is never shown.
func (g *gathering) isNoFile(name string) bool {
	clean, _ := cleanName(name)
	kind, err := g.checkout.Kind(clean)
	why := kindWord(kind)
	if err != nil || why == "" {
		return false
	}
	g.leave(clean, why)
	return true
}

// notFound notes a name that was meant as a file, and that none has.
func (g *gathering) notFound(name string) {
	if len(g.missing) < maxQuestionable && !unprintable(name) && !slices.Contains(g.missing, name) {
		g.missing = append(g.missing, name)
		g.leave(name, "there is no such file")
	}
}

func (g *gathering) leave(name, why string) {
	if l := (leftOut{name, why}); len(g.leftOut) < maxLeftOut && !slices.Contains(g.leftOut, l) {
		g.leftOut = append(g.leftOut, l)
	}
}

// pick adds a file, or a better reason to show it.
func (g *gathering) pick(name string, kind referenceKind, score int, at span) *pick {
	p := g.picks[name]
	if p == nil {
		p = &pick{path: name, order: len(g.picks)}
		g.picks[name] = p
	}
	if p.kind == 0 || score > p.score {
		p.score, p.kind = score, kind
	}
	if at.From > 0 && len(p.anchors) < maxAnchors && !slices.Contains(p.anchors, at) {
		p.anchors = append(p.anchors, at)
	}
	return p
}

func (g *gathering) addGlob(r reference) bool {
	if g.globs++; g.globs > maxGlobs {
		g.leave(r.names[0], fmt.Sprintf("only the first %d patterns of a comment are looked up", maxGlobs))
		return false
	}
	files, why := g.index.glob(r.names[0])
	if why != "" {
		g.leave(r.names[0], why)
	}
	for _, f := range files {
		if !generatedName(f) {
			g.pick(f, byGlob, r.score(0), span{})
		}
	}
	return len(files) > 0
}

// addFolder picks the files of a small folder, and lists a larger one.
func (g *gathering) addFolder(folder string, r reference) bool {
	files := g.index.below(folder)
	if len(files) > maxFolderFiles {
		g.list(folder)
		return true
	}
	r.kind, r.lines = byFolder, span{}
	for _, f := range files {
		g.pick(f, byFolder, r.score(0), span{})
	}
	return true
}

func (g *gathering) list(folder string) {
	if len(g.listings) == maxListings || unprintable(folder) || slices.ContainsFunc(g.listings, func(l prompts.Listing) bool { return l.Folder == folder }) {
		return
	}
	g.listings = append(g.listings, prompts.Listing{Folder: folder, Names: g.index.listing(folder)})
}

// listNeighbours lists the folder of the file that matters most, so that the model knows what there is beside it.
func (g *gathering) listNeighbours() {
	if ranked := g.ranked(); len(ranked) > 0 {
		g.list(folderOf(ranked[0].path))
	}
}

// addChanged picks what the pull request changes, and the tests of what was named.
func (g *gathering) addChanged(ctx context.Context) error {
	for _, p := range g.ranked() {
		if p.score < referenceKinds[bySymbol].score {
			break
		}
		for _, f := range g.index.siblings(p.path) {
			g.pick(f, bySibling, referenceKinds[bySibling].score, span{})
		}
	}
	if !g.ev.Thread.Pull {
		return nil
	}
	changed, err := g.GitHub.PullFiles(ctx, g.ev.Repo, g.ev.Thread.Number)
	if err != nil {
		return fmt.Errorf("listing the files of pull request %d: %w", g.ev.Thread.Number, err)
	}
	for _, f := range changed {
		if g.index.has(f) {
			g.pick(f, byChange, referenceKinds[byChange].score, span{})
		}
	}
	return nil
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
		if len(names) < maxLoaded && hiddenName(p.path) == "" {
			names = append(names, p.path)
		}
	}
	if err := g.load(ctx, names); err != nil {
		return err
	}
	p := g.picks[g.ev.Comment.Path]
	if p == nil {
		return nil
	}
	if data, ok := g.read(p.path); ok {
		if at := reviewPlace(g.ev.Comment, linesOf(data)); at.From > 0 {
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
