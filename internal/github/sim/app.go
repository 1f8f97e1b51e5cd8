package sim

import (
	"crypto/rsa"
	"fmt"
	"maps"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Current returns the App of the server.
func (s Apps) Current() *model.App {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.App
}

// AppID returns the App's id, the issuer of its JWTs.
func (s Apps) AppID() int64 { return s.Current().ID }

// PrivateKeyPEM returns the App's private key in the form that GitHub generates: PKCS #1 in PEM.
func (s Apps) PrivateKeyPEM() []byte {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.App.KeyPEM()
}

// SetPrivateKey makes another key the only one of the App, as when its owner deletes a key and generates one.
func (s Apps) SetPrivateKey(key *rsa.PrivateKey) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.App.Key = key
}

// WebhookSecret returns the key under which deliveries are signed.
func (s Apps) WebhookSecret() string { return s.Current().Secret }

// Slug returns the App's name in URLs, "tenon" unless another App was registered.
func (s Apps) Slug() string { return s.Current().Slug }

// BotLogin returns the login under which the App acts, "tenon[bot]" unless another App was registered.
func (s Apps) BotLogin() string { return s.Current().Bot.Login }

func (s Apps) MakeBot() {
	now := s.Now()
	s.App.Owner = s.State.NewUser("tenon-bot", UserOrg, now)
	s.App.Bot = s.State.NewUser(s.App.Slug+"[bot]", UserBot, now)
}

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
	var before []*model.Repository
	if isNew {
		inst = &model.Installation{ID: s.State.ID("installation"), Account: account, Created: s.Now()}
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
	return s.withInstallation(owner, func(inst *model.Installation) {
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
	return s.withInstallation(owner, func(inst *model.Installation) {
		inst.Permissions = maps.Clone(s.App.Permissions)
		s.Events.EmitInstallation("new_permissions_accepted", inst)
	})
}

// RevokeTokens revokes the tokens of an account's installation that exist now. New ones can be requested.
func (s Apps) RevokeTokens(owner string) error {
	return s.withInstallation(owner, func(inst *model.Installation) {
		maps.DeleteFunc(s.State.Tokens, func(_ string, t *model.Token) bool { return t.Installation == inst })
	})
}

// Uninstall removes the App from an account, and its tokens with it.
func (s Apps) Uninstall(owner string) error {
	return s.withInstallation(owner, func(inst *model.Installation) {
		delete(s.State.Installations, inst.ID)
		maps.DeleteFunc(s.State.Tokens, func(_ string, t *model.Token) bool { return t.Installation == inst })
		s.Events.EmitInstallation("deleted", inst)
	})
}

func (s Apps) withInstallation(owner string, do func(*model.Installation)) error {
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
