package retrieve

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// maxNearest is how many paths are offered in place of one that does not exist.
const maxNearest = 5

// nearestPaths returns the paths that are most like one that does not exist: those of the same base name first, then
// those with a similar one. Each file is compared once, by the length of the name.
func nearestPaths(files []string, name string) (out []string) {
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
	for _, f := range files {
		lower := strings.ToLower(f[strings.LastIndexByte(f, '/')+1:])
		score := likeness(lower, base)
		if score == 0 {
			continue
		}
		n := near{f, score + 10*min(9, sharedEnd(strings.ToLower(path.Dir(f)), path.Dir(name)))}
		at, _ := slices.BinarySearchFunc(best, n, func(a, b near) int {
			return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(a.path), len(b.path)), cmp.Compare(a.path, b.path))
		})
		if at < maxNearest && withheldName(f) == "" && !markdown.Unprintable(f) {
			best = slices.Insert(best, at, n)
			best = best[:min(len(best), maxNearest)]
		}
	}
	for _, n := range best {
		out = append(out, n.path)
	}
	return out
}

// likeness returns how much two base names in lower case have in common, in percent and more; 0 for little.
func likeness(a, b string) int {
	if a == b {
		return 400
	}
	if stem(a) == stem(b) {
		return 300
	}
	short := min(len(stem(a)), len(stem(b)))
	head := 0
	for head < short && a[head] == b[head] {
		head++
	}
	long := max(len(stem(a)), len(stem(b)))
	sa, sb := stem(a), stem(b)
	tail := 0
	for tail < short-head && sa[len(sa)-1-tail] == sb[len(sb)-1-tail] {
		tail++
	}
	if same := head + tail; same >= 3 && same*100 >= long*60 {
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
