package model

import (
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"time"
)

// App is the GitHub App of the server. What the fields are does not change, but for the key.
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

// Installation is the installation of the App on an account.
type Installation struct {
	ID          int64
	Account     *User
	Repos       map[int64]bool // by id; nil = all of the account
	Permissions map[string]string
	Created     time.Time
	Suspended   *time.Time
}

func (a *App) KeyPEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(a.Key)})
}

// Covers reports whether the installation includes a repository.
func (in *Installation) Covers(r *Repository) bool {
	return r.Owner == in.Account && (in.Repos == nil || in.Repos[r.ID])
}
