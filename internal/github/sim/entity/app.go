package entity

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"strings"
	"time"
)

// App is the GitHub App of the server. Of its fields only Key changes.
type App struct {
	ID          int64
	Slug, Name  string
	Key         *rsa.PrivateKey
	Secret      string
	Permissions map[string]string
	Events      []string
	Owner       *User
	Bot         *User
	Created     time.Time
	Public      bool // other accounts may install it

	ClientID, ClientSecret string
	Callbacks              []string // the callback URLs
}

// KeyPEM returns the App's private key in the form that GitHub generates: PKCS #1 in PEM.
func (a *App) KeyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(a.Key)})
}

// CallsBack reports whether a URL is one of the App's callback URLs, or below one: "the host (excluding sub-domains)
// and port must exactly match the callback URL", and its path must be a subdirectory.
func (a *App) CallsBack(text string) bool {
	for _, known := range a.Callbacks {
		if text == known || strings.HasPrefix(text, strings.TrimSuffix(known, "/")+"/") {
			return true
		}
	}
	return false
}
