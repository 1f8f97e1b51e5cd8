package signin

import (
	"maps"
	"strings"
)

// Visitor is what a test does as the person who visits the pages, and sees of it.
type Visitor struct{ flows *Flows }

// VisitorOf returns the visitor of the pages.
func VisitorOf(flows *Flows) Visitor { return Visitor{flows} }

// SignIn says whose browser requests the pages of the server. Without anybody, they redirect to the page /login.
func (v Visitor) SignIn(login string) error {
	v.flows.Mu.Lock()
	defer v.flows.Mu.Unlock()
	u, err := v.flows.State.User(login)
	v.flows.viewer = u
	return err
}

// ClientID returns the App's client id.
func (v Visitor) ClientID() string { return v.flows.acts.Current().ClientID }

// ClientSecret returns the App's client secret.
func (v Visitor) ClientSecret() string { return v.flows.acts.Current().ClientSecret }

// SetCallbackURLs sets the App's callback URLs.
func (v Visitor) SetCallbackURLs(urls ...string) {
	v.flows.Mu.Lock()
	defer v.flows.Mu.Unlock()
	v.flows.App.Callbacks = urls
}

// RevokeAuthorization takes back that a person authorised the App: their tokens become useless.
func (v Visitor) RevokeAuthorization(login string) error {
	v.flows.Mu.Lock()
	defer v.flows.Mu.Unlock()
	u, err := v.flows.State.User(login)
	if err != nil {
		return err
	}
	delete(v.flows.oauth.authorized, u)
	of := func(_ string, t *userToken) bool { return t.user == u }
	maps.DeleteFunc(v.flows.oauth.tokens, of)
	maps.DeleteFunc(v.flows.oauth.refreshing, of)
	return nil
}

// UserTokens returns how many tokens of a person are valid now.
func (v Visitor) UserTokens(login string) int {
	v.flows.Mu.Lock()
	defer v.flows.Mu.Unlock()
	n := 0
	for value, t := range v.flows.oauth.tokens {
		if strings.EqualFold(t.user.Login, login) && v.flows.userToken(value) != nil {
			n++
		}
	}
	return n
}
