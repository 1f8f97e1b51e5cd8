package retrieve

import (
	"context"
	"path"
	"slices"

	"github.com/tenon-bot/tenon/bot/policy"
)

func folderOf(name string) string { return path.Dir(name) }

// addDefinitions picks files that define the symbols that the comment names, and what the named places use. All that must be
// looked into comes in one request.
func (g *gathering) addDefinitions(ctx context.Context) error {
	atHand := g.atHand()
	found := findDefinitions(g.symbols, atHand, g.read)
	unsettled := slices.DeleteFunc(slices.Clone(g.symbols), func(s string) bool { return len(found[s]) > 0 })
	used, beside := g.usedNear()
	search := slices.Clone(beside)
	if len(unsettled) > 0 {
		search = append(search, g.sources()...)
	}
	if err := g.load(ctx, search); err != nil {
		return err
	}
	if len(unsettled) > 0 {
		for symbol, places := range findDefinitions(unsettled, g.sources(), g.read) {
			found[symbol] = places
		}
	}
	for _, symbol := range g.symbols {
		g.pickPlaces(found[symbol], bySymbol, len(found[symbol]))
	}
	g.pickUsed(used, findDefinitions(used, append(beside, atHand...), g.read))
	return nil
}

// atHand are the source files that were loaded.
func (g *gathering) atHand() (out []string) {
	for _, p := range g.ranked() {
		if _, ok := g.read(p.path); ok && isSource(p.path) {
			out = append(out, p.path)
		}
	}
	return out
}

// sources are all files of source that people wrote, when they are few enough to look into.
func (g *gathering) sources() (out []string) {
	for _, f := range g.index.files {
		if isSource(f) && !generatedName(f) && hiddenName(f) == "" {
			out = append(out, f)
		}
	}
	if len(out) > maxSymbolFiles {
		return nil
	}
	// Globs take their time, so they are asked about few.
	return slices.DeleteFunc(out, func(f string) bool { return policy.FitsGlob(g.Policy.Ignore, f) })
}

// usedNear are the names around the named places that their own files do not define, and the files where those may be defined.
func (g *gathering) usedNear() (used, beside []string) {
	files := 0
	for _, p := range g.ranked() {
		data, ok := g.read(p.path)
		if !ok || len(p.anchors) == 0 || !isSource(p.path) || hiddenText(data) != "" {
			continue
		}
		if files++; files > maxAnchoredFiles {
			break
		}
		own := outline(p.path, data)
		for _, name := range usedNear(linesOf(data), p.anchors[0]) {
			if !slices.ContainsFunc(own, func(d definition) bool { return d.name == name }) {
				used = append(used, name)
			}
		}
		beside = append(beside, g.index.beside(p.path)...)
	}
	slices.Sort(used)
	slices.Sort(beside)
	return slices.Compact(used), slices.Compact(beside)
}

// pickPlaces picks the files of a name's definitions, unless it has too many to be meant.
func (g *gathering) pickPlaces(places []place, kind referenceKind, count int) {
	if count > maxPlaces {
		return
	}
	for _, p := range places {
		if Hides(g.Policy, p.path) == "" {
			g.pick(p.path, kind, referenceKinds[kind].score, Span{p.line, p.line})
		}
	}
}

// pickUsed picks the files that define most of what the places use.
func (g *gathering) pickUsed(used []string, found map[string][]place) {
	count := map[string]int{}
	for _, name := range used {
		if len(found[name]) <= maxPlaces {
			for _, p := range found[name] {
				count[p.path]++
			}
		}
	}
	files := make([]string, 0, len(count))
	for f := range count {
		files = append(files, f)
	}
	slices.SortFunc(files, func(a, b string) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		if a < b {
			return -1
		}
		return 1
	})
	files = files[:min(len(files), maxDefining)]
	for _, name := range used {
		for _, p := range found[name] {
			if len(found[name]) <= maxPlaces && slices.Contains(files, p.path) {
				g.pickPlaces([]place{p}, byDefinition, 1)
			}
		}
	}
}
