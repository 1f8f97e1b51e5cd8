package engine

import (
	"fmt"
	"path"
	"strings"
)

// resolved is the file that a block means.
type resolved struct {
	path   string
	exists bool
	// remark says how the path was read, when not as it is written.
	remark string
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
	fresh map[string]bool
	bases map[string][]string
}

// resolve settles a block's path: as it is written, then with another prefix or separator, then by its base name alone.
func (r *resolver) resolve(b Block) (resolved, *refusal, error) {
	names := b.Candidates
	if len(names) == 0 {
		names = []string{b.Path}
	}
	for _, name := range names {
		if clean, why := safePath(name); why == "" {
			kind, err := r.kind(clean)
			if err != nil || kind == File || kind == Symlink || kind == Submodule {
				return r.checked(resolved{path: clean, exists: true}, err)
			}
		}
	}
	literal, err := r.inFolder(b.Path)
	if err != nil {
		return resolved{}, nil, err
	}
	for _, name := range variants(b.Path) {
		if literal && b.Create {
			break
		}
		if kind, err := r.kind(name); err != nil || kind == File {
			return r.checked(resolved{path: name, exists: true, guessed: literal, remark: "The path was written as " + b.Path + "."}, err)
		}
	}
	clean, why := safePath(b.Path)
	if why != "" {
		return resolved{}, unsafe(why), nil
	}
	found, no, err := r.checked(resolved{path: clean}, nil)
	if err != nil || no != nil && no.reason == UnsafePath {
		return resolved{}, no, err
	}
	if !b.Create {
		return r.byBase(clean)
	}
	if kind, err := r.kind(clean); err != nil || kind == Folder {
		return resolved{}, &refusal{FileExists, clean + " is a folder"}, err
	}
	return found, no, nil
}

// inFolder reports a path whose first folder is in the tree: then a/ or b/ in front is likelier that folder than a diff's prefix.
func (r *resolver) inFolder(name string) (bool, error) {
	clean, why := safePath(name)
	top, _, nested := strings.Cut(clean, "/")
	if why != "" || !nested {
		return false, nil
	}
	kind, err := r.kind(top)
	return kind == Folder, err
}

// variants are other readings of a path, each safe: a diff's a/ or b/ in front, backslashes, a slash in front.
func variants(name string) []string {
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
func (r *resolver) byBase(name string) (resolved, *refusal, error) {
	if err := r.index(); err != nil {
		return resolved{}, nil, err
	}
	if same := r.bases[path.Base(name)]; len(same) == 1 {
		return r.checked(resolved{path: same[0], exists: true, guessed: true,
			remark: fmt.Sprintf("%s does not exist; this is the only file of that name, and the block matches it exactly.", name)}, nil)
	}
	return resolved{}, &refusal{FileNotFound, r.notFound(name)}, nil
}

func (r *resolver) index() error {
	if r.bases != nil {
		return nil
	}
	files, err := r.tree.Files()
	if err != nil {
		return fmt.Errorf("listing the files: %w", err)
	}
	r.bases = make(map[string][]string, len(files))
	for _, name := range files {
		base := path.Base(name)
		r.bases[base] = append(r.bases[base], name)
	}
	return nil
}

// kind asks for what stands at a name, files made by this call included.
func (r *resolver) kind(name string) (Kind, error) {
	if r.fresh[name] {
		return File, nil
	}
	for made := range r.fresh {
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
func (r *resolver) checked(found resolved, err error) (resolved, *refusal, error) {
	if err != nil {
		return resolved{}, nil, err
	}
	for i := 0; i <= len(found.path); i++ {
		if i < len(found.path) && found.path[i] != '/' {
			continue
		}
		kind, err := r.kind(found.path[:i])
		if err != nil {
			return resolved{}, nil, err
		}
		switch {
		case kind == Symlink:
			return resolved{}, unsafe(fmt.Sprintf("%s is a symbolic link", found.path[:i])), nil
		case kind == Submodule:
			return resolved{}, unsafe(fmt.Sprintf("%s is a submodule", found.path[:i])), nil
		case kind == File && i < len(found.path):
			return resolved{}, &refusal{FileExists, fmt.Sprintf("%s is a file, so that nothing can lie below it", found.path[:i])}, nil
		}
	}
	return found, nil, nil
}

func unsafe(why string) *refusal { return &refusal{UnsafePath, "Unsafe path: " + why} }
