package port

import (
	"fmt"
	"time"
)

// App is how GitHub knows the App. Texts are GitHub's, as its owner wrote them.
type App struct {
	ID int64
	// ClientID is the name of the App where people sign in; empty if GitHub did not say.
	ClientID string
	// Name is for people; Slug is the name in URLs, the login without "[bot]".
	Name, Slug string
	// Owner is the account that registered the App, Organization whether that is an organisation.
	Owner        string
	Organization bool
	// Permissions are the level of each permission that the App asks for, Events what it is subscribed to.
	Permissions map[string]string
	Events      []string
}

// Hook is how the App's webhook is set up.
type Hook struct {
	URL string
	// ContentType is "json" or "form".
	ContentType string
	// InsecureTLS is true if GitHub does not verify the server's certificate, HasSecret if deliveries are signed.
	InsecureTLS, HasSecret bool
}

// Installation is an account that has installed the App.
type Installation struct {
	ID int64
	// Account is the login of the account, Organization whether it is an organisation.
	Account      string
	Organization bool
	// Permissions are those that its owner has accepted.
	Permissions map[string]string
	Suspended   bool
	// Created is when it was made, by GitHub's clock.
	Created time.Time
}

// AppRefusal is why GitHub does not take the App for who it says it is.
type AppRefusal string

// The reasons why GitHub refuses the App.
const (
	UnknownApp AppRefusal = "unknown app" // there is no App with this id
	WrongKey   AppRefusal = "wrong key"   // the key is none of the App with this id
	WrongClock AppRefusal = "wrong clock" // the time is too far from GitHub's
	NotAnAPI   AppRefusal = "not an API"  // what answers is not GitHub's API
)

// AppRefusedError is the error of a request with the App's own key that GitHub refuses.
type AppRefusedError struct {
	Why AppRefusal
	// ID is that of the App, Fingerprint that of the key, as GitHub lists it on the App's page.
	ID          int64
	Fingerprint string
	// Ahead is how far this machine's clock is ahead of GitHub's, negative if it is behind; 0 if that is unknown.
	Ahead time.Duration
	Err   error
}

func (e *AppRefusedError) Error() string { return e.Err.Error() + " (" + e.Remedy() + ")" }

// Remedy says what is wrong, and what to do about it.
func (e *AppRefusedError) Remedy() string {
	switch e.Why {
	case UnknownApp:
		return fmt.Sprintf("there is no App with this id, %d: TENON_APP_ID must be the number called App ID on the page of "+
			"the App, and on the same GitHub", e.ID)
	case WrongKey:
		return fmt.Sprintf("TENON_APP_ID and the private key do not belong together: the key with the fingerprint %s "+
			"must be listed under \"Private keys\" on the page of the App with this id, %d", e.Fingerprint, e.ID)
	case WrongClock:
		return "this machine's clock is " + e.Off() + ": set it, such as by NTP"
	}
	return "is TENON_GITHUB_API_URL the address of GitHub's API? That of an Enterprise Server is https://HOST/api/v3/"
}

func (e *AppRefusedError) Unwrap() error { return e.Err }

// Off says how far this machine's clock is from GitHub's.
func (e *AppRefusedError) Off() string { return ClockOff(e.Ahead) }

// ClockOff says how far a clock is from GitHub's.
func ClockOff(ahead time.Duration) string {
	switch ahead = ahead.Round(time.Second); {
	case ahead > 0:
		return ahead.String() + " ahead of GitHub's"
	case ahead < 0:
		return (-ahead).String() + " behind GitHub's"
	}
	return "not GitHub's"
}
