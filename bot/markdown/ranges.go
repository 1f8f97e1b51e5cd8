package markdown

import (
	"cmp"
	"slices"
	"sort"
)

type Ranges [][2]int

func sortRanges(r Ranges) {
	slices.SortFunc(r, func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
}

// has says whether ranges that mergeRanges made hold a place.
func (r Ranges) Has(at int) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i][1] > at })
	return i < len(r) && r[i][0] <= at
}

// within are the ranges, of those that mergeRanges made, that begin from from on and before to.
func (r Ranges) Within(from, to int) Ranges {
	i := sort.Search(len(r), func(i int) bool { return r[i][0] >= from })
	j := sort.Search(len(r), func(j int) bool { return r[j][0] >= to })
	return r[i:j]
}
