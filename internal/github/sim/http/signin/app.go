package signin

import (
	"crypto/rand"
	"crypto/rsa"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// NewApp returns the App that a server has at first. A nil key means a new one.
func NewApp(key *rsa.PrivateKey, permissions map[string]string, events []string, now time.Time) (*entity.App, error) {
	key, err := orNewKey(key)
	if err != nil {
		return nil, err
	}
	return &entity.App{ID: 4711, Slug: "tenon", Name: "tenon", Key: key, Secret: randomHex(20),
		Permissions: maps.Clone(permissions), Events: slices.Clone(events), Created: now.UTC(),
		ClientID: newClientID(), ClientSecret: randomHex(20)}, nil
}

// orNewKey returns a key, a new one for nil.
func orNewKey(key *rsa.PrivateKey) (*rsa.PrivateKey, error) {
	if key != nil {
		return key, nil
	}
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("making the App's key: %w", err)
	}
	return key, nil
}

// newClientID returns a client id in GitHub's form.
func newClientID() string { return "Iv23li" + randomHex(7) }

func randomHex(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails
	return hex.EncodeToString(b)
}
