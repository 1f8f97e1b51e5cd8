package signin

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"golang.org/x/oauth2"

	"github.com/tenon-bot/tenon/internal/text"
)

// maxPath bounds a path to which people come back, in bytes: several are in one cookie.
const maxPath = 400

// SignIn sends the browser to sign in, and back to the path of the request. It answers 401 to what is no request for a
// page: nobody would see where a redirect leads.
func (s *Sessions) SignIn(w http.ResponseWriter, r *http.Request) {
	dest := r.Header.Get("Sec-Fetch-Dest")
	if (r.Method != http.MethodGet && r.Method != http.MethodHead) || (dest != "" && dest != "document") ||
		strings.HasPrefix(r.Header.Get("Accept"), "text/event-stream") {
		s.Fault(w, r, http.StatusUnauthorized, "You are not signed in", "Reload the page to sign in, and try again.")
		return
	}
	http.Redirect(w, r, startPath+"?"+url.Values{"to": {local(r.URL.RequestURI())}}.Encode(), http.StatusSeeOther)
}

// local returns a path of this server, with its query: that of a text, or that of the first page if the text leads
// elsewhere.
func local(text string) string {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxPath || u.Scheme != "" || u.Host != "" || u.User != nil ||
		!strings.HasPrefix(text, "/") || strings.HasPrefix(text, "//") || strings.HasPrefix(u.Path, "//") ||
		strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r == 0x7f }) ||
		strings.Contains(u.Path, `\`) || strings.HasPrefix(path.Clean(u.Path)+"/", "/auth/") {
		return "/"
	}
	return text
}

// start begins a way through GitHub.
func (s *Sessions) start(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	to := local(q.Get("to"))
	// The cookie must be one of the host to which GitHub sends the browser back. Once: a proxy may change the name.
	if !strings.EqualFold(r.Host, s.host) && q.Get("host") == "" {
		again := url.Values{"to": {to}, "host": {"public"}}
		http.Redirect(w, r, s.PublicURL+startPath+"?"+again.Encode(), http.StatusSeeOther)
		return
	}
	f := flow{State: rand.Text(), Verifier: oauth2.GenerateVerifier(), To: to, Begun: s.Now().Unix()}
	all := append(s.openFlows(r), f)
	if err := s.cookies.keepFlows(w, all[max(0, len(all)-maxFlows):]); err != nil {
		s.fail(w, r, err)
		return
	}
	http.Redirect(w, r, s.oauth.AuthCodeURL(f.State, oauth2.S256ChallengeOption(f.Verifier)), http.StatusSeeOther)
}

// openFlows returns the ways that are not too old.
func (s *Sessions) openFlows(r *http.Request) []flow {
	oldest := s.Now().Add(-flowLife).Unix()
	return slices.DeleteFunc(s.cookies.flows(r), func(f flow) bool { return f.Begun <= oldest })
}

// callback ends a way through GitHub.
func (s *Sessions) callback(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	state, code, why := q.Get("state"), q.Get("code"), q.Get("error")
	if state == "" && code != "" && why == "" { // whoever just installed the App, which GitHub can combine
		http.Redirect(w, r, startPath, http.StatusSeeOther)
		return
	}
	open := s.openFlows(r)
	i := slices.IndexFunc(open, func(f flow) bool {
		return subtle.ConstantTimeCompare([]byte(f.State), []byte(state)) == 1
	})
	if i < 0 {
		s.Fault(w, r, http.StatusBadRequest, "You are not signed in", "This way to sign in was used already, was begun in "+
			"another browser, or is older than 10 minutes. Sign in again. If that does not help, allow cookies for this site.")
		return
	}
	f := open[i]
	if err := s.cookies.keepFlows(w, slices.Delete(open, i, i+1)); err != nil {
		s.fail(w, r, err)
		return
	}
	switch {
	case why == "access_denied":
		s.Fault(w, r, http.StatusForbidden, "You are not signed in",
			"You did not let GitHub tell this server who you are. Without that, it cannot know what you may read.")
	case why != "" || code == "":
		s.Log.WarnContext(r.Context(), "GitHub did not sign somebody in", "error", text.Cut(why, maxClip),
			"description", text.Cut(q.Get("error_description"), maxClip))
		s.Fault(w, r, http.StatusBadGateway, "You are not signed in",
			"GitHub refused to sign you in. Why is in tenon's log.")
	default:
		s.finish(w, r, f, code)
	}
}

// finish makes a session from a code.
func (s *Sessions) finish(w http.ResponseWriter, r *http.Request, f flow, code string) {
	select {
	case s.exchanges <- struct{}{}:
		defer func() { <-s.exchanges }()
	case <-r.Context().Done():
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), exchangeTimeout)
	defer cancel()
	token, err := s.oauth.Exchange(s.client(ctx), code, oauth2.VerifierOption(f.Verifier))
	if err != nil {
		s.refuseCode(w, r, err)
		return
	}
	id, login, err := s.GitHub.Account(ctx, token.AccessToken)
	if err != nil {
		s.fail(w, r, err)
		return
	}
	now := s.Now()
	made := &session{ID: rand.Text(), User: id, Login: login, Begun: now.Unix(), Tokens: tokensOf(token, now)}
	if err := s.cookies.keep(w, made, now); err != nil {
		s.fail(w, r, err)
		return
	}
	if old := of(r).session; old != nil {
		s.end(old.ID)
	}
	s.accounts.put(made.ID, account{id, login, now}, staleLife)
	s.Log.InfoContext(ctx, "signed in", "login", login, "id", id)
	http.Redirect(w, r, f.To, http.StatusSeeOther)
}

// refuseCode says why a code gave no token.
func (s *Sessions) refuseCode(w http.ResponseWriter, r *http.Request, err error) {
	switch refusal(err) {
	case "bad_verification_code":
		s.Fault(w, r, http.StatusBadRequest, "You are not signed in", "GitHub's code was used already, or is older than 10 "+
			"minutes. Sign in again.")
	case "incorrect_client_credentials":
		s.Log.ErrorContext(r.Context(), "nobody can sign in: GitHub does not accept TENON_CLIENT_SECRET for "+
			"TENON_CLIENT_ID; generate a client secret on the page of the GitHub App")
		s.Fault(w, r, http.StatusInternalServerError, "You are not signed in", "The client secret of this server is not "+
			"that of its GitHub App. Ask whoever runs it to set TENON_CLIENT_SECRET.")
	case "redirect_uri_mismatch":
		s.Log.ErrorContext(r.Context(), "nobody can sign in: the GitHub App does not know its callback URL; "+
			"add it on the page of the GitHub App", "callback_url", s.oauth.RedirectURL)
		s.Fault(w, r, http.StatusInternalServerError, "You are not signed in", "The GitHub App of this server does not know "+
			"the address "+s.oauth.RedirectURL+". Ask whoever runs it to add that as a Callback URL.")
	default:
		s.fail(w, r, withoutBody(err))
	}
}

// fail says that GitHub did not answer.
func (s *Sessions) fail(w http.ResponseWriter, r *http.Request, err error) {
	s.Log.WarnContext(r.Context(), "signing somebody in failed", "error", err)
	s.Fault(w, r, http.StatusBadGateway, "GitHub did not answer", "Signing in needs GitHub, which did not answer. Try "+
		"again in a minute. https://www.githubstatus.com says whether it has a problem.")
}
