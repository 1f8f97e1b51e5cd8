package port

import (
	"slices"
)

// ranks orders the permissions; what is not in it (a name GitHub may add) is worth nothing.
var ranks = []Permission{PermissionNone, PermissionRead, PermissionTriage, PermissionWrite, PermissionMaintain,
	PermissionAdmin}

// allows says whether p is at least what is needed.
func (p Permission) Allows(needed Permission) bool {
	return slices.Index(ranks, p) >= slices.Index(ranks, needed)
}

// words are what people call a permission that somebody has.
func (p Permission) Words() string {
	if p == PermissionNone {
		return "none"
	}
	return string(p) + " permission"
}

// Permission is what somebody may do in a repository.
type Permission string
