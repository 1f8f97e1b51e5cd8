package retrieve

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/paths"
	"github.com/tenon-bot/tenon/bot/policy"
)

// Bounds on what the names of one query are compared with, and on what they mean.
const (
	maxCompared = 500_000  // files that are compared with a name
	maxRead     = 64 << 20 // bytes of paths that are compared with patterns, or with what does not exist
	maxSameName = 8        // files of one name; with more of them, the name has to be written with its folder
	maxMatches  = 50       // files of one pattern
	maxListed   = 60       // names in a listing
)

// index finds the files of one commit by what people call them.
type index struct {
	*paths.List
	// repository is the name of the repository without its owner, empty if it is not known.
	repository string
	// room is how many more files may be compared, so that many names that very many files have cost no more than a
	// few. bytes is how many more bytes of paths may be read for patterns and for what does not exist.
	room, bytes int
}

func newIndex(files *paths.List) *index {
	return &index{List: files, room: maxCompared, bytes: maxRead}
}

// named returns the files of a base name in order: the last ones that there is room to compare.
func (x *index) named(base string) []string {
	if x.room <= 0 {
		return nil
	}
	all := x.Named(base)
	all = all[max(0, len(all)-x.room):]
	x.room -= len(all)
	return all
}

// folder cleans a name, and reports whether it is a folder's.
func (x *index) folder(name string) (clean string, ok bool) {
	clean, _ = cleanName(name)
	from, to := x.Below(clean)
	return clean, clean != "" && from < to
}

// resolved is what a name means.
type resolved struct {
	files []string
	// penalty is how much less each is worth than if the name were its path.
	penalty int
	// tooMany is how many files the name may mean if those are too many; files is empty then.
	tooMany int
}

// resolve returns the files that a name means: the one of that path, with or without a leading a/ or b/; else those
// that share most of the end of the path; else the only one whose name differs in case.
func (x *index) resolve(name string) resolved {
	name, ok := inRepository(name, x.repository)
	name, inside := cleanName(name)
	if name == "" || !ok {
		return resolved{}
	}
	if x.Has(name) {
		return resolved{files: []string{name}}
	}
	for _, side := range []string{"a/", "b/"} { // of a diff
		if rest, ok := strings.CutPrefix(name, side); ok && x.Has(rest) {
			return resolved{files: []string{rest}}
		}
	}
	if found := x.resolveEnd(name, inside); len(found.files)+found.tooMany > 0 {
		return found
	}
	return x.resolveFolded(name, inside)
}

// cleanName returns a name as a relative path. inside reports whether it stays in the repository.
func cleanName(name string) (clean string, inside bool) {
	inside = true
	if len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') {
		name, inside = name[2:], false
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "..") {
		inside = false
	}
	return strings.TrimPrefix(path.Clean("/"+strings.TrimLeft(name, "~")), "/"), inside
}

// resolveEnd returns the files of the right base name that share most folders with the end of a name. A name that leads
// out of the repository must share one.
func (x *index) resolveEnd(name string, inside bool) resolved {
	best, files := 0, []string(nil)
	for _, f := range x.named(path.Base(name)) {
		n := sharedEnd(name, f)
		if n == strings.Count(f, "/")+1 && (n > 1 || inside) {
			n += maxNameBytes // what is before it led to the repository
		}
		if n > best {
			best, files = n, nil
		}
		if n == best {
			files = append(files, f)
		}
	}
	switch {
	case len(files) > maxSameName:
		return resolved{tooMany: len(files)}
	case len(files) > 1:
		return resolved{files: files, penalty: ambiguityPenalty}
	case best == 1:
		return resolved{files: files, penalty: basePenalty}
	}
	return resolved{files: files}
}

// sharedEnd returns how many parts two paths share at their end.
func sharedEnd(a, b string) (n int) {
	for a != "" && b != "" {
		i, j := strings.LastIndexByte(a, '/'), strings.LastIndexByte(b, '/')
		if a[i+1:] != b[j+1:] {
			return n
		}
		n++
		a, b = a[:max(i, 0)], b[:max(j, 0)]
	}
	return n
}

