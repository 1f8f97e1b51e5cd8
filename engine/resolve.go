package engine

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"
)

// resolved is the file that a block means.
type resolvedPath struct {
	path   string
	exists bool
	// remark says how the path was read, when not as it is written.
	note string
	// guessed says that only the base name led here, so that the block must match exactly.
	guessed bool
}

// refusal is why a block cannot go on.
type refusal struct {
	reason Reason
	detail string
}

// resolver finds the files that blocks mean.
type resolver struct {
	tree Tree
	// fresh holds the files that earlier blocks of the call made.
	created map[string]bool
	byBase  map[string][]string
}

// resolve settles a block's path: as it is written, then with another prefix or separator, then by its base name alone.
func (r *resolver) resolve(b Block) (resolvedPath, *refusal, error) {
	names := b.Candidates
	if len(names) == 0 {
		names = []string{b.Path}
	}
	for _, name := range names {
		if clean, why := safePath(name); why == "" {
			kind, err := r.kind(clean)
			if err != nil || kind == File || kind == Symlink || kind == Submodule {
				return r.checkParents(resolvedPath{path: clean, exists: true}, err)
			}
		}
	}
	literal, err := r.startsInFolder(b.Path)
	if err != nil {
		return resolvedPath{}, nil, err
	}
	for _, name := range pathVariants(b.Path) {
		if literal && b.Create {
			break
		}
		if kind, err := r.kind(name); err != nil || kind == File {
			return r.checkParents(resolvedPath{path: name, exists: true, guessed: literal, note: "The path was written as " + b.Path + "."}, err)
		}
	}
	clean, why := safePath(b.Path)
	if why != "" {
		return resolvedPath{}, unsafePath(why), nil
	}
	found, refused, err := r.checkParents(resolvedPath{path: clean}, nil)
	if err != nil || refused != nil && refused.reason == UnsafePath {
		return resolvedPath{}, refused, err
	}
	if !b.Create {
		return r.resolveByBase(clean)
	}
	if kind, err := r.kind(clean); err != nil || kind == Folder {
		return resolvedPath{}, &refusal{FileExists, clean + " is a folder"}, err
	}
	return found, refused, nil
}

// inFolder reports a path whose first folder is in the tree: then a/ or b/ in front is likelier that folder than a diff's prefix.
func (r *resolver) startsInFolder(name string) (bool, error) {
	clean, why := safePath(name)
	top, _, nested := strings.Cut(clean, "/")
	if why != "" || !nested {
		return false, nil
	}
	kind, err := r.kind(top)
	return kind == Folder, err
}

// variants are other readings of a path, each safe: a diff's a/ or b/ in front, backslashes, a slash in front.
func pathVariants(name string) []string {
	slashed := strings.TrimLeft(strings.ReplaceAll(name, "\\", "/"), "/")
	readings := []string{slashed}
	if rest, ok := strings.CutPrefix(slashed, "a/"); ok {
		readings = append(readings, rest)
	} else if rest, ok := strings.CutPrefix(slashed, "b/"); ok {
		readings = append(readings, rest)
	}
	var safe []string
	for _, s := range readings {
		if clean, why := safePath(s); why == "" && clean != name {
			safe = append(safe, clean)
		}
	}
	return safe
}

// byBase takes a path in a wrong folder for the one file of its base name.
func (r *resolver) resolveByBase(name string) (resolvedPath, *refusal, error) {
	if err := r.indexByBase(); err != nil {
		return resolvedPath{}, nil, err
	}
	if same := r.byBase[path.Base(name)]; len(same) == 1 {
		return r.checkParents(resolvedPath{path: same[0], exists: true, guessed: true,
			note: fmt.Sprintf("%s does not exist; this is the only file of that name, and the block matches it exactly.", name)}, nil)
	}
	return resolvedPath{}, &refusal{FileNotFound, r.notFound(name)}, nil
}

func (r *resolver) indexByBase() error {
	if r.byBase != nil {
		return nil
	}
	files, err := r.tree.Files()
	if err != nil {
		return fmt.Errorf("listing the files: %w", err)
	}
	r.byBase = make(map[string][]string, len(files))
	for _, name := range files {
		base := path.Base(name)
		r.byBase[base] = append(r.byBase[base], name)
	}
	return nil
}

