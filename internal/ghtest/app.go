package ghtest

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"maps"
	"slices"
	"time"
)

// app is the GitHub App of the server. What the fields are does not change, but for the key.
type app struct {
	id          int64
	slug, name  string
	key         *rsa.PrivateKey
	secret      string
	permissions map[string]string
	events      []string
	owner       *user
	bot         *user
	created     time.Time
	public      bool // other accounts may install it

	clientID, clientSecret string
	callbacks              []string // the callback URLs
}

// installation is the installation of the App on an account.
type installation struct {
	id          int64
	account     *user
	repos       map[int64]bool // by id; nil = all of the account
	permissions map[string]string
	created     time.Time
	suspended   *time.Time
}

// appPermissions and appEvents return those of app.yml.
func appPermissions() map[string]string {
	return map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "read"}
}

func appEvents() []string {
	return []string{"issue_comment", "pull_request_review_comment", "pull_request_review", "issues", "pull_request",
		"check_run", "check_suite", "workflow_run", "status"}
}

func newApp(opts Options) (*app, error) {
	key := opts.Key
	if key == nil {
		var err error
		if key, err = rsa.GenerateKey(rand.Reader, 2048); err != nil {
			return nil, fmt.Errorf("making the App's key: %w", err)
		}
	}
	return &app{id: 4711, slug: "tenon", name: "tenon", key: key, secret: randomHex(20),
		permissions: maps.Clone(opts.Permissions), events: slices.Clone(opts.Events), created: opts.Now().UTC(),
		clientID: newClientID(), clientSecret: randomHex(20)}, nil
}

// newClientID returns a client id in GitHub's form.
func newClientID() string { return "Iv23li" + randomHex(7) }

// current returns the App of the server.
func (s *Server) current() *app {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.app
}

// AppID returns the App's id, the issuer of its JWTs.
func (s *Server) AppID() int64 { return s.current().id }

// PrivateKeyPEM returns the App's private key in the form that GitHub generates: PKCS #1 in PEM.
func (s *Server) PrivateKeyPEM() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.app.keyPEM()
}

func (a *app) keyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(a.key)})
}

// SetPrivateKey makes another key the only one of the App, as when its owner deletes a key and generates one.
func (s *Server) SetPrivateKey(key *rsa.PrivateKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.app.key = key
}

// WebhookSecret returns the key under which deliveries are signed.
func (s *Server) WebhookSecret() string { return s.current().secret }

// Slug returns the App's name in URLs, "tenon" unless another App was registered.
func (s *Server) Slug() string { return s.current().slug }

// BotLogin returns the login under which the App acts, "tenon[bot]" unless another App was registered.
func (s *Server) BotLogin() string { return s.current().bot.login }

func (s *Server) addBot() {
	now := s.now()
	s.app.owner = s.state.newUser("tenon-bot", userOrg, now)
	s.app.bot = s.state.newUser(s.app.slug+"[bot]", userBot, now)
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
func (s *Server) Install(in Installation) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	account, err := s.state.user(in.Owner)
	if err != nil {
		return 0, err
	}
	var repos map[int64]bool
	if in.Repos != nil {
		repos = map[int64]bool{}
	}
	for _, name := range in.Repos {
		r, err := s.state.repoOf(account, name)
		if err != nil {
			return 0, err
		}
		repos[r.id] = true
	}
	inst := s.state.installationOf(account)
	isNew := inst == nil
	var before []*repository
	if isNew {
		inst = &installation{id: s.state.id("installation"), account: account, created: s.now()}
		s.state.installations[inst.id] = inst
	} else {
		before = s.covered(inst)
	}
	inst.repos, inst.permissions = repos, maps.Clone(in.Permissions)
	if in.Permissions == nil {
		inst.permissions = maps.Clone(s.app.permissions)
	}
	if inst.permissions["metadata"] == "" && len(inst.permissions) > 0 { // every App with access to repositories has it
		inst.permissions["metadata"] = "read"
	}
	if isNew {
		s.emitInstallation("created", inst)
	} else {
		s.emitCoverage(inst, before)
	}
	return inst.id, nil
}

// Suspend suspends the App on an account, so that its tokens are refused, or unsuspends it.
func (s *Server) Suspend(owner string, yes bool) error {
	return s.withInstallation(owner, func(inst *installation) {
		action := "unsuspend"
		inst.suspended = nil
		if now := s.now(); yes {
			inst.suspended, action = &now, "suspend"
		}
		s.emitInstallation(action, inst)
	})
}

// AcceptPermissions makes an account accept all permissions that the App asks for now.
func (s *Server) AcceptPermissions(owner string) error {
	return s.withInstallation(owner, func(inst *installation) {
		inst.permissions = maps.Clone(s.app.permissions)
		s.emitInstallation("new_permissions_accepted", inst)
	})
}

// RevokeTokens revokes the tokens of an account's installation that exist now. New ones can be requested.
func (s *Server) RevokeTokens(owner string) error {
	return s.withInstallation(owner, func(inst *installation) {
		maps.DeleteFunc(s.state.tokens, func(_ string, t *token) bool { return t.installation == inst })
	})
}

// Uninstall removes the App from an account, and its tokens with it.
func (s *Server) Uninstall(owner string) error {
	return s.withInstallation(owner, func(inst *installation) {
		delete(s.state.installations, inst.id)
		maps.DeleteFunc(s.state.tokens, func(_ string, t *token) bool { return t.installation == inst })
		s.emitInstallation("deleted", inst)
	})
}

func (s *Server) withInstallation(owner string, do func(*installation)) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	account, err := s.state.user(owner)
	if err != nil {
		return err
	}
	inst := s.state.installationOf(account)
	if inst == nil {
		return fmt.Errorf("the App is not installed on %s", owner)
	}
	do(inst)
	return nil
}

// covers reports whether the installation includes a repository.
func (in *installation) covers(r *repository) bool {
	return r.owner == in.account && (in.repos == nil || in.repos[r.id])
}

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
