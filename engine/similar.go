package engine

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/engine/text"
	"github.com/tenon-bot/tenon/engine/tree"
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
		r.work.Spend(1)
		other := n[strings.LastIndexByte(n, '/')+1:]
		if len(base)-len(other) > maxNameTypo || len(other)-len(base) > maxNameTypo || r.work.UsedUp() {
			continue
		}
		distance, known := distances[other]
		if !known {
			r.work.Spend(len(base) * (2*maxNameTypo + 1) / 8)
			distance = text.Distance(strings.ToLower(base), strings.ToLower(other), maxNameTypo)
			distances[other] = distance
		}
		if distance <= maxNameTypo && distance <= len(base)/3 {
			r.work.Spend(tree.IndexCost)
			found = append(found, similarPath{n, distance*1000 - sharedFolders(n, name)})
		}
	}
	if r.work.UsedUp() {
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
	return text.CommonPrefix(x, y) + text.CommonSuffix(x, y)
}

// maxNameTypo is the edit distance of names that are similar.
const maxNameTypo = 2
