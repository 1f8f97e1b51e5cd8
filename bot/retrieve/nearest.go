package retrieve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Bounds on the paths that are offered in place of one that does not exist.
const (
	maxNearest   = 5
	maxLikeBytes = 300 // of the end of a path that are compared
)

// nearest returns the paths that are most like one that does not exist, at most maxNearest: first those with the same
// base name, then those with a similar one. The time for each file is linear in the lengths of the two paths; files for
// which there is no room are not looked at.
func (x *index) nearest(name string) (out []string) {
	name, _ = cleanName(strings.ToLower(name))
	base := path.Base(name)
	if name == "" || len(name) > maxAskedBytes {
		return nil
	}
	type near struct {
		path  string
		score int
	}
	var best []near
	for f := range x.All() {
		end := f[max(0, len(f)-maxLikeBytes):]
		if !x.spend(len(end)) {
			break
		}
		score := likeness(strings.ToLower(end[strings.LastIndexByte(end, '/')+1:]), base)
		if score == 0 {
			continue
		}
		n := near{f, score + folderLikeness*min(maxLikeFolders, sharedEnd(strings.ToLower(path.Dir(end)), path.Dir(name)))}
		at, _ := slices.BinarySearchFunc(best, n, func(a, b near) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
		})
		if at < maxNearest && x.spend(len(f)) && withheldName(f) == "" && !markdown.Unprintable(f) {
			best = slices.Insert(best, at, n)
			best = best[:min(len(best), maxNearest)]
		}
	}
	for _, n := range best {
		out = append(out, n.path)
	}
	return out
}

// How alike two base names are, in percent. What is less than similar counts as nothing. Folders that two paths share
// at their ends count folderLikeness each, which never lifts a similar name above the same one.
const (
	sameBase       = 400
	sameStem       = 300 // another extension
	similarStem    = 60
	minSameBytes   = 3 // of a similar stem
	folderLikeness = 10
	maxLikeFolders = 9
)

// likeness returns how alike two base names in lower case are.
func likeness(a, b string) int {
	if a == b {
		return sameBase
	}
	if a, b = stem(a), stem(b); a == b {
		return sameStem
	}
	short, long := min(len(a), len(b)), max(len(a), len(b))
	head, tail := 0, 0
	for head < short && a[head] == b[head] {
		head++
	}
	for tail < short-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	if same := head + tail; same >= minSameBytes && same*100 >= long*similarStem {
		return same * 100 / long
	}
	return 0
}

// stem returns a base name without its extension.
func stem(base string) string {
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}
