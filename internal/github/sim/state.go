package sim

import (
	"maps"
	"slices"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

const (
	userPerson model.UserType = "User"
	UserOrg    model.UserType = "Organization"
	UserBot    model.UserType = "Bot"
)

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
