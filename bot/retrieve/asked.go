package retrieve

import (
	"fmt"
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
