package signin

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// The lives of a code and of a person's tokens, by GitHub's documentation.
const (
	codeLife      = 10 * time.Minute
	userTokenLife = 8 * time.Hour
	refreshLife   = 15_897_600 * time.Second
)

// Exchange returns the tokens for a code, or for a refresh token, or why there are none. The caller holds the lock.
func (s *Flows) Exchange(r *http.Request) entity.Object {
	id, secret := r.FormValue("client_id"), r.FormValue("client_secret")
	if id != s.App.ClientID || subtle.ConstantTimeCompare([]byte(secret), []byte(s.App.ClientSecret)) != 1 {
		return oauthError("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.")
	}
	if r.FormValue("grant_type") == "refresh_token" {
		return s.refreshed(r.FormValue("refresh_token"))
	}
	code := r.FormValue("code")
	a := s.oauth.codes[code]
	delete(s.oauth.codes, code)
	switch {
	case a == nil || a.app != s.App || s.Clock().Sub(a.begun) >= codeLife:
		return oauthError("bad_verification_code", "The code passed is incorrect or expired.")
	case r.FormValue("redirect_uri") != "" && r.FormValue("redirect_uri") != a.redirect:
		return oauthError("redirect_uri_mismatch",
			"The redirect_uri MUST match the registered callback URL for this application.")
	case a.challenge != "" && a.challenge != challengeOf(r.FormValue("code_verifier")):
		return oauthError("bad_verification_code", "The code passed is incorrect or expired.")
	}
	return s.newUserToken(a.user)
}

func oauthError(code, text string) entity.Object {
	return entity.Object{"error": code, "error_description": text}
}

// challengeOf returns the S256 challenge of a verifier.
func challengeOf(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// refreshed exchanges a refresh token. "Once you use a refresh token, that refresh token and the old user access token
// will no longer work."
func (s *Flows) refreshed(value string) entity.Object {
	t := s.oauth.refreshing[value]
	if t == nil || t.app != s.App || !s.Clock().Before(t.refreshUntil) {
		return oauthError("bad_refresh_token", "The refresh token passed is incorrect or expired.")
	}
	delete(s.oauth.refreshing, value)
	delete(s.oauth.tokens, t.value)
	return s.newUserToken(t.user)
}

func (s *Flows) newUserToken(u *entity.User) entity.Object {
	t := &userToken{value: "ghu_" + rand.Text() + rand.Text()[:10], user: u, app: s.App}
	s.oauth.tokens[t.value] = t
	o := entity.Object{"access_token": t.value, "token_type": "bearer", "scope": ""}
	if s.Lasting {
		return o
	}
	now := s.Clock()
	t.refresh = "ghr_" + rand.Text() + rand.Text() + rand.Text()[:24]
	t.expires, t.refreshUntil = now.Add(userTokenLife), now.Add(refreshLife)
	s.oauth.refreshing[t.refresh] = t
	o["expires_in"], o["refresh_token"] = int(userTokenLife.Seconds()), t.refresh
	o["refresh_token_expires_in"] = int(refreshLife.Seconds())
	return o
}

// userToken returns the token with a value, nil if it is none now.
func (s *Flows) userToken(value string) *userToken {
	t := s.oauth.tokens[value]
	if t == nil || t.app != s.App || !t.expires.IsZero() && !s.Clock().Before(t.expires) {
		return nil
	}
	return t
}

// UserOf returns the person whose token it is, nil if it is not valid now. The caller holds the lock.
func (s *Flows) UserOf(token string) *entity.User {
	if t := s.userToken(token); t != nil {
		return t.user
	}
	return nil
}

// Revoke ends a token of a person, and reports whether it was one. The caller holds the lock.
func (s *Flows) Revoke(token string) bool {
	_, is := s.oauth.tokens[token]
	delete(s.oauth.tokens, token)
	return is
}
