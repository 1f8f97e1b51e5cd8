package port

import "slices"

// Permission is what somebody may do in a repository.
type Permission string

// The permissions, weakest first.
const (
	PermissionNone     Permission = "none"
	PermissionRead     Permission = "read"
	PermissionTriage   Permission = "triage"
	PermissionWrite    Permission = "write"
	PermissionMaintain Permission = "maintain"
	PermissionAdmin    Permission = "admin"
)

// ranks orders the permissions. One that is not listed, as GitHub may add, permits nothing.
var ranks = []Permission{
	PermissionNone, PermissionRead, PermissionTriage, PermissionWrite, PermissionMaintain, PermissionAdmin,
}

// Allows reports whether p is at least the permission that is needed.
func (p Permission) Allows(needed Permission) bool {
	return slices.Index(ranks, p) >= slices.Index(ranks, needed)
}

// Words returns what to call the permission in a sentence about somebody who has it.
func (p Permission) Words() string {
	if p == PermissionNone {
		return "none"
	}
	return string(p) + " permission"
}
