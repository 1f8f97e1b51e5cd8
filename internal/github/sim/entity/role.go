package entity

import "slices"

// Role is a role in a repository, by GitHub's names.
type Role string

// The roles, weakest first.
const (
	RoleNone     Role = "none"
	RoleRead     Role = "read"
	RoleTriage   Role = "triage"
	RoleWrite    Role = "write"
	RoleMaintain Role = "maintain"
	RoleAdmin    Role = "admin"
)

// Roles are all roles, weakest first.
var Roles = []Role{RoleNone, RoleRead, RoleTriage, RoleWrite, RoleMaintain, RoleAdmin}

// Legacy returns the "permission" of the API, which has no triage and no maintain: "The permission attribute provides
// the legacy base roles of admin, write, read, and none, where the maintain role is mapped to write and the triage role
// is mapped to read."
func (r Role) Legacy() string {
	switch r {
	case RoleMaintain:
		return "write"
	case RoleTriage:
		return "read"
	}
	return string(r)
}

// AtLeast reports whether a role includes all that another one allows.
func (r Role) AtLeast(other Role) bool { return slices.Index(Roles, r) >= slices.Index(Roles, other) }
