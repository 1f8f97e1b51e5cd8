package entity

import "time"

// Token is an installation token, of the App or of GitHub Actions, or a person's.
type Token struct {
	Value        string
	Installation *Installation // also of a job, and of a person, to count its requests
	Permissions  map[string]string
	Repos        map[int64]bool // by id; nil means all of the installation
	Expires      time.Time
	Kind         TokenKind
	By           *User // who acts with it; nil is the App
}

// TokenKind is whose token it is.
type TokenKind int

// The kinds of tokens.
const (
	appToken      TokenKind = iota // of an installation of the App
	JobToken                       // of a job of GitHub Actions
	PersonalToken                  // of a person, with the permissions that the person chose
)

// Covers reports whether the token gives access to a repository.
func (t *Token) Covers(r *Repository) bool {
	if t.Kind == PersonalToken {
		return r.RoleOf(t.By).AtLeast(RoleRead) && (t.Repos == nil || t.Repos[r.ID])
	}
	return t.Installation.Covers(r) && (t.Repos == nil || t.Repos[r.ID])
}

// May reports whether the token has a permission at "read" or "write".
func (t *Token) May(permission, level string) bool {
	return allow(t.Permissions, permission, level)
}
