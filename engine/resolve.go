package engine

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/tree"
	"github.com/tenon-bot/tenon/meter"
)

// resolvedPath is the file that a block refers to.
type resolvedPath struct {
	path   string
	exists bool
	// note says how the path was read, if not as it is written.
	note string
	// guessed is set if the file may be another one than the block refers to, so that the block must match it
	// exactly.
	guessed bool
}

// resolver finds the files that blocks refer to.
type resolver struct {
	tree Tree
	// created are the files that earlier blocks of the call created.
	created map[string]bool
	// kinds are the kinds of entries that were looked up in the tree.
	kinds map[string]Kind
	// byBase maps base names to files; of a tree that finds them itself, those that were asked for. nil until it is
	// needed.
	byBase map[string][]string
	// files are those of the tree; nil until they are needed.
	files []string
	// anyName is set if new files are not made, so that nobody asks what they may be called.
	anyName bool
	// newNames are nil until they are needed.
	newNames *Names
	work     *meter.Work
}

// names returns which new names the tree can take.
func (r *resolver) names() *Names {
	if r.newNames == nil {
		r.newNames = tree.NewNamesWithin(r.work, r.tree, r.kindInTree)
		for name := range r.created {
			r.newNames.Add(name)
		}
	}
	return r.newNames
}

// create notes a file that a block created.
func (r *resolver) create(name string) {
	r.created[name] = true
	if r.newNames != nil {
		r.newNames.Add(name)
	}
}

// resolve finds the file for the path of a block: as written, else with another prefix or separator, else by its base
// name. A refusal with FileNotFound has no detail: notFound returns it for the path.
func (r *resolver) resolve(b Block) (resolvedPath, *refusal, error) {
	names := b.Candidates
	if len(names) == 0 {
		names = []string{b.Path}
	}
	for _, name := range names {
		if clean, why := tree.Clean(name); why == "" {
			kind, err := r.kind(clean)
			if err != nil || kind == File || kind == Symlink || kind == Submodule || kind == Ignored {
				return r.checkParents(resolvedPath{path: clean, exists: true}, err)
			}
		}
	}
	inFolder, err := r.startsInFolder(b.Path)
	if err != nil {
		return resolvedPath{}, nil, err
	}
	for _, name := range pathVariants(b.Path) {
		if inFolder && (b.Create || b.Whole) {
			break
		}
		if kind, err := r.kind(name); err != nil || kind == File {
			return r.checkParents(resolvedPath{path: name, exists: true, guessed: inFolder,
				note: "The path was written as " + b.Path + "."}, err)
		}
	}
	clean, why := tree.Clean(b.Path)
	note := ""
	if slashed := strings.ReplaceAll(b.Path, "\\", "/"); why != "" && slashed != b.Path && (b.Create || b.Whole) {
		clean, why = tree.Clean(slashed)
		note = "The path was written as " + b.Path + "."
	}
	if why != "" {
		return resolvedPath{}, unsafePath(why), nil
	}
	target, refused, err := r.checkParents(resolvedPath{path: clean, note: note}, nil)
	if err != nil || refused != nil && refused.reason == UnsafePath {
		return resolvedPath{}, refused, err
	}
	if !r.anyName {
		if link, err := r.names().LinkBehind(clean); err != nil || link != "" {
			return resolvedPath{}, unsafePath("some systems treat it as a path through the link or submodule " + link), err
		}
	}
	if !b.Create && !b.Whole {
		return r.resolveByBase(clean)
	}
	if b.Whole && !strings.Contains(clean, "/") {
		if same, err := r.named(clean); err != nil || len(same) > 0 {
			return resolvedPath{path: clean}, &refusal{reason: FileNotFound}, err
		}
	}
	if !r.anyName {
		if why, err := r.names().Refuse(clean); err != nil || why != "" {
			return resolvedPath{}, unsafePath(why), err
		}
	}
	if kind, err := r.kind(clean); err != nil || kind == Folder {
		return resolvedPath{}, &refusal{FileExists, clean + " is a folder"}, err
	}
	return target, refused, nil
}

// startsInFolder reports whether the first folder of a path is in the tree. Then a leading a/ or b/ is more likely
// that folder than the prefix of a diff.
func (r *resolver) startsInFolder(name string) (bool, error) {
	clean, why := tree.Clean(name)
	top, _, nested := strings.Cut(clean, "/")
	if why != "" || !nested {
		return false, nil
	}
	kind, err := r.kind(top)
	return kind == Folder, err
}

// pathVariants returns other readings of a path that are safe: without a leading a/ or b/ of a diff, with slashes for
// backslashes, without a leading slash.
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
		if clean, why := tree.Clean(s); why == "" && clean != name {
			safe = append(safe, clean)
		}
	}
	return safe
}

