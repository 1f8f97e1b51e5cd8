package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// maxNear is how many paths a "did you mean" offers.
const maxSimilarPaths = 3

// notFound words a missing file, with the paths nearest to it.
func (r *resolver) notFound(name string) string {
	text := "File not found: " + name
	if similar := r.similarPaths(name); len(similar) > 0 {
		text += " (did you mean " + joinOr(similar) + "?)"
	}
	return text
}

func joinOr(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

type similarPath struct {
	name  string
	score int
}

// near returns the files whose base name is that of name or a slip away from it, the likeliest first.
func (r *resolver) similarPaths(name string) []string {
	if r.indexByBase() != nil {
		return nil
	}
	base := path.Base(name)
	var found []similarPath
	for other, names := range r.byBase {
		distance := editDistance(base, other)
		if distance > 2 || distance > len(base)/3 {
			continue
		}
		for _, n := range names {
			found = append(found, similarPath{n, distance*1000 - sharedFolders(n, name)})
		}
	}
	slices.SortFunc(found, func(a, b similarPath) int {
		return cmp.Or(cmp.Compare(a.score, b.score), cmp.Compare(a.name, b.name))
	})
	var names []string
	for _, f := range found[:min(len(found), maxSimilarPaths)] {
		names = append(names, f.name)
	}
	return names
}

// sharedParts counts the folders that two paths have in common, from either end.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	return commonPrefix(x, y) + commonSuffix(x, y)
}

// slips is the edit distance of two names, letter case aside; a large number when it is over 2.
func editDistance(a, b string) int {
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
