package model

import (
	"slices"
	"strings"
)

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

func (r Role) AtLeast(other Role) bool { return slices.Index(Roles, r) >= slices.Index(Roles, other) }

// RoleOf returns a user's role: admin for the owner and an organisation's owners, read for anybody in a public
// repository.
func (r *Repository) RoleOf(u *User) Role {
	login := strings.ToLower(u.Login)
	if u == r.Owner || r.Owner.Owners[login] {
		return RoleAdmin
	}
	if role, ok := r.Roles[login]; ok && role != RoleNone {
		return role
	}
	if r.Public {
		return RoleRead
	}
	return RoleNone
}

// Association returns the author_association of GitHub's payloads.
func (r *Repository) Association(u *User) string {
	login := strings.ToLower(u.Login)
	switch {
	case u == r.Owner:
		return "OWNER"
	case r.Owner.Owners[login]:
		return "MEMBER"
	case r.Roles[login] != "" && r.Roles[login] != RoleNone:
		return "COLLABORATOR"
	}
	return "NONE"
}
