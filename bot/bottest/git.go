package bottest

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // git's ids
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port/repo"
)

// The modes of git's entries.
const (
	modeFile       = "100644"
	modeExecutable = "100755"
	modeLink       = "120000"
	modeSubmodule  = "160000"
)

// File is a file of a commit. Mode is git's, empty for an ordinary file; "120000" makes a link to what Data says,
// "160000" a submodule at the commit that Data names. Gone removes the file.
type File struct {
	Mode string
	Data string
	Gone bool
}

// Files returns ordinary files by path.
func Files(pairs map[string]string) map[string]File {
	files := map[string]File{}
	for name, data := range pairs {
		files[name] = File{Data: data}
	}
	return files
}

// blob is a file as a commit has it.
type blob struct {
	mode string
	data []byte
}

// id is git's name of the object; that of a submodule is its commit.
func (b blob) id() string {
	if b.mode == modeSubmodule {
		return string(b.data)
	}
	return objectID("blob", b.data)
}

func (b blob) isFile() bool { return b.mode == modeFile || b.mode == modeExecutable }

func objectID(kind string, data []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", kind, len(data)), data...)) //nolint:gosec // git's ids
	return hex.EncodeToString(sum[:])
}

// tree is what a commit contains, by path. It is never changed.
type tree map[string]blob

// id is git's name of the tree: a tree object for each folder.
func (t tree) id() string {
	type entry struct{ mode, name, id string }
	folders := map[string]tree{}
	var entries []entry
	for path, b := range t {
		folder, rest, deeper := strings.Cut(path, "/")
		if !deeper {
			entries = append(entries, entry{b.mode, path, b.id()})
			continue
		}
		if folders[folder] == nil {
			folders[folder] = tree{}
		}
		folders[folder][rest] = b
	}
	for name, below := range folders {
		entries = append(entries, entry{"40000", name, below.id()})
	}
	order := func(e entry) string {
		if e.mode == "40000" {
			return e.name + "/"
		}
		return e.name
	}
	slices.SortFunc(entries, func(a, b entry) int { return strings.Compare(order(a), order(b)) })
	var data bytes.Buffer
	for _, e := range entries {
		id, _ := hex.DecodeString(e.id)
		fmt.Fprintf(&data, "%s %s\x00%s", e.mode, e.name, id)
	}
	return objectID("tree", data.Bytes())
}

// with returns the tree with changes.
func (t tree) with(files map[string]File) tree {
	out := maps.Clone(t)
	if out == nil {
		out = tree{}
	}
	for name, f := range files {
		if f.Gone {
			delete(out, name)
			continue
		}
		mode := f.Mode
		if mode == "" {
			mode = modeFile
		}
		out[name] = blob{mode, []byte(f.Data)}
	}
	return out
}

// commit is a commit.
type commit struct {
	id      string
	seq     int // the order in which commits were made
	parents []string
	tree    tree
	message string
	author  repo.Signature
	signed  bool
}

// objects are the commits of a repository and all its forks, which share them as they do on GitHub.
type objects map[string]*commit

// add makes a commit. The same commit twice is one.
func (o objects) add(c commit) *commit {
	var text bytes.Buffer
	fmt.Fprintf(&text, "tree %s\n", c.tree.id())
	for _, p := range c.parents {
		fmt.Fprintf(&text, "parent %s\n", p)
	}
	who := fmt.Sprintf("%s <%s> %d +0000", c.author.Name, c.author.Email, c.author.When.Unix())
	fmt.Fprintf(&text, "author %s\ncommitter %s\n\n%s", who, who, c.message)
	c.id = objectID("commit", text.Bytes())
	if old := o[c.id]; old != nil {
		return old
	}
	c.seq = len(o)
	o[c.id] = &c
	return &c
}

// history returns the commits that a commit is made of, newest first.
func (o objects) history(id string) (list []*commit) {
	seen := map[string]bool{}
	for next := []string{id}; len(next) > 0; {
		c := o[next[0]]
		if next = next[1:]; c == nil || seen[c.id] {
			continue
		}
		seen[c.id] = true
		list, next = append(list, c), append(next, c.parents...)
	}
	slices.SortFunc(list, func(a, b *commit) int { return b.seq - a.seq })
	return list
}

// has reports whether a commit is another one, or behind it.
func (o objects) has(id, behind string) bool {
	return slices.ContainsFunc(o.history(id), func(c *commit) bool { return c.id == behind })
}

// mergeBase returns the newest commit that both are made of; nil when there is none.
func (o objects) mergeBase(a, b string) *commit {
	for _, c := range o.history(a) {
		if o.has(b, c.id) {
			return c
		}
	}
	return nil
}

// git is the git repository of a repository on GitHub. Its refs have their full names.
type git struct {
	objects
	refs map[string]string
}

// branch returns where a branch points; empty when there is none.
func (g *git) branch(name string) string { return g.refs["refs/heads/"+name] }

// commitFiles adds a commit on top of a branch, which is made on top of from when it does not exist.
func (g *git) commitFiles(branch, from, message string, files map[string]File, who repo.Signature) *commit {
	parent := g.branch(branch)
	if parent == "" {
		parent = from
	}
	c := commit{message: message, author: who}
	if parent != "" {
		c.parents, c.tree = []string{parent}, g.objects[parent].tree
	}
	c.tree = c.tree.with(files)
	made := g.add(c)
	g.refs["refs/heads/"+branch] = made.id
	return made
}

// merge returns base with what head changed since their common ancestor; the first path that both changed otherwise.
func (o objects) merge(base, head string) (merged tree, conflict string) {
	var before tree
	if common := o.mergeBase(base, head); common != nil {
		before = o[common.id].tree
	}
	ours, theirs := o[base].tree, o[head].tree
	merged = maps.Clone(ours)
	for _, name := range changedPaths(before, theirs) {
		old, was := before[name]
		now, is := theirs[name]
		mine, has := ours[name]
		switch same := has == was && mine.id() == old.id(); {
		case !same && (has != is || mine.id() != now.id()):
			return nil, name
		case is:
			merged[name] = now
		default:
			delete(merged, name)
		}
	}
	return merged, ""
}

// changedPaths lists the paths in which two trees differ, sorted.
func changedPaths(before, after tree) (list []string) {
	for name, b := range after {
		if old, was := before[name]; !was || old.mode != b.mode || !bytes.Equal(old.data, b.data) {
			list = append(list, name)
		}
	}
	for name := range before {
		if _, is := after[name]; !is {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

func signature(login string, at time.Time) repo.Signature {
	return repo.Signature{Name: login, Email: login + "@users.noreply.github.com", When: at}
}

// Commit is a commit as everybody sees it.
type Commit struct {
	SHA, Message, Author string
	Parents              []string
	// Verified reports whether GitHub signed it.
	Verified bool
}

func seenCommit(c *commit) Commit {
	return Commit{SHA: c.id, Message: strings.TrimSuffix(c.message, "\n"), Author: c.author.Name, Parents: c.parents,
		Verified: c.signed}
}
