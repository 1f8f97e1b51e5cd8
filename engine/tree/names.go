package tree

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/tenon-bot/tenon/meter"
)

// Names tells at which paths of a tree a new file may be made. What is in the tree already can be edited whatever its
// name is; a new name must mean the same file, and no other one, on every system that may check the tree out: with a
// file "Makefile", there can be no "makefile". Apply asks it about the files that it makes; programs ask it before they
// make others, such as the destination of a move. Not safe for concurrent use.
type Names struct {
	tree Tree
	// kind is that of the tree, or of somebody who remembers what it said. work is what looks at the tree are taken from.
	kind func(name string) (Kind, error)
	work *meter.Work
	// taken maps the plain form of each path of the tree that was looked at, folders included, to the path; nil before
	// the first look. links are those that are links or submodules.
	taken map[string]string
	links map[string]bool
	// linkAs maps the plain forms of links to the first of them.
	linkAs map[string]string
	// folders tells of each folder that was seen, of a tree that can list one at a time, whether it was looked into;
	// byPlain are the same by their plain forms.
	folders map[string]bool
	byPlain map[string][]string
}

// NewNames returns the Names of a tree.
func NewNames(tree Tree) *Names { return NewNamesWithin(nil, tree, tree.Kind) }

// NewNamesWithin is NewNames for a caller that remembers the kinds of entries: kind returns what tree.Kind would. Looks
// at the tree are taken from w.
func NewNamesWithin(w *meter.Work, tree Tree, kind func(name string) (Kind, error)) *Names {
	return &Names{tree: tree, kind: kind, work: w}
}

// IndexCost is what it costs to note one file of a tree by its name, in units of work.
const IndexCost = 8

// folderLister is a Tree that lists one folder; the root is the empty name. There may be no such folder.
type folderLister interface {
	Entries(folder string, visit func(name string, kind Kind)) error
}

// linker is a Tree that lists its links and submodules below a folder, or all of them for the empty name.
type linker interface {
	Links(folder string) ([]string, error)
}

// Refuse returns a phrase that says why no file may be made at a clean path, or "" if one may. gone are paths that the
// same change removes, so that it may make one of them in another spelling. The error is the tree's own.
func (n *Names) Refuse(name string, gone ...string) (why string, err error) {
	from, err := n.firstAbsent(name)
	if err != nil || from > len(name) {
		return "", err
	}
	for part := range strings.SplitSeq(name[from:], "/") {
		if why := unsafeNewName(part); why != "" {
			return why, nil
		}
	}
	twin, err := n.otherSpelling(name, from, gone)
	if err != nil || twin == "" {
		return "", err
	}
	return twin + " exists, and some systems treat the two names as the same", nil
}

// Twin returns the path of the tree that differs from name, or from a folder above it, in its spelling only, such as
// "Makefile" for "makefile"; "" if there is none, or if the tree has name itself. gone are as for Refuse.
func (n *Names) Twin(name string, gone ...string) (string, error) {
	from, err := n.firstAbsent(name)
	if err != nil || from > len(name) {
		return "", err
	}
	return n.otherSpelling(name, from, gone)
}

// LinkBehind is Twin among links and submodules alone, behind which some systems would write. There may be a folder,
// too, that differs from them in its spelling only.
func (n *Names) LinkBehind(name string) (string, error) {
	from, err := n.firstAbsent(name)
	if err != nil || from > len(name) {
		return "", err
	}
	if err = n.look(name); err != nil {
		return "", err
	}
	return n.spelledIn(n.linkAs, name, from, nil), nil
}

// firstAbsent returns where the first name of a path begins that the tree does not have; more than the length of the
// path if it has all.
func (n *Names) firstAbsent(name string) (int, error) {
	from := 0
	for i := 0; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		kind, err := n.kind(name[:i])
		if err != nil {
			return 0, fmt.Errorf("looking up %s: %w", name[:i], err)
		}
		if kind == Absent {
			return from, nil
		}
		from = i + 1
	}
	return from, nil
}

