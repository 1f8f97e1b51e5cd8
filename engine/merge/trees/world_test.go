package trees

import (
	"crypto/sha1" //nolint:gosec // the ids of git's objects
	"fmt"
	"slices"
	"strings"
)

// world is three trees: files by their paths.
type world struct{ base, ours, theirs files }

type files map[string]file

type file struct {
	mode Mode
	text string
}

func (f file) entry() Entry {
	switch f.mode {
	case 0:
		return Entry{}
	case Submodule:
		return Entry{f.mode, f.text}
	}
	return Entry{f.mode, blobID(f.text)}
}

func blobID(text string) string {
	return fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "blob %d\x00%s", len(text), text))) //nolint:gosec // as git
}

// with returns a copy with some files changed; without a mode they are removed.
func (f files) with(path string, change file, more ...any) files {
	out := files{}
	for path, file := range f {
		out[path] = file
	}
	set := func(path string, change file) {
		if change.mode == 0 {
			delete(out, path)
		} else {
			out[path] = change
		}
	}
	set(path, change)
	for i := 0; i < len(more); i += 2 {
		set(more[i].(string), more[i+1].(file))
	}
	return out
}

func (f files) changes(to files) []Change {
	var out []Change
	for path := range f {
		if f[path].entry() != to[path].entry() {
			out = append(out, Change{path, f[path].entry(), to[path].entry()})
		}
	}
	for path := range to {
		if _, ok := f[path]; !ok {
			out = append(out, Change{path, Entry{}, to[path].entry()})
		}
	}
	return out
}

func (f files) hasDir(dir string) bool {
	for path := range f {
		if strings.HasPrefix(path, dir+"/") {
			return true
		}
	}
	return false
}

func (w world) input() Input {
	blobs := map[string]string{}
	for _, f := range []files{w.base, w.ours, w.theirs} {
		for _, file := range f {
			blobs[blobID(file.text)] = file.text
		}
	}
	return Input{
		Ours: w.base.changes(w.ours), Theirs: w.base.changes(w.theirs),
		HasDir: func(s Side, dir string) (bool, error) {
			if s == Ours {
				return w.ours.hasDir(dir), nil
			}
			return w.theirs.hasDir(dir), nil
		},
		Blob: func(id string) ([]byte, error) {
			text, ok := blobs[id]
			if !ok {
				return nil, fmt.Errorf("no blob %s", id)
			}
			return []byte(text), nil
		},
	}
}

func (w world) swapped() world { return world{w.base, w.theirs, w.ours} }

// result returns the tree of ours after a merge, without the paths of conflicts.
func (w world) result(r Result) map[string]Entry {
	out := map[string]Entry{}
	for path, f := range w.ours {
		out[path] = f.entry()
	}
	for _, m := range r.Merged {
		if m.Text != nil {
			m.Entry.ID = blobID(string(m.Text))
		}
		out[m.Path] = m.Entry
		if m.Entry.Mode == 0 {
			delete(out, m.Path)
		}
	}
	for _, c := range r.Conflicts {
		for _, path := range []string{c.Path, c.Base.Path, c.Ours.Path, c.Theirs.Path} {
			delete(out, path)
		}
	}
	return out
}

func (f files) paths() []string {
	var out []string
	for path := range f {
		out = append(out, path)
	}
	slices.Sort(out)
	return out
}
