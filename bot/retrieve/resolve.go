package retrieve

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/secret"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/prompts"
)

// resolveAll resolves references in order; of a stack trace, the innermost frame first.
func (s *selector) resolveAll(refs []reference) {
	frames := map[int]int{}
	for _, r := range innermostFirst(refs) {
		if s.resolve(r, frames[r.trace]) {
			frames[r.trace]++
		}
	}
}

// innermostFirst reverses the traces whose innermost frame comes last. All else stays where it is.
func innermostFirst(refs []reference) []reference {
	out := slices.Clone(refs)
	frames := map[int][]int{}
	for i, r := range refs {
		if r.innerLast {
			frames[r.trace] = append(frames[r.trace], i)
		}
	}
	for _, at := range frames {
		for k := range at {
			out[at[k]] = refs[at[len(at)-1-k]]
		}
	}
	return out
}

// resolve adds the files that a reference means, and reports whether there are any. frame is how many frames of its
// trace were resolved before.
func (s *selector) resolve(r reference, frame int) bool {
	switch {
	case r.reason == byPattern:
		return s.addPattern(r)
	case r.link != nil && !s.here(*r.link):
		s.leaveOut(r.link.repo+"/"+r.names[0], "it is in another repository")
		return false
	}
	for _, name := range s.likeliestFirst(r) {
		found := s.index.resolve(name)
		if found.tooMany > 0 {
			if r.reason != byFrame && !r.printed {
				s.leaveOut(name, fmt.Sprintf("%d files have this name; write the folder with it", found.tooMany))
			}
			return false
		}
		for _, f := range found.files {
			lines := r.lines
			if r.reason == byLink || r.reason == byReview {
				lines = Span{} // they are found by what they contain, later
			}
			s.add(f, r.reason, r.score(frame)-found.penalty, lines)
			s.candidates[f].certain = s.candidates[f].certain || r.certain(s.asked)
			if r.link != nil && r.lines.From > 0 {
				s.links = append(s.links, linkedLines{path: f, name: name, link: *r.link, lines: r.lines})
			}
		}
		if len(found.files) > 0 {
			return true
		}
	}
	return s.resolveOther(r)
}

// likeliestFirst returns the readings of a reference's name. Of a link, those come first that are whole paths of files:
// where its ref ends, nothing else can say.
func (s *selector) likeliestFirst(r reference) []string {
	if r.link == nil {
		return r.names
	}
	var whole, others []string
	for _, name := range r.names {
		if s.index.Has(name) {
			whole = append(whole, name)
		} else {
			others = append(others, name)
		}
	}
	return append(whole, others...)
}

// resolveOther resolves a reference whose name no file has: it is a folder, a name in code, or a mistake.
func (s *selector) resolveOther(r reference) bool {
	if r.printed {
		return false
	}
	for _, name := range r.names {
		folder, ok := s.index.folder(name)
		if ok && (r.reason == byCode || r.reason == byLink || strings.Contains(name, "/")) {
			return s.addFolder(folder, r)
		}
	}
	switch {
	case len(r.names) == 0 || r.reason == byFrame || r.reason == byCompiler || r.reason == byName:
	case s.isNoFile(r.names[0]):
	case r.reason != byCode || namesSourceFile(r.names[0]):
		if s.isSeen(r) {
			s.addMissing(r.names[0])
		}
	case r.symbol != "" && len(s.symbols) < maxSymbols && !slices.Contains(s.symbols, r.symbol):
		s.symbols = append(s.symbols, r.symbol)
	}
	return false
}

// isSeen reports whether people see the name of a reference: the model is told of no other that has no file.
func (s *selector) isSeen(r reference) bool {
	switch r.reason {
	case byReview, byOption, byTask:
		return true
	}
	return strings.Contains(s.seen, r.names[0])
}

// isNoFile reports whether a name is in the tree, for something that is never shown.
func (s *selector) isNoFile(name string) bool {
	clean, _ := cleanName(name)
	switch kind, err := s.checkout.Kind(clean); {
	case err != nil:
		return false
	case kind == engine.Symlink:
		s.leaveOut(clean, "it is a symbolic link")
	case kind == engine.Submodule:
		s.leaveOut(clean, "it is a submodule")
	case kind == engine.Ignored:
		s.leaveOut(clean, "git ignores it, or leaves it out of the checkout")
	default:
		return false
	}
	return true
}

// addMissing notes a name that was meant as a file's, and that none has.
func (s *selector) addMissing(name string) {
	if secret.InPath(name) { // whether there is such a file or not
		s.leaveOut(name, secretInPath)
		return
	}
	if len(s.missing) < maxMissing && len(name) <= maxMissingBytes && !markdown.Unprintable(name) &&
		!slices.Contains(s.missing, name) {
		s.missing = append(s.missing, name)
		s.leaveOut(name, "there is no such file")
	}
}

// addPattern adds the files that a pattern matches, but for generated ones.
func (s *selector) addPattern(r reference) bool {
	if s.patterns++; s.patterns > maxPatterns {
		s.leaveOut(r.names[0], fmt.Sprintf("only the first %d patterns of a comment are looked up", maxPatterns))
		return false
	}
	files, why := s.index.match(r.names[0])
	if why != "" {
		s.leaveOut(r.names[0], why)
	}
	for _, f := range files {
		if !generatedName(f) {
			s.add(f, byPattern, r.score(0), Span{})
		}
	}
	return len(files) > 0
}

// addFolder adds the files of a small folder, and lists a larger one.
func (s *selector) addFolder(folder string, r reference) bool {
	from, to := s.index.Below(folder)
	if to-from > maxFolderFiles {
		s.list(folder)
		return true
	}
	r.reason, r.lines = byFolder, Span{}
	for f := range s.index.Between(from, to) {
		s.add(f, byFolder, r.score(0), Span{})
	}
	return true
}

// list lists what is in a folder.
func (s *selector) list(folder string) {
	listed := func(l prompts.Listing) bool { return l.Folder == folder }
	if len(s.listings) < maxListings && !markdown.Unprintable(folder) && !slices.ContainsFunc(s.listings, listed) {
		s.listings = append(s.listings, prompts.Listing{Folder: folder, Names: s.listing(folder)})
	}
}

// listing returns the names in a folder, but for those of files that must not be shown.
func (s *selector) listing(folder string) []string {
	return slices.DeleteFunc(s.index.listing(folder), func(name string) bool {
		return !strings.HasSuffix(name, "/") && Withheld(s.Policy, path.Join(folder, name)) != ""
	})
}
