package retrieve

import (
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine"
)

// fileIndex finds the files of one commit by what people call them.
type fileIndex struct {
	files []string // sorted by their bytes
	// last and before chain the files of one base name.
	last   map[string]int32
	before []int32
	// folded maps base names in lower case to files; made when first needed.
	folded map[string][]string
	// room is how many more files may be compared with names, so that many names of a base name that very many files have
	// cost no more than a few.
	room int
}

// maxCompared bounds the comparisons of one comment's names with files.
const maxCompared = 500_000

func newFileIndex(files []string) *fileIndex {
	x := &fileIndex{files: files, last: make(map[string]int32, len(files)), before: make([]int32, len(files)), room: maxCompared}
	for i, name := range files {
		base := name[strings.LastIndexByte(name, '/')+1:]
		if at, ok := x.last[base]; ok {
			x.before[i] = at
		} else {
			x.before[i] = -1
		}
		x.last[base] = int32(i)
	}
	return x
}

func (x *fileIndex) has(name string) bool {
	_, ok := slices.BinarySearch(x.files, name)
	return ok
}

// ofBase are the files of a base name, in the order of the tree; none when there is no room left to compare them.
func (x *fileIndex) ofBase(base string) (out []string) {
	at, ok := x.last[base]
	for ok && at >= 0 && x.room > 0 {
		x.room--
		out = append(out, x.files[at])
		at = x.before[at]
	}
	slices.Reverse(out)
	return out
}

// below are the files of a folder and of those in it.
func (x *fileIndex) below(folder string) []string {
	if folder == "." || folder == "" {
		return x.files
	}
	prefix := strings.TrimSuffix(folder, "/") + "/"
	from, _ := slices.BinarySearch(x.files, prefix)
	to, _ := slices.BinarySearch(x.files, strings.TrimSuffix(folder, "/")+"0") // "0" is what follows "/"
	return x.files[from:max(from, to)]
}

// resolved are the files that a name may mean. Several are worth less each, more than maxSameName none.
type resolved struct {
	files   []string
	deduct  int
	tooMany int // how many there are, when too many
}

// resolve finds what a name means: the very path, then without a/ or b/, then without leading folders, then by base name,
// then whatever the case. The first that finds something decides.
func (x *fileIndex) resolve(name string) resolved {
	name, whole := cleanName(name)
	if name == "" {
		return resolved{}
	}
	if x.has(name) {
		return resolved{files: []string{name}}
	}
	if rest, ok := cutSide(name); ok && x.has(rest) {
		return resolved{files: []string{rest}}
	}
	if found := x.byTail(name, whole, x.ofBase(path.Base(name))); len(found.files)+found.tooMany > 0 {
		return found
	}
	return x.resolveFolded(name, whole)
}

func cutSide(name string) (string, bool) {
	for _, side := range []string{"a/", "b/"} {
		if rest, ok := strings.CutPrefix(name, side); ok {
			return rest, true
		}
	}
	return name, false
}

// cleanName makes a name relative and clean; whole says that it named no place outside of the repository.
func cleanName(name string) (clean string, whole bool) {
	whole = true
	if len(name) > 2 && name[1] == ':' && (name[2] == '/' || name[2] == '\\') {
		name, whole = name[2:], false
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~") || strings.HasPrefix(name, "..") {
		whole = false
	}
	name = strings.TrimPrefix(path.Clean("/"+strings.TrimLeft(name, "~")), "/")
	return name, whole
}

// byTail takes, of the files of the right base name, those that share most trailing folders with name. whole says that
// the base name alone is enough.
func (x *fileIndex) byTail(name string, whole bool, candidates []string) resolved {
	best, files := 0, []string(nil)
	for _, f := range candidates {
		n := sharedTail(name, f)
		if n == strings.Count(f, "/")+1 && (n > 1 || whole) {
			n += maxNameBytes // the rest of the name led to the repository
		}
		if n > best {
			best, files = n, nil
		}
		if n == best {
			files = append(files, f)
		}
	}
	found := resolved{files: files}
	switch {
	case len(files) > maxSameName:
		return resolved{tooMany: len(files)}
	case len(files) > 1:
		found.deduct = scoreOneOf
	case best == 1:
		found.deduct = scoreOnlyBase
	}
	return found
}

// sharedTail counts the trailing parts that two paths share.
func sharedTail(a, b string) (n int) {
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

// resolveFolded looks without regard to case, for the only file that fits.
func (x *fileIndex) resolveFolded(name string, whole bool) resolved {
	if x.folded == nil {
		x.folded = make(map[string][]string, len(x.files))
		for _, f := range x.files {
			base := strings.ToLower(path.Base(f))
			x.folded[base] = append(x.folded[base], f)
		}
	}
	lower := strings.ToLower(name)
	var same, near []string
	all := x.folded[path.Base(lower)]
	x.room -= len(all)
	if x.room < 0 {
		return resolved{}
	}
	for _, f := range all {
		fold := strings.ToLower(f)
		n := sharedTail(lower, fold)
		switch {
		case fold == lower:
			same = append(same, f)
		case n == strings.Count(lower, "/")+1 || n > 1 || whole && n == strings.Count(f, "/")+1:
			near = append(near, f)
		}
	}
	found := resolved{files: same}
	if len(same) == 0 {
		found.files = near
	}
	if len(found.files) != 1 {
		return resolved{}
	}
	found.deduct = scoreOnlyBase
	return found
}

// isFolder says whether a name is that of a folder, and cleans it.
func (x *fileIndex) isFolder(name string) (string, bool) {
	name, _ = cleanName(name)
	return name, name != "" && len(x.below(name)) > 0
}

// kindWord says what a name is that is no regular file; empty when it is nothing.
func kindWord(kind engine.Kind) string {
	switch kind {
	case engine.Symlink:
		return "it is a symbolic link"
	case engine.Submodule:
		return "it is a submodule"
	default:
		return ""
	}
}
