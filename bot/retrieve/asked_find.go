package retrieve

import (
	"context"
	"fmt"
	"regexp"
	"slices"
)

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
