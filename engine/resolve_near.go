package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// maxNear is how many paths a "did you mean" offers.
const maxNear = 3

// notFound words a missing file, with the paths nearest to it.
func (r *resolver) notFound(name string) string {
	text := "File not found: " + name
	if near := r.near(name); len(near) > 0 {
		text += " (did you mean " + orList(near) + "?)"
	}
	return text
}

func orList(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

type nearPath struct {
	name  string
	score int
}

// near returns the files whose base name is that of name or a slip away from it, the likeliest first.
func (r *resolver) near(name string) []string {
	if r.index() != nil {
		return nil
	}
	base := path.Base(name)
	var found []nearPath
	for other, names := range r.bases {
		slip := slips(base, other)
		if slip > 2 || slip > len(base)/3 {
			continue
		}
		for _, n := range names {
			found = append(found, nearPath{n, slip*1000 - sharedParts(n, name)})
		}
	}
	slices.SortFunc(found, func(a, b nearPath) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), maxNear)] {
		names = append(names, f.name)
	}
	return names
}

// sharedParts counts the folders that two paths have in common, from either end.
func sharedParts(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	return commonPrefix(x, y) + commonPrefixBack(x, y)
}

// slips is the edit distance of two names, letter case aside; a large number when it is over 2.
func slips(a, b string) int {
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
