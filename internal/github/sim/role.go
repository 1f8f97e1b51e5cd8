package sim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// SetRole makes a user a collaborator with a role; RoleNone removes the user.
func (s repositories) SetRole(repo, login string, role model.Role) error {
	if !slices.Contains(model.Roles, role) {
		return fmt.Errorf("no role %q", role)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	r, err := s.State.Repo(repo)
	if err != nil {
		return err
	}
	u, err := s.State.User(login)
	if err != nil {
		return err
	}
	r.Roles[strings.ToLower(u.Login)] = role
	return nil
}
