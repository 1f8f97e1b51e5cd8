package gitrepo

import (
	"bytes"
	"strings"

	"github.com/go-git/go-git/v5/plumbing/filemode"
)

// treeEntry is one entry of a tree object; name is a part of the tree's bytes.
type treeEntry struct {
	mode filemode.FileMode
	name []byte
	id   oid
}

func (e treeEntry) isFolder() bool { return e.mode == filemode.Dir }

// treeReader reads the entries of a tree object. It returns an error for what git fsck would refuse.
type treeReader struct {
	data []byte
	last treeEntry
	// files are the files that a later folder may have the same name as: in git's order, other names can be between the
	// two.
	files [][]byte
}

// read returns the next entry of a tree that next accepted; ok is false at the end.
func (t *treeReader) read() (e treeEntry, ok bool) {
	if len(t.data) == 0 {
		return e, false
	}
	space := bytes.IndexByte(t.data[:8], ' ')
	e.mode, _ = parseMode(t.data[:space])
	end := space + 1 + bytes.IndexByte(t.data[space+1:], 0)
	e.name = t.data[space+1 : end]
	t.data = t.data[end+1+copy(e.id[:], t.data[end+1:]):]
	return e, true
}

// cut returns the next entry as it is, and its mode; ok is false if there is no whole one.
func (t *treeReader) cut() (e treeEntry, mode []byte, ok bool) {
	head, rest, found := bytes.Cut(t.data, []byte{0})
	mode, name, spaced := bytes.Cut(head, []byte(" "))
	if !found || !spaced || len(rest) < len(e.id) {
		return e, nil, false
	}
	e.name = name
	t.data = rest[copy(e.id[:], rest):]
	return e, mode, true
}

// next returns the next entry; ok is false at the end.
func (t *treeReader) next() (e treeEntry, ok bool, err error) {
	if len(t.data) == 0 {
		return e, false, nil
	}
	e, mode, ok := t.cut()
	if !ok {
		return e, false, userError("This repository has a damaged tree; `git fsck` shows where.")
	}
	if e.mode, ok = parseMode(mode); !ok {
		return e, false, userError("This repository has an entry %s of unknown mode %s; `git fsck` shows where.",
			quoted(e.name), quoted(mode))
	}
	if why := badName(string(e.name)); why != "" {
		return e, false, userError("This repository has an entry %s, which %s; tenon does not touch it. "+
			"`git fsck` shows where.", quoted(e.name), why)
	}
	if err := t.inOrder(e); err != nil {
		return e, false, err
	}
	t.last = e
	return e, true, nil
}

func (t *treeReader) inOrder(e treeEntry) error {
	if t.last.name != nil && compareEntries(t.last, e) >= 0 || t.isDuplicate(e) {
		return userError("This repository has a tree with unsorted or duplicate entries at %s; `git fsck` shows where.",
			quoted(e.name))
	}
	return nil
}

// isDuplicate reports whether e is a folder with the name of an earlier file.
func (t *treeReader) isDuplicate(e treeEntry) bool {
	for n := len(t.files); n > 0 && !bytes.HasPrefix(e.name, t.files[n-1]); n-- {
		t.files = t.files[:n-1]
	}
	if !e.isFolder() {
		t.files = append(t.files, e.name)
		return false
	}
	n := len(t.files)
	return n > 0 && len(t.files[n-1]) == len(e.name)
}

// compareEntries compares entries in git's order: by bytes, with a slash at the end of a folder's name.
func compareEntries(a, b treeEntry) int {
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return int(a.byteAt(n)) - int(b.byteAt(n))
}

func (e treeEntry) byteAt(n int) byte {
	switch {
	case n < len(e.name):
		return e.name[n]
	case e.isFolder():
		return '/'
	}
	return 0
}

// parseMode parses an octal mode. Old tools wrote 040000 for folders and 100664 for files; public histories contain
// both.
func parseMode(text []byte) (filemode.FileMode, bool) {
	if len(text) > 7 {
		return 0, false
	}
	mode := filemode.FileMode(0)
	for _, c := range text {
		if c < '0' || c > '7' {
			return 0, false
		}
		mode = mode<<3 | filemode.FileMode(c-'0')
	}
	switch mode {
	case filemode.Dir, filemode.Regular, filemode.Deprecated, filemode.Executable, filemode.Symlink, filemode.Submodule:
		return mode, true
	}
	return 0, false
}

// badName returns why a name is not valid in a tree, or "" if it is.
func badName(name string) string {
	switch {
	case name == "":
		return "is empty"
	case name == "." || name == "..":
		return "leads out of its folder"
	case strings.ContainsAny(name, "/\x00"):
		return "has a slash or a NUL"
	case isDotGit(name):
		return "is git's own folder to some file systems"
	}
	return ""
}

// isDotGit reports whether name is .git to some file system: HFS+ ignores case and some code points; NTFS ignores case,
// trailing spaces and dots, and the name of a stream, and has git~1 as its short name.
func isDotGit(name string) bool {
	if len(name) < 4 || (name[0] != '.' && name[0] != 'g' && name[0] != 'G' && name[0] < 0x80) {
		return false // fast, for nearly all names
	}
	plain := strings.Map(func(r rune) rune {
		if ignoredByHFS(r) {
			return -1
		}
		return r
	}, name)
	if strings.EqualFold(plain, ".git") {
		return true
	}
	stem, _, _ := strings.Cut(name, ":")
	stem = strings.TrimRight(stem, " .")
	return strings.EqualFold(stem, ".git") || strings.EqualFold(stem, "git~1")
}

// ignoredByHFS reports whether HFS+ ignores a code point in names (Apple's TN1150, as in git's utf8.c).
func ignoredByHFS(r rune) bool {
	switch {
	case r >= 0x200c && r <= 0x200f, r >= 0x202a && r <= 0x202e, r >= 0x206a && r <= 0x206f, r == 0xfeff:
		return true
	}
	return false
}