// resolveByBase takes the only file with the base name of a path, for a path with a wrong folder.
func (r *resolver) resolveByBase(name string) (resolvedPath, *refusal, error) {
	same, err := r.named(path.Base(name))
	if err != nil {
		return resolvedPath{}, nil, err
	}
	if len(same) == 1 {
		return r.checkParents(resolvedPath{path: same[0], exists: true, guessed: true,
			note: name + " does not exist; this is the only file of that name, and the block matches it exactly."}, nil)
	}
	return resolvedPath{path: name}, &refusal{reason: FileNotFound}, nil
}

// namer is a Tree that finds the files of a base name, in order.
type namer interface {
	Named(base string) ([]string, error)
}

// named returns the files of a base name.
func (r *resolver) named(base string) ([]string, error) {
	lister, ok := r.tree.(namer)
	if !ok {
		err := r.indexByBase()
		return r.byBase[base], err
	}
	if same, known := r.byBase[base]; known {
		return same, nil
	}
	same, err := lister.Named(base)
	if err != nil {
		return nil, fmt.Errorf("looking for files named %s: %w", base, err)
	}
	r.work.Spend(tree.IndexCost * (1 + len(same)))
	if r.byBase == nil {
		r.byBase = map[string][]string{}
	}
	r.byBase[base] = same
	return same, nil
}

func (r *resolver) indexByBase() error {
	if r.byBase != nil {
		return nil
	}
	if err := r.listFiles(); err != nil {
		return err
	}
	r.work.Spend(tree.IndexCost * len(r.files))
	r.byBase = make(map[string][]string, len(r.files))
	for _, name := range r.files {
		base := path.Base(name)
		r.byBase[base] = append(r.byBase[base], name)
	}
	return nil
}

func (r *resolver) listFiles() (err error) {
	if r.files == nil {
		if r.files, err = r.tree.Files(); err != nil {
			return fmt.Errorf("listing the files: %w", err)
		}
	}
	return nil
}

// kind returns the kind of the entry at name, including files that this call created.
func (r *resolver) kind(name string) (Kind, error) {
	if r.created[name] {
		return File, nil
	}
	folder := name + "/"
	for file := range r.created {
		if strings.HasPrefix(file, folder) {
			return Folder, nil
		}
	}
	return r.kindInTree(name)
}

// kindInTree returns the kind of the entry at name in the tree, which it asks once for each. What is below an entry
// that is absent is absent, too.
func (r *resolver) kindInTree(name string) (Kind, error) {
	if kind, ok := r.kinds[name]; ok {
		return kind, nil
	}
	if folder := path.Dir(name); folder != "." && r.kinds[folder] == Absent {
		if _, ok := r.kinds[folder]; ok {
			return Absent, nil
		}
	}
	kind, err := r.tree.Kind(name)
	if err != nil {
		return Absent, fmt.Errorf("looking up %s: %w", name, err)
	}
	if r.kinds == nil {
		r.kinds = map[string]Kind{}
	}
	r.kinds[name] = kind
	return kind, nil
}

// checkParents refuses a path that is, or leads through, a symbolic link or a submodule, or leads through a file. If
// err is not nil, it returns err.
func (r *resolver) checkParents(target resolvedPath, err error) (resolvedPath, *refusal, error) {
	if err != nil {
		return resolvedPath{}, nil, err
	}
	for i := 0; i <= len(target.path); i++ {
		if i < len(target.path) && target.path[i] != '/' {
			continue
		}
		name := target.path[:i]
		kind, err := r.kind(name)
		if err != nil {
			return resolvedPath{}, nil, err
		}
		switch {
		case kind == Symlink:
			return resolvedPath{}, unsafePath(name + " is a symbolic link"), nil
		case kind == Submodule:
			return resolvedPath{}, unsafePath(name + " is a submodule"), nil
		case kind == Ignored:
			return resolvedPath{}, unsafePath(name + " is ignored by git, or left out of the checkout"), nil
		case kind == File && i < len(target.path):
			return resolvedPath{}, &refusal{FileExists, name + " is a file, so nothing can be below it"}, nil
		case kind == Absent: // and so is all below it
			return target, nil, nil
		}
	}
	return target, nil, nil
}

func unsafePath(why string) *refusal { return &refusal{UnsafePath, "Unsafe path: " + why} }

// maxSameBase bounds how many files with the same base name Paths returns for a block.
const maxSameBase = 8

// Paths returns the files that Apply may read for blocks, sorted: for as many blocks as it applies by default. A caller
// whose tree fetches contents on demand can fetch them all at once first. An error is the tree's own.
func Paths(t Tree, blocks []Block) ([]string, error) {
	r := resolver{tree: t, anyName: true}
	var names []string
	for _, b := range blocks[:min(len(blocks), defaultBlocks)] {
		target, refused, err := r.resolve(b)
		if err != nil {
			return nil, fmt.Errorf("resolving the path %s: %w", b.Path, err)
		}
		if refused == nil && target.exists {
			names = append(names, target.path)
		} else if r.byBase != nil {
			same, err := r.named(path.Base(b.Path))
			if err != nil {
				return nil, err
			}
			names = append(names, same[:min(len(same), maxSameBase)]...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}
