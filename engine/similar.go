package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"
)

// maxSimilarPaths bounds how many paths the detail of a missing file suggests.
const maxSimilarPaths = 3

// notFound returns the detail for a missing file, with similar paths.
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

// similarPaths returns the files whose base name is that of name, except for a typo, most similar first.
func (r *resolver) similarPaths(name string) []string {
	if r.listFiles() != nil {
		return nil
	}
	base := path.Base(name)
	var found []similarPath
	distances := map[string]int{}
	for _, n := range r.files {
		r.work.spend(1)
		other := n[strings.LastIndexByte(n, '/')+1:]
		if len(base)-len(other) > maxNameTypo || len(other)-len(base) > maxNameTypo || r.work.isUsedUp() {
			continue
		}
		distance, known := distances[other]
		if !known {
			r.work.spend(len(base) * (2*maxNameTypo + 1) / 8)
			distance = editDistance(base, other)
			distances[other] = distance
		}
		if distance <= maxNameTypo && distance <= len(base)/3 {
			r.work.spend(indexCost)
			found = append(found, similarPath{n, distance*1000 - sharedFolders(n, name)})
		}
	}
	if r.work.isUsedUp() {
		return nil
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

// sharedFolders counts the folders that two paths have in common, from the start and from the end.
func sharedFolders(a, b string) int {
	x, y := strings.Split(path.Dir(a), "/"), strings.Split(path.Dir(b), "/")
	return commonPrefix(x, y) + commonSuffix(x, y)
}

// maxNameTypo is the edit distance of names that are similar.
const maxNameTypo = 2

// editDistance returns the edit distance of two names, ignoring case. It returns a large number if it is more than
// maxNameTypo.
func editDistance(a, b string) int {
	a, b = strings.ToLower(a), strings.ToLower(b)
	if len(a)-len(b) > maxNameTypo || len(b)-len(a) > maxNameTypo {
		return maxNameBytes
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		// Only these columns can have a distance that is small enough.
		from, to := max(i-maxNameTypo, 0), min(i+maxNameTypo+1, len(b))
		diagonal, least := row[from], maxNameBytes
		if row[from] = maxNameBytes; from == 0 {
			row[from], least = i+1, i+1
		}
		if to < len(b) {
			row[to+1] = maxNameBytes // is first read for the next row
		}
		for j := from; j < to; j++ {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, diagonal+1)
			least = min(least, row[j+1])
		}
		if least > maxNameTypo {
			return maxNameBytes
		}
	}
	return row[len(b)]
}
