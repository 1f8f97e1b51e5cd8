package sim

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
)

// NodeID returns a global node id in GitHub's form, which contains the kind and the id.
func NodeID(kind string, id int64) string {
	return kind + "_" + base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%d", kind, id))
}

// SortedByID returns the wanted items of a table, oldest first.
func SortedByID[T any](table map[int64]T, wanted func(T) bool) []T {
	list := []T{}
	for _, id := range slices.Sorted(maps.Keys(table)) {
		if item := table[id]; wanted(item) {
			list = append(list, item)
		}
	}
	return list
}
