package signin

import (
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
	"net/http"
	"time"

	"github.com/gorilla/securecookie"
	"golang.org/x/oauth2"
)

const (
	// sessionLife is how long somebody stays signed in.
	sessionLife = 30 * 24 * time.Hour
	// flowLife is how long signing in may take.
	flowLife = 10 * time.Minute
	// maxFlows is how many tabs can be signing in at a time.
	maxFlows = 4
	// minSecret is the least length of a secret from which keys are made, in bytes.
	minSecret = 16
)

// cookies reads and writes the two cookies: of the session, and of ways through GitHub that are not finished. Both are
// encrypted and signed. Their ages are in them.
type cookies struct {
	codec                 *securecookie.SecureCookie
	secure                bool
	sessionName, flowName string
	// formKey is that of form tokens.
	formKey []byte
}

func newCookies(secret string, secure bool) (cookies, error) {
	if len(secret) < minSecret {
		return cookies{}, fmt.Errorf("the client secret is shorter than %d characters", minSecret)
	}
	hash, err := keyFor(secret, "sign cookies")
	if err != nil {
		return cookies{}, err
	}
	block, err := keyFor(secret, "encrypt cookies")
	if err != nil {
		return cookies{}, err
	}
	form, err := keyFor(secret, "sign forms")
	if err != nil {
		return cookies{}, err
	}
	c := cookies{secure: secure, formKey: form, sessionName: "tenon-session", flowName: "tenon-signin",
		codec: securecookie.New(hash, block).SetSerializer(securecookie.JSONEncoder{}).MaxAge(0)}
	if secure { // other hosts of the same domain cannot set these
		c.sessionName, c.flowName = "__Host-"+c.sessionName, "__Host-"+c.flowName
	}
	return c, nil
}

// keyFor returns a key for one purpose. The version changes with what is in the cookies.
func keyFor(secret, purpose string) ([]byte, error) {
	key, err := hkdf.Key(sha256.New, []byte(secret), nil, "tenon pages v1: "+purpose, 32)
	if err != nil {
		return nil, fmt.Errorf("making a key for cookies: %w", err)
	}
	return key, nil
}

// session returns the session of a request, nil if there is none.
func (c cookies) session(r *http.Request) *session {
	var s session
	if !c.read(r, c.sessionName, &s) || s.ID == "" {
		return nil
	}
	return &s
}

// keep sets the cookie of a session.
func (c cookies) keep(w http.ResponseWriter, s *session, now time.Time) error {
	return c.write(w, c.sessionName, s, time.Unix(s.Begun, 0).Add(sessionLife).Sub(now))
}

// drop ends a session in the browser.
func (c cookies) drop(w http.ResponseWriter) { http.SetCookie(w, c.cookie(c.sessionName, "", -1)) }

// flows returns the ways through GitHub that a browser has begun.
func (c cookies) flows(r *http.Request) []flow {
	var all []flow
	if !c.read(r, c.flowName, &all) {
		return nil
	}
	return all
}

// keepFlows sets the cookie of ways through GitHub.
func (c cookies) keepFlows(w http.ResponseWriter, all []flow) error {
	if len(all) == 0 {
		http.SetCookie(w, c.cookie(c.flowName, "", -1))
		return nil
	}
	return c.write(w, c.flowName, all, flowLife)
}

func (c cookies) read(r *http.Request, name string, into any) bool {
	cookie, err := r.Cookie(name)
	return err == nil && c.codec.Decode(name, cookie.Value, into) == nil
}

func (c cookies) write(w http.ResponseWriter, name string, value any, life time.Duration) error {
	text, err := c.codec.Encode(name, value)
	if err != nil {
		return fmt.Errorf("writing the cookie %s: %w", name, err)
	}
	http.SetCookie(w, c.cookie(name, text, int(life/time.Second)))
	return nil
}

func (c cookies) cookie(name, value string, seconds int) *http.Cookie {
	return &http.Cookie{Name: name, Value: value, Path: "/", MaxAge: seconds, HttpOnly: true, Secure: c.secure,
		SameSite: http.SameSiteLaxMode}
}

// flow is a way through GitHub that a browser has begun: its state and the verifier of its code (PKCE), and the path
// where it ends.
type flow struct {
	State    string `json:"s"`
	Verifier string `json:"v"`
	To       string `json:"t"`
	Begun    int64  `json:"b"` // seconds
}

// session is what the cookie of somebody who is signed in has.
type session struct {
	// ID is random. User and Login are those of GitHub.
	ID    string `json:"i"`
	User  int64  `json:"u"`
	Login string `json:"l"`
	// Begun is when they signed in, in seconds.
	Begun  int64  `json:"b"`
	Tokens tokens `json:"t"`
}

// tokens are those of a person. Access is valid until Expires, in seconds, 0 for ever. Refresh can be exchanged for
// other tokens, once.
type tokens struct {
	Access  string `json:"a"`
	Refresh string `json:"r,omitempty"`
	Expires int64  `json:"e,omitempty"`
}

// tokensOf returns the tokens of GitHub's answer.
func tokensOf(t *oauth2.Token, now time.Time) tokens {
	all := tokens{Access: t.AccessToken, Refresh: t.RefreshToken}
	if t.ExpiresIn > 0 {
		all.Expires = now.Unix() + t.ExpiresIn
	}
	return all
}

// validFor reports whether the access token will still be valid after some time.
func (t tokens) validFor(d time.Duration, now time.Time) bool {
	return t.Expires == 0 || now.Add(d).Unix() < t.Expires
}