// otherSpelling returns what the tree has at a path, or above it, in another spelling; from is where the first name
// begins that it does not have.
func (n *Names) otherSpelling(name string, from int, gone []string) (string, error) {
	if err := n.look(name); err != nil {
		return "", err
	}
	return n.spelledIn(n.taken, name, from, gone), nil
}

// spelledIn is otherSpelling among paths by their plain forms.
func (n *Names) spelledIn(paths map[string]string, name string, from int, gone []string) string {
	for i := from; i <= len(name); i++ {
		if i < len(name) && name[i] != '/' {
			continue
		}
		other, ok := paths[plainPath(name[:i])]
		if ok && other != name[:i] && !n.isGone(other, gone) {
			return other
		}
	}
	return ""
}

// isGone reports whether nothing is left of a path when gone are removed.
func (n *Names) isGone(name string, gone []string) bool {
	if len(gone) == 0 {
		return false
	}
	if _, ok := n.tree.(folderLister); ok {
		kind, err := n.tree.Kind(name)
		return err == nil && n.isGoneBelow(name, kind, gone)
	}
	files, err := n.tree.Files()
	if err != nil {
		return false
	}
	at, _ := slices.BinarySearch(files, name)
	for ; at < len(files) && (files[at] == name || strings.HasPrefix(files[at], name)); at++ {
		inside := files[at] == name || files[at][len(name)] == '/'
		if inside && !slices.Contains(gone, files[at]) {
			return false
		}
	}
	for link := range n.links {
		if link == name || strings.HasPrefix(link, name+"/") {
			return false
		}
	}
	return true
}

// isGoneBelow is isGone for a tree that can list one folder at a time.
func (n *Names) isGoneBelow(name string, kind Kind, gone []string) bool {
	if kind != Folder {
		return kind == Absent || kind == File && slices.Contains(gone, name)
	}
	all := true
	err := n.tree.(folderLister).Entries(name, func(entry string, kind Kind) {
		all = all && n.isGoneBelow(name+"/"+entry, kind, gone)
	})
	return all && err == nil
}

// look looks at the names of the tree: if it can list one folder at a time, at those in the folders above a path, in
// any spelling; else at all.
func (n *Names) look(name string) error {
	lister, ok := n.tree.(folderLister)
	if !ok {
		return n.index()
	}
	if n.taken == nil {
		n.taken, n.links, n.linkAs = map[string]string{}, map[string]bool{}, map[string]string{}
		n.folders, n.byPlain = map[string]bool{}, map[string][]string{"": {""}}
	}
	for end := 0; ; {
		plain := plainPath(name[:end])
		for i := 0; i < len(n.byPlain[plain]); i++ { // a folder without a plain name is the same as the one above it
			if err := n.lookInto(lister, n.byPlain[plain][i]); err != nil {
				return fmt.Errorf("listing the folder %s: %w", n.byPlain[plain][i], err)
			}
		}
		next := strings.IndexByte(name[min(len(name), end+1):], '/')
		if next < 0 {
			return nil
		}
		end += 1 + next
	}
}

// lookInto notes the entries of a folder, once.
func (n *Names) lookInto(tree folderLister, folder string) error {
	if n.folders[folder] {
		return nil
	}
	prefix := folder
	if folder != "" {
		prefix += "/"
	}
	err := tree.Entries(folder, func(name string, kind Kind) {
		n.work.Spend(IndexCost)
		name = prefix + name
		plain := plainPath(name)
		if kind == Symlink || kind == Submodule {
			n.noteLink(name, plain)
		}
		if kind == Folder {
			n.byPlain[plain] = append(n.byPlain[plain], name)
			n.folders[name] = false
		}
		if other, ok := n.taken[plain]; !ok || n.order(name) < n.order(other) {
			n.taken[plain] = name
		}
	})
	n.folders[folder] = err == nil
	return err
}

func (n *Names) noteLink(name, plain string) {
	n.links[name] = true
	if other, ok := n.linkAs[plain]; !ok || name < other {
		n.linkAs[plain] = name
	}
}

