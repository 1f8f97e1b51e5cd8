package retrieve

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/engine"
)

// asked is an ask, and what is found for it.
type asked struct {
	ask   Ask
	given Given
	// refused is why nothing can be shown; near are paths to ask for instead.
	refused string
	near    []string
	// path is the file that is meant, empty if another thing is; names are those of a folder or pattern; find is the text
	// to find, or the name whose definition is looked for if define is set.
	path   string
	names  []string
	find   string
	define bool
	// views are the files to show, lines those that a text was found in.
	views []*view
	lines []string
	all   int
	// absent is why lines with another text are shown; empty if they are not.
	absent string
	// repeated reports whether the same text was found in an earlier round.
	repeated bool
}

// resolveAsk finds out what an ask means.
func (r *round) resolveAsk(a Ask) *asked {
	it := &asked{ask: a, given: Given{Ask: a.String()}}
	if a.Find != "" {
		it.find = a.Find
		it.repeated = slices.Contains(r.Seen.Asks, it.given.Ask)
		return it
	}
	name := a.Path
	if isPattern(name) && !r.index.Has(name) {
		files, why := r.index.match(name)
		files = slices.DeleteFunc(files, func(name string) bool { return Withheld(r.Policy, name) != "" })
		if why == "" && len(files) == 0 {
			why = "none of the files that match may be shown"
		}
		if it.names, it.refused = files, why; len(files) != 1 {
			return it
		}
		name, it.names = files[0], nil
	}
	found := r.index.resolve(name)
	folder, isFolder := r.index.folder(name)
	switch {
	case len(found.files) == 1:
		it.path = found.files[0]
	case len(found.files) > 1 || found.tooMany > 0:
		it.refused = fmt.Sprintf("%d files have this name; ask for one by its path", max(len(found.files), found.tooMany))
		it.near = r.index.nearest(name)
	case isFolder:
		it.names = r.listing(folder)
	case r.kindOf(name) == engine.Symlink:
		it.refused = "it is a symbolic link"
	case r.kindOf(name) == engine.Submodule:
		it.refused = "it is a submodule"
	case r.kindOf(name) == engine.Ignored:
		it.refused = "git ignores it, or leaves it out of the checkout"
	case askedName.MatchString(name) && !isAskedPath(name):
		it.find, it.define = lastName(name), true
	default:
		it.refused = "there is no such file"
		it.near = r.index.nearest(name)
	}
	return it
}

// kindOf returns what a path is in the tree.
func (r *round) kindOf(name string) engine.Kind {
	clean, _ := cleanName(name)
	kind, err := r.checkout.Kind(clean)
	if err != nil {
		return engine.Absent
	}
	return kind
}

// searchable returns the files in which texts and names are found: the sources whose contents are ranked, their tests
// as far as there is room, maxSources in all, and what the model was shown.
func (r *round) searchable() []string {
	all := r.sources()
	files := all.paths(all.likeliest(r.words()))
	tests := r.tests()
	files = append(files, tests[:min(len(tests), maxSources-len(files))]...)
	for name := range r.Seen.Shown {
		if r.index.Has(name) && Withheld(r.Policy, name) == "" {
			files = append(files, name)
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// search finds a text, or the definitions of a name.
func (r *round) search(ctx context.Context, it *asked) {
	c := corpus{files: r.files, read: r.read, redacted: r.quoted}
	if len(it.find) < minFindBytes {
		it.refused = fmt.Sprintf("a text of fewer than %d characters is too common", minFindBytes)
		return
	}
	found := c.search(ctx, it.find)
	if it.define {
		for _, m := range found[:min(len(found), maxAskedPlaces)] {
			if v, why := r.viewOf(m.path); m.class == matchDefines && why == "" {
				if v.choose(Ask{Path: m.path, Name: it.ask.Path}) == "" {
					it.views = append(it.views, v)
				}
			}
		}
		if len(it.views) > 0 {
			return
		}
	}
	hits, all := c.quote(ctx, it.find, found)
	if len(hits) == 0 { // what is in secrets alone is answered like what is nowhere
		it.absent = "no source that can be searched has it"
		if it.define {
			it.absent = "there is no such file, and no definition of this name"
		}
		it.near = r.index.nearest(it.find)
		// Code that the model remembers differently has most of its names right.
		if it.find = longestName(it.find); it.find != "" {
			hits, all = c.quote(ctx, it.find, c.search(ctx, it.find))
		}
	}
	if it.all = all; len(hits) == 0 {
		it.refused = it.absent
	}
	for _, h := range hits {
		it.lines = append(it.lines, fmt.Sprintf("%s:%d: %s", h.path, h.line, h.text))
	}
}

var namesWithin = regexp.MustCompile(`[A-Za-z_]\w{3,}`)

// longestName returns the longest name in a text that is more than that name; empty if there is none.
func longestName(text string) (longest string) {
	for _, name := range namesWithin.FindAllString(text, -1) {
		if len(name) > len(longest) && len(name) < len(text) {
			longest = name
		}
	}
	return longest
}
