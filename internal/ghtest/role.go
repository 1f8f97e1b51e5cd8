package ghtest

import (
	"fmt"
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

var roles = []Role{RoleNone, RoleRead, RoleTriage, RoleWrite, RoleMaintain, RoleAdmin}

// legacy returns the "permission" of the API, which has no triage and no maintain: "The permission attribute provides
// the legacy base roles of admin, write, read, and none, where the maintain role is mapped to write and the triage role
// is mapped to read."
func (r Role) legacy() string {
	switch r {
	case RoleMaintain:
		return "write"
	case RoleTriage:
		return "read"
	}
	return string(r)
}

func (r Role) atLeast(other Role) bool { return slices.Index(roles, r) >= slices.Index(roles, other) }

// roleOf returns a user's role: admin for the owner and an organisation's owners, read for anybody in a public
// repository.
func (r *repository) roleOf(u *user) Role {
	login := strings.ToLower(u.login)
	if u == r.owner || r.owner.owners[login] {
		return RoleAdmin
	}
	if role, ok := r.roles[login]; ok && role != RoleNone {
		return role
	}
	if r.public {
		return RoleRead
	}
	return RoleNone
}

// SetRole makes a user a collaborator with a role; RoleNone removes the user.
func (s *Server) SetRole(repo, login string, role Role) error {
	if !slices.Contains(roles, role) {
		return fmt.Errorf("no role %q", role)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.state.repo(repo)
	if err != nil {
		return err
	}
	u, err := s.state.user(login)
	if err != nil {
		return err
	}
	r.roles[strings.ToLower(u.login)] = role
	return nil
}

// association returns the author_association of GitHub's payloads.
func (r *repository) association(u *user) string {
	login := strings.ToLower(u.login)
	switch {
	case u == r.owner:
		return "OWNER"
	case r.owner.owners[login]:
		return "MEMBER"
	case r.roles[login] != "" && r.roles[login] != RoleNone:
		return "COLLABORATOR"
	}
	return "NONE"
}