// order returns what decides which of several paths with the same plain form counts: that which comes first in the
// lists of files and of links.
func (n *Names) order(name string) string {
	if _, ok := n.folders[name]; ok {
		name += "/"
	}
	if n.links[name] {
		return "1" + name
	}
	return "0" + name
}

// index reads the names of the tree.
func (n *Names) index() error {
	if n.taken != nil {
		return nil
	}
	files, err := n.tree.Files()
	if err != nil {
		return fmt.Errorf("listing the files: %w", err)
	}
	var links []string
	if l, ok := n.tree.(linker); ok {
		if links, err = l.Links(""); err != nil {
			return fmt.Errorf("listing the links: %w", err)
		}
	}
	n.work.Spend(IndexCost * len(files))
	n.taken, n.links = make(map[string]string, len(files)), map[string]bool{}
	n.linkAs = map[string]string{}
	for _, name := range files {
		n.note(name)
	}
	for _, name := range links {
		n.note(name)
		n.noteLink(name, plainPath(name))
	}
	return nil
}

// Add says that a file was made at a path after NewNames.
func (n *Names) Add(name string) {
	if n.look(name) == nil { // else whoever asks next is told why
		n.note(name)
	}
}

func (n *Names) note(name string) {
	for end := len(name); end > 0; end = strings.LastIndexByte(name[:end], '/') {
		plain := plainPath(name[:end])
		if _, ok := n.taken[plain]; ok {
			return // and so are those above
		}
		n.taken[plain] = name[:end]
	}
}

// plainPath returns a path as the most lenient file systems compare it: without case, in one normalization, without
// what HFS+ ignores, and each name without a stream behind a colon and without blanks and dots at its end.
func plainPath(name string) string {
	if isPlain(name) {
		return name
	}
	var b strings.Builder
	for part := range strings.SplitSeq(norm.NFD.String(name), "/") {
		if b.Len() > 0 {
			b.WriteByte('/')
		}
		part, _, _ = strings.Cut(part, ":")
		for _, r := range strings.TrimRightFunc(part, isDotOrBlank) {
			switch {
			case isHFSIgnorable(r):
			case r == 'ß' || r == 'ẞ':
				b.WriteString("ss")
			default:
				b.WriteRune(foldCase(r))
			}
		}
	}
	return b.String()
}

// isPlain reports whether a path is its own plain form, for nearly all paths.
func isPlain(name string) bool {
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 0x80, c >= 'A' && c <= 'Z', c == ':':
			return false
		case (c == '.' || c == ' ') && (i+1 == len(name) || name[i+1] == '/'):
			return false
		}
	}
	return true
}

// foldCase returns the least of the characters that differ from r in case only.
func foldCase(r rune) rune {
	least := r
	for o := unicode.SimpleFold(r); o != r; o = unicode.SimpleFold(o) {
		least = min(least, o)
	}
	return unicode.ToLower(least)
}

func isDotOrBlank(r rune) bool { return r == '.' || unicode.IsSpace(r) }

// unsafeNewName says why a new file or folder must not have a name, or returns "" if it may.
func unsafeNewName(part string) string {
	switch {
	case strings.ContainsRune(part, ':'):
		return "a name in the path has a colon, after which Windows reads the name of a file's stream"
	case strings.TrimFunc(part, unicode.IsSpace) != part:
		return "a name in the path begins or ends with a space"
	case strings.HasSuffix(part, "."):
		return "a name in the path ends with a dot, which Windows drops"
	case isShortName(part):
		return "a name in the path looks like a short name on Windows, such as GIT~1, which means another name"
	}
	return ""
}

// isShortName reports whether a name is one that Windows makes up for a longer one: at most eight characters, the last
// of them a tilde and a number, and an extension of at most three.
func isShortName(part string) bool {
	stem, extension, _ := strings.Cut(part, ".")
	name, number, ok := strings.Cut(stem, "~")
	return ok && name != "" && number != "" && strings.Trim(number, "0123456789") == "" &&
		len([]rune(stem)) <= 8 && len([]rune(extension)) <= 3
}
