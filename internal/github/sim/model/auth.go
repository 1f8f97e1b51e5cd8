package model

import (
	"time"
)

// Token is an installation token, of the App or of GitHub Actions, or a person's.
type Token struct {
	Value        string
	Installation *Installation // also of a job, and of a person, to count its requests
	Permissions  map[string]string
	Repos        map[int64]bool // by id; nil means all of the installation
	Expires      time.Time
	Kind         tokenKind
	By           *User // who acts with it; nil is the App
}

func (t *Token) Covers(r *Repository) bool {
	if t.Kind == PersonalToken {
		return t.By.mayRead(r) && (t.Repos == nil || t.Repos[r.ID])
	}
	return t.Installation.Covers(r) && (t.Repos == nil || t.Repos[r.ID])
}

// May reports whether the token has a permission at "read" or "write".
func (t *Token) May(permission, level string) bool {
	has := t.Permissions[permission]
	return has == "write" || has == "admin" || has == level && has != ""
}