// kind asks for what stands at a name, files made by this call included.
func (r *resolver) kind(name string) (Kind, error) {
	if r.created[name] {
		return File, nil
	}
	for made := range r.created {
		if strings.HasPrefix(made, name) && strings.HasPrefix(made[len(name):], "/") {
			return Folder, nil
		}
	}
	kind, err := r.tree.Kind(name)
	if err != nil {
		return Absent, fmt.Errorf("looking up %s: %w", name, err)
	}
	return kind, nil
}

// checked refuses a path that leads through, or to, a link or a submodule.
func (r *resolver) checkParents(found resolvedPath, err error) (resolvedPath, *refusal, error) {
	if err != nil {
		return resolvedPath{}, nil, err
	}
	for i := 0; i <= len(found.path); i++ {
		if i < len(found.path) && found.path[i] != '/' {
			continue
		}
		kind, err := r.kind(found.path[:i])
		if err != nil {
			return resolvedPath{}, nil, err
		}
		switch {
		case kind == Symlink:
			return resolvedPath{}, unsafePath(fmt.Sprintf("%s is a symbolic link", found.path[:i])), nil
		case kind == Submodule:
			return resolvedPath{}, unsafePath(fmt.Sprintf("%s is a submodule", found.path[:i])), nil
		case kind == File && i < len(found.path):
			return resolvedPath{}, &refusal{FileExists, fmt.Sprintf("%s is a file, so that nothing can lie below it", found.path[:i])}, nil
		}
	}
	return found, nil, nil
}

func unsafePath(why string) *refusal { return &refusal{UnsafePath, "Unsafe path: " + why} }

// maxNear is how many paths a "did you mean" offers.
const maxSimilarPaths = 3

// notFound words a missing file, with the paths nearest to it.
func (r *resolver) notFound(name string) string {
	text := "File not found: " + name
	if similar := r.similarPaths(name); len(similar) > 0 {
		text += " (did you mean " + joinOr(similar) + "?)"
	}
	return text
}

func joinOr(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

type similarPath struct {
	name  string
	score int
}

// near returns the files whose base name is that of name or a slip away from it, the likeliest first.
func (r *resolver) similarPaths(name string) []string {
	if r.indexByBase() != nil {
		return nil
	}
	base := path.Base(name)
	var found []similarPath
	for other, names := range r.byBase {
		distance := editDistance(base, other)
		if distance > 2 || distance > len(base)/3 {
			continue
		}
		for _, n := range names {
			found = append(found, similarPath{n, distance*1000 - sharedFolders(n, name)})
		}
	}
	slices.SortFunc(found, func(a, b similarPath) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), maxSimilarPaths)] {
		names = append(names, f.name)
	}
	return names
}

// sharedParts counts the folders that two paths have in common, from either end.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	return commonPrefix(x, y) + commonSuffix(x, y)
}

// slips is the edit distance of two names, letter case aside; a large number when it is over 2.
func editDistance(a, b string) int {
	if len(a)-len(b) > 2 || len(b)-len(a) > 2 {
		return maxNameBytes
	}
	a, b = strings.ToLower(a), strings.ToLower(b)
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
		}
	}
	return row[len(b)]
}

// maxSameBase bounds how many files of one base name Paths returns for a block.
const maxSameBase = 8

// Paths returns the files that Apply may read for blocks, sorted: what their paths resolve to. A caller whose tree fetches
// contents on demand can bring them all at once first. Errors are the tree's own.
func Paths(tree Tree, blocks []Block) ([]string, error) {
	r := resolver{tree: tree}
	var names []string
	for _, b := range blocks {
		found, refused, err := r.resolve(b)
		if err != nil {
			return nil, fmt.Errorf("resolving the path %s: %w", b.Path, err)
		}
		if refused == nil && found.exists {
			names = append(names, found.path)
		} else if r.byBase != nil {
			same := r.byBase[path.Base(b.Path)]
			names = append(names, same[:min(len(same), maxSameBase)]...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
