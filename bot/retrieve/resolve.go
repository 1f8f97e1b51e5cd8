package retrieve

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

// resolveAll takes the references in order; of a stack trace, the innermost frame first.
func (g *gathering) resolveAll(refs []reference) {
	frames := map[int]int{}
	for _, r := range innermostFirst(refs) {
		if g.resolve(r, frames[r.trace]) {
			frames[r.trace]++
		}
	}
}

// innermostFirst turns the traces around whose innermost frame comes last; all else stays where it is.
func innermostFirst(refs []reference) []reference {
	out := slices.Clone(refs)
	places := map[int][]int{}
	for i, r := range refs {
		if r.innerLast {
			places[r.trace] = append(places[r.trace], i)
		}
	}
	for _, at := range places {
		for k := range at {
			out[at[k]] = refs[at[len(at)-1-k]]
		}
	}
	return out
}

// resolve picks the files that a reference means, and says whether there are any. frame is how many frames of its trace
// were found before.
func (g *gathering) resolve(r reference, frame int) bool {
	switch {
	case r.kind == byGlob:
		return g.addGlob(r)
	case r.link != nil && !g.ours(*r.link):
		g.leave(r.link.repo+"/"+r.Names[0], "it is in another repository")
		return false
	}
	for _, name := range g.likelyFirst(r) {
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

// likelyFirst are the readings of a reference's name. Of a link, those come first that are whole paths of files: where its
// ref ends, nobody else can say.
func (g *gathering) likelyFirst(r reference) []string {
	if r.link == nil {
		return r.Names
	}
	names := slices.Clone(r.Names)
	slices.SortStableFunc(names, func(a, b string) int {
		switch has, other := g.index.has(a), g.index.has(b); {
		case has == other:
			return 0
		case has:
			return -1
		default:
			return 1
		}
	})
	return names
}

// anchor is the place in the file as it is today; those of links and of comments on the diff are found by content, later.
func (r reference) anchor() Span {
	if r.kind == byLink || r.kind == byReview {
		return Span{}
	}
	return r.lines
}

// resolveOther takes a reference whose name no file has: a folder, a symbol, or a mistake.
func (g *gathering) resolveOther(r reference) bool {
	for _, name := range r.Names {
		if folder, ok := g.index.isFolder(name); ok && (r.kind == byCode || r.kind == byLink || strings.Contains(name, "/")) {
			return g.addFolder(folder, r)
		}
	}
	switch {
	case len(r.Names) == 0 || r.kind == byFrame || r.kind == byCompiler || r.kind == byName:
	case g.isNoFile(r.Names[0]):
	case r.kind != byCode || r.lines.From > 0 || LooksLikePath(r.Names[0]) && (strings.Contains(r.Names[0], "/") || isSource(r.Names[0])):
		g.notFound(r.Names[0])
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
	if len(g.missing) < maxQuestionable && len(name) <= maxQuestionableBytes && !markdown.Unprintable(name) && !slices.Contains(g.missing, name) {
		g.missing = append(g.missing, name)
		g.leave(name, "there is no such file")
	}
}

func (g *gathering) leave(name, why string) {
	if l := (LeftOut{name, why}); len(g.leftOut) < maxLeftOut && !slices.Contains(g.leftOut, l) {
		g.leftOut = append(g.leftOut, l)
	}
}

// pick adds a file, or a better reason to show it.
func (g *gathering) pick(name string, kind referenceKind, score int, at Span) {
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
}

func (g *gathering) addGlob(r reference) bool {
	if g.globs++; g.globs > maxGlobs {
		g.leave(r.Names[0], fmt.Sprintf("only the first %d patterns of a comment are looked up", maxGlobs))
		return false
	}
	files, why := g.index.glob(r.Names[0])
	if why != "" {
		g.leave(r.Names[0], why)
	}
	for _, f := range files {
		if !generatedName(f) {
			g.pick(f, byGlob, r.score(0), Span{})
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
	r.kind, r.lines = byFolder, Span{}
	for _, f := range files {
		g.pick(f, byFolder, r.score(0), Span{})
	}
	return true
}

func (g *gathering) list(folder string) {
	if len(g.listings) == maxListings || markdown.Unprintable(folder) || slices.ContainsFunc(g.listings, func(l prompts.Listing) bool { return l.Folder == folder }) {
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
