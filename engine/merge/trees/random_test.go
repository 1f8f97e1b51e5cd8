package trees

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// dice makes worlds.
type dice struct{ *rand.Rand }

func (d dice) one(from ...string) string { return from[d.IntN(len(from))] }

func (d dice) dir() string {
	return d.one("", "", "d/", "d/e/", "d/e/f/", "lib/", "lib/x/", "new/", "new/e/", "a/", "b/")
}

func (d dice) path() string { return d.dir() + d.one("a", "b", "c", "Makefile", "go.sum", "d", "lib") }

// text returns a text that may be like others.
func (d dice) text() string {
	var b strings.Builder
	kind := d.IntN(6)
	for i := range 4 + d.IntN(16) {
		fmt.Fprintf(&b, "line %d of kind %d, which is long enough to count\n", i, kind)
	}
	switch d.IntN(24) {
	case 0:
		return ""
	case 1:
		return "\x00" + b.String()
	case 2:
		return strings.ReplaceAll(b.String(), "\n", "\r\n")
	}
	return b.String()
}

func (d dice) file() file {
	switch d.IntN(24) {
	case 0:
		return file{Symlink, d.one("a", "d/b", "nowhere")}
	case 1:
		return file{Submodule, strings.Repeat(d.one("1", "2", "3"), 40)}
	case 2, 3:
		return file{Executable, d.text()}
	}
	return file{Regular, d.text()}
}

// put adds a file, in place of whatever is in the way.
func (f files) put(path string, file file) {
	for dir := parent(path); dir != ""; dir = parent(dir) {
		delete(f, dir)
	}
	for other := range f {
		if strings.HasPrefix(other, path+"/") {
			delete(f, other)
		}
	}
	f[path] = file
}

// edited returns a file with some lines changed.
func (d dice) edited(f file) file {
	lines := strings.SplitAfter(f.text, "\n")
	if f.mode != Regular && f.mode != Executable {
		return d.file()
	}
	for range 1 + d.IntN(3) {
		lines[d.IntN(len(lines))] = d.one("", "x\n", "y\n", "another line, as long as those that are there\n", "z")
	}
	f.text = strings.Join(lines, "")
	return f
}

// change makes one change.
func (d dice) change(f files) {
	paths := f.paths()
	if len(paths) == 0 {
		f.put(d.path(), d.file())
		return
	}
	path := paths[d.IntN(len(paths))]
	file := f[path]
	switch d.IntN(12) {
	case 0, 1:
		f.put(d.path(), d.file())
	case 2, 3, 4:
		f[path] = d.edited(file)
	case 5:
		delete(f, path)
	case 6, 7:
		delete(f, path)
		f.put(d.path(), file)
	case 8:
		delete(f, path)
		f.put(d.dir()+base(path), d.edited(file))
	case 9:
		d.moveDir(f, parent(path))
	case 10:
		if file.mode == Regular {
			file.mode = Executable
		}
		f[path] = file
	case 11:
		f.put(path+"/"+d.one("a", "b"), file)
	}
}

// moveDir renames a directory, and may change files in it.
func (d dice) moveDir(f files, dir string) {
	to := d.dir()
	for _, path := range f.paths() {
		file, ok := f[path]
		rest, in := strings.CutPrefix(path, dir+"/")
		if !ok || !in || to == dir+"/" || d.IntN(12) == 0 {
			continue
		}
		delete(f, path)
		if d.IntN(3) == 0 {
			file = d.edited(file)
		}
		f.put(to+rest, file)
	}
}

// world returns a random world.
func (d dice) world() world {
	w := world{base: files{}}
	for range 2 + d.IntN(10) {
		w.base.put(d.path(), d.file())
	}
	w.ours = w.base.with("", file{})
	w.theirs = w.base.with("", file{})
	for range 1 + d.IntN(5) {
		d.change(w.ours)
	}
	for range 1 + d.IntN(5) {
		d.change(w.theirs)
	}
	if d.IntN(4) == 0 { // something that both did
		path, file := d.path(), d.file()
		w.ours.put(path, file)
		w.theirs.put(path, file)
	}
	return w
}
