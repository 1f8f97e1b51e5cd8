package entity

import (
	"fmt"
	"time"
)

// UserType is GitHub's type of an account: "User", "Organization" or "Bot".
type UserType string

// The types of accounts.
const (
	UserPerson UserType = "User"
	UserOrg    UserType = "Organization"
	UserBot    UserType = "Bot"
)

// User is an account: a person, an organisation or the bot of an App.
type User struct {
	ID      int64
	Login   string
	Kind    UserType
	Owners  map[string]bool // of an organisation, by lower-case login
	Created time.Time
}

// Email returns the noreply address of GitHub for an account, which contains its id.
func (u *User) Email() string { return fmt.Sprintf("%d+%s@users.noreply.github.com", u.ID, u.Login) }
