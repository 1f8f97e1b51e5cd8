package signin

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"

	"github.com/tenon-bot/tenon/bot/port"
)

// visit is what is known of who sends a request.
type visit struct {
	mu      sync.Mutex
	session *session
	// checked is set when the session was. Then session is nil if it is none (any more), and fault is why GitHub did not
	// say.
	checked bool
	visitor Visitor
	fault   error
}

// account is whose token it is, as GitHub said at a time.
type account struct {
	id    int64
	login string
	said  time.Time
}

const (
	// accountLife is how long GitHub is not asked again who somebody is, staleLife how long what it said is enough while
	// it does not answer.
	accountLife, staleLife = time.Minute, time.Hour
	// early is how long before its end a token is renewed.
	early = 5 * time.Minute
	// renewedLife is how long requests may come that have tokens from before a renewal.
	renewedLife = 5 * time.Minute
)

// Visitor returns who sends a request; ok is false for somebody who is not signed in. It may set the cookie.
func (s *Sessions) Visitor(w http.ResponseWriter, r *http.Request) (visitor Visitor, ok bool) {
	v := of(r)
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.session != nil && !v.checked {
		v.checked = true
		if !s.check(w, r, v) {
			v.session = nil
			s.cookies.drop(w)
		}
	}
	return v.visitor, v.session != nil
}

// check reports whether a session is one still, and sets who it is of. It renews its tokens.
func (s *Sessions) check(w http.ResponseWriter, r *http.Request, v *visit) bool {
	now := s.Now()
	if _, ended := s.ended.get(v.session.ID); ended || now.Unix() >= v.session.Begun+int64(sessionLife/time.Second) {
		return false
	}
	v.visitor = Visitor{ID: v.session.User, Login: v.session.Login}
	if !v.session.Tokens.validFor(early, now) {
		if ok := s.renew(w, r, v); !ok || v.fault != nil {
			return ok
		}
	}
	who, err := s.account(r.Context(), v.session)
	switch {
	case errors.Is(err, port.ErrDenied):
		return false
	case err != nil:
		v.fault = err
		return true
	}
	v.visitor = Visitor{ID: who.id, Login: who.login, Operator: s.operators[strings.ToLower(who.login)]}
	return true
}

// account asks GitHub whose session it is, once in a while. A name can become that of somebody else.
func (s *Sessions) account(ctx context.Context, session *session) (account, error) {
	known, ok := s.accounts.get(session.ID)
	if ok && s.Now().Sub(known.said) < accountLife {
		return known, nil
	}
	got, err, _ := s.asking.Do("account "+session.ID, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askTimeout)
		defer cancel()
		id, login, err := s.GitHub.Account(ctx, session.Tokens.Access)
		if err == nil && id != session.User {
			err = fmt.Errorf("the token of %d is one of %d: %w", session.User, id, port.ErrDenied)
		}
		if err != nil {
			return account{}, err
		}
		who := account{id, login, s.Now()}
		s.accounts.put(session.ID, who, staleLife)
		return who, nil
	})
	switch {
	case err == nil:
		return got.(account), nil
	case ok && !errors.Is(err, port.ErrDenied):
		return known, nil // GitHub does not answer, and has not long ago
	}
	return account{}, err
}

// renew exchanges the refresh token of a session, and reports whether it is one still.
func (s *Sessions) renew(w http.ResponseWriter, r *http.Request, v *visit) bool {
	now, old := s.Now(), v.session.Tokens
	if old.Refresh == "" {
		return old.validFor(0, now)
	}
	next, err := s.refresh(r.Context(), old.Refresh)
	switch {
	case err == nil:
		changed := *v.session
		changed.Tokens = next
		v.session = &changed
		if err := s.cookies.keep(w, &changed, now); err != nil {
			s.Log.ErrorContext(r.Context(), "a session could not be kept", "error", err)
		}
		return true
	case old.validFor(0, now): // it may have been renewed by another process
		return true
	case refusal(err) != "":
		s.Log.InfoContext(r.Context(), "a session ended, as GitHub renews its token no more", "login", v.session.Login)
		return false
	}
	v.fault = withoutBody(err)
	return true
}

// refresh exchanges a refresh token, which works once: requests that come together share the result.
func (s *Sessions) refresh(ctx context.Context, token string) (tokens, error) {
	key := hashed(token)
	got, err, _ := s.asking.Do("refresh "+key, func() (any, error) {
		if next, ok := s.renewed.get(key); ok {
			return next, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), exchangeTimeout)
		defer cancel()
		t, err := s.oauth.TokenSource(s.client(ctx), &oauth2.Token{RefreshToken: token}).Token()
		if err != nil {
			return tokens{}, fmt.Errorf("renewing a token: %w", err)
		}
		next := tokensOf(t, s.Now())
		s.renewed.put(key, next, renewedLife)
		return next, nil
	})
	if err != nil {
		return tokens{}, err
	}
	return got.(tokens), nil
}

// hashed returns a name for a secret.
func hashed(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// end makes a session useless in this process; in others it is when GitHub accepts its token no more.
func (s *Sessions) end(id string) { s.ended.put(id, struct{}{}, sessionLife) }

// signOut ends a session, here and at GitHub.
func (s *Sessions) signOut(w http.ResponseWriter, r *http.Request) {
	if session := of(r).session; session != nil {
		s.end(session.ID)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), exchangeTimeout)
		defer cancel()
		token := session.Tokens
		if token.Refresh != "" { // so that the refresh token is of no use either
			if next, err := s.refresh(ctx, token.Refresh); err == nil {
				token = next
			}
		}
		if err := s.GitHub.Revoke(ctx, token.Access); err != nil {
			s.Log.WarnContext(ctx, "the token of somebody who signed out is valid until it expires", "error", err)
		}
		s.Log.InfoContext(ctx, "signed out", "login", session.Login)
	}
	s.cookies.drop(w)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// FormToken returns what a form of the visitor must carry in the field "csrf_token"; empty for nobody.
func (s *Sessions) FormToken(r *http.Request) string {
	session := of(r).session
	if session == nil {
		return ""
	}
	mac := hmac.New(sha256.New, s.cookies.formKey)
	mac.Write([]byte(session.ID)) // never fails
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// isOwnForm reports whether a form is one of the visitor's pages.
func (s *Sessions) isOwnForm(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "same-origin":
	default:
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" && origin != s.PublicURL {
		return false
	}
	want := s.FormToken(r)
	return want != "" && hmac.Equal([]byte(want), []byte(r.PostFormValue("csrf_token")))
}

// visitKey is the key of a *visit in the context of a request.
type visitKey struct{}

// of returns the visit of a request that came through Handler.
func of(r *http.Request) *visit {
	if v, ok := r.Context().Value(visitKey{}).(*visit); ok {
		return v
	}
	return &visit{}
}
