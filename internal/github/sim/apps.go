package sim

import (
	"crypto/rsa"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Apps is the App with its installations.
type Apps struct{ *entity.Core }

// MakeBot adds the accounts of the App: its owner and its bot.
func (s Apps) MakeBot() {
	now := s.Now()
	s.App.Owner = s.State.NewUser("tenon-bot", entity.UserOrg, now)
	s.App.Bot = s.State.NewUser(s.App.Slug+"[bot]", entity.UserBot, now)
}

// Current returns the App of the server.
func (s Apps) Current() *entity.App {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.App
}

// AppID returns the App's id, the issuer of its JWTs.
func (s Apps) AppID() int64 { return s.Current().ID }

// Slug returns the App's name in URLs, "tenon" unless another App was registered.
func (s Apps) Slug() string { return s.Current().Slug }

// BotLogin returns the login under which the App acts, "tenon[bot]" unless another App was registered.
func (s Apps) BotLogin() string { return s.Current().Bot.Login }

// WebhookSecret returns the key under which deliveries are signed.
func (s Apps) WebhookSecret() string { return s.Current().Secret }

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
