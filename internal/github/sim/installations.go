package sim

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Installation is an installation of the App.
type Installation struct {
	// Owner is the account, a user or an organisation.
	Owner string
	// Repos are names, "name" or "owner/name". nil means all repositories of the account, also future ones.
	Repos []string
	// Permissions are those that the account granted; nil means the App's.
	Permissions map[string]string
}

// Install installs the App and returns the installation's id. An account has one installation; a second call changes
// it.
func (s Apps) Install(in Installation) (int64, error) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	account, err := s.State.User(in.Owner)
	if err != nil {
		return 0, err
	}
	var repos map[int64]bool
	if in.Repos != nil {
		repos = map[int64]bool{}
	}
	for _, name := range in.Repos {
		r, err := s.State.RepoOf(account, name)
		if err != nil {
			return 0, err
		}
		repos[r.ID] = true
	}
	inst := s.State.InstallationOf(account)
	isNew := inst == nil
	var before []*entity.Repository
	if isNew {
		inst = &entity.Installation{ID: s.State.ID("installation"), Account: account, Created: s.Now()}
		s.State.Installations[inst.ID] = inst
	} else {
		before = s.Covered(inst)
	}
	inst.Repos, inst.Permissions = repos, maps.Clone(in.Permissions)
	if in.Permissions == nil {
		inst.Permissions = maps.Clone(s.App.Permissions)
	}
	if inst.Permissions["metadata"] == "" && len(inst.Permissions) > 0 { // every App with access to repositories has it
		inst.Permissions["metadata"] = "read"
	}
	if isNew {
		s.Events.EmitInstallation("created", inst)
	} else {
		s.Events.EmitCoverage(inst, before)
	}
	return inst.ID, nil
}

// Suspend suspends the App on an account, so that its tokens are refused, or unsuspends it.
func (s Apps) Suspend(owner string, yes bool) error {
	return s.withInstallation(owner, func(inst *entity.Installation) {
		action := "unsuspend"
		inst.Suspended = nil
		if now := s.Now(); yes {
			inst.Suspended, action = &now, "suspend"
		}
		s.Events.EmitInstallation(action, inst)
	})
}

// AcceptPermissions makes an account accept all permissions that the App asks for now.
func (s Apps) AcceptPermissions(owner string) error {
	return s.withInstallation(owner, func(inst *entity.Installation) {
		inst.Permissions = maps.Clone(s.App.Permissions)
		s.Events.EmitInstallation("new_permissions_accepted", inst)
	})
}

// RevokeTokens revokes the tokens of an account's installation that exist now. New ones can be requested.
func (s Apps) RevokeTokens(owner string) error {
	return s.withInstallation(owner, func(inst *entity.Installation) {
		maps.DeleteFunc(s.State.Tokens, func(_ string, t *entity.Token) bool { return t.Installation == inst })
	})
}

// Uninstall removes the App from an account, and its tokens with it.
func (s Apps) Uninstall(owner string) error {
	return s.withInstallation(owner, func(inst *entity.Installation) {
		delete(s.State.Installations, inst.ID)
		maps.DeleteFunc(s.State.Tokens, func(_ string, t *entity.Token) bool { return t.Installation == inst })
		s.Events.EmitInstallation("deleted", inst)
	})
}

func (s Apps) withInstallation(owner string, do func(*entity.Installation)) error {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	account, err := s.State.User(owner)
	if err != nil {
		return err
	}
	inst := s.State.InstallationOf(account)
	if inst == nil {
		return fmt.Errorf("the App is not installed on %s", owner)
	}
	do(inst)
	return nil
}

// Covered returns the repositories of an installation, oldest first.
func (s Apps) Covered(in *entity.Installation) []*entity.Repository {
	var list []*entity.Repository
	for _, id := range slices.Sorted(maps.Keys(s.State.Repos)) {
		if r := s.State.Repos[id]; !r.Deleted && in.Covers(r) {
			list = append(list, r)
		}
	}
	return list
}

// ReposOf returns the repositories that a token can access, by name.
func (s Apps) ReposOf(t *entity.Token) []*entity.Repository {
	var list []*entity.Repository
	for _, r := range s.State.Repos {
		if !r.Deleted && t.Covers(r) {
			list = append(list, r)
		}
	}
	sort.Slice(list, func(i, j int) bool { return strings.Compare(list[i].Name, list[j].Name) < 0 })
	return list
}
