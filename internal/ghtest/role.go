package ghtest

import (
	"fmt"
	"slices"
	"strings"
)

// Role is what somebody may do in a repository, by GitHub's names.
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

// legacy is the "permission" of the API, which knows no triage and no maintain: "The permission attribute provides the
// legacy base roles of admin, write, read, and none, where the maintain role is mapped to write and the triage role is
// mapped to read."
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

// roleOf is a user's role: the owner's and an organisation's owners' is admin, a stranger's read when all may read.
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

// SetRole makes somebody a collaborator, or with RoleNone a stranger again.
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

// association is the author_association of GitHub's payloads.
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