// resolveFolded returns the file that a name means whatever the case, if there is only one.
func (x *index) resolveFolded(name string, inside bool) resolved {
	name = strings.ToLower(name)
	var same, similar []string
	if x.room < 0 {
		return resolved{}
	}
	for f := range x.Folded(path.Base(name)) {
		if x.room--; x.room < 0 {
			return resolved{}
		}
		lower := strings.ToLower(f)
		n := sharedEnd(name, lower)
		switch {
		case lower == name:
			same = append(same, f)
		case n == strings.Count(name, "/")+1 || n > 1 || inside && n == strings.Count(f, "/")+1:
			similar = append(similar, f)
		}
	}
	if len(same) == 0 {
		same = similar
	}
	if len(same) != 1 {
		return resolved{}
	}
	return resolved{files: same, penalty: basePenalty}
}

// match returns the files that a pattern matches, or why it matches none. A pattern without a slash matches base names.
func (x *index) match(pattern string) (files []string, why string) {
	pattern = strings.TrimPrefix(strings.ReplaceAll(pattern, `\`, "/"), "./")
	if policy.GlobTooCostly(pattern) {
		return nil, "the pattern is too complicated; name the files or a folder"
	}
	if !strings.Contains(pattern, "/") {
		pattern = "**/" + pattern
	}
	if !doublestar.ValidatePattern(pattern) {
		return nil, "it is not a valid pattern"
	}
	folder, _ := doublestar.SplitPattern(pattern)
	from, to := x.Below(folder)
	for f := range x.Between(from, to) {
		if !x.spend(len(f)) {
			return nil, "there are too many files to look for a pattern; name the files or a folder"
		}
		if doublestar.MatchUnvalidated(pattern, f) {
			files = append(files, f)
		}
	}
	switch n := len(files); {
	case n == 0:
		return nil, "no file matches the pattern"
	case n > maxMatches:
		return nil, fmt.Sprintf("%d files match the pattern, more than %d; use a narrower one", n, maxMatches)
	}
	return files, ""
}

// spend takes n bytes of what may be read, and reports whether there are as many.
func (x *index) spend(n int) bool {
	if n > x.bytes {
		x.bytes = 0
		return false
	}
	x.bytes -= n
	return true
}

// listing returns the names in a folder: of its files, and of its folders with a slash behind.
func (x *index) listing(folder string) (names []string) {
	prefix := strings.TrimPrefix(folder+"/", "./")
	for at, to := x.Below(folder); at < to; {
		rest := strings.TrimPrefix(x.At(at), prefix)
		at++
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			rest = rest[:i+1]
			_, at = x.Below(prefix + rest)
		}
		if markdown.Unprintable(rest) {
			continue
		}
		if len(names) == maxListed {
			return append(names, "…")
		}
		names = append(names, rest)
	}
	return names
}

// testNames are how the tests of a file are called, by its extension. * stands for its name without that.
var testNames = map[string][]string{
	".go":   {"*_test.go"},
	".py":   {"test_*.py", "*_test.py"},
	".js":   {"*.test.js", "*.spec.js"},
	".jsx":  {"*.test.jsx", "*.spec.jsx"},
	".mjs":  {"*.test.mjs", "*.spec.mjs"},
	".ts":   {"*.test.ts", "*.spec.ts"},
	".tsx":  {"*.test.tsx", "*.spec.tsx"},
	".java": {"*Test.java", "*Tests.java"},
	".kt":   {"*Test.kt", "*Tests.kt"},
	".cs":   {"*Tests.cs", "*Test.cs"},
	".rb":   {"*_spec.rb", "*_test.rb"},
	".php":  {"*Test.php"},
	".rs":   {"*_test.rs", "*_tests.rs"},
	".cpp":  {"*_test.cpp"},
	".cc":   {"*_test.cc"},
	".c":    {"*_test.c", "test_*.c"},
	".ex":   {"*_test.exs"},
}

// siblings returns the tests of a file, or what a test tests: of each such name, the file in the same folder, or else
// the only one there is.
func (x *index) siblings(name string) (out []string) {
	base, ext := path.Base(name), path.Ext(name)
	add := func(base string) {
		if beside := path.Join(path.Dir(name), base); x.Has(beside) {
			out = append(out, beside)
		} else if all := x.named(base); len(all) == 1 && all[0] != name {
			out = append(out, all[0])
		}
	}
	for _, form := range testNames[ext] {
		add(strings.ReplaceAll(form, "*", strings.TrimSuffix(base, ext)))
		head, tail, _ := strings.Cut(form, "*")
		if tested := strings.TrimSuffix(strings.TrimPrefix(base, head), tail); tested != "" && head+tested+tail == base {
			add(tested + ext)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
