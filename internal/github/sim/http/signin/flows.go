// Package signin has the pages of GitHub on which people register an App, install it and authorise it, and the tokens
// that come of it.
package signin

import (
	"crypto/rsa"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Flows are the ways of people through the pages.
type Flows struct {
	*entity.Core
	// Lasting makes the tokens of people valid for ever.
	Lasting bool

	acts  sim.Acts
	hook  hook.API
	watch *traffic.Watch
	key   *rsa.PrivateKey // of Apps that are registered; nil means a new one for each

	// What follows is guarded by Core.Mu.
	manifests manifests
	oauth     oauth
	viewer    *entity.User // whose browser requests pages
}

// New returns the flows of a server. A nil key means a new one for each App.
func New(core *entity.Core, acts sim.Acts, hook hook.API, watch *traffic.Watch, key *rsa.PrivateKey) *Flows {
	return &Flows{Core: core, acts: acts, hook: hook, watch: watch, key: key, oauth: newOAuth(),
		manifests: manifests{pages: map[string]*registering{}, codes: map[string]*registering{}}}
}

// registering is a manifest on its way through the flow.
type registering struct {
	manifest manifest
	account  *entity.User
	state    string
	begun    time.Time
	app      *entity.App // set when the person has pressed the button
}

// manifests are those on their way: by what the page of GitHub calls them, and then by their code.
type manifests struct{ pages, codes map[string]*registering }

// oauth is what the flow keeps.
type oauth struct {
	pages      map[string]*authorizing // by what the page calls it
	codes      map[string]*authorizing
	tokens     map[string]*userToken
	refreshing map[string]*userToken // by refresh token
	authorized map[*entity.User]bool
}

func newOAuth() oauth {
	return oauth{pages: map[string]*authorizing{}, codes: map[string]*authorizing{}, tokens: map[string]*userToken{},
		refreshing: map[string]*userToken{}, authorized: map[*entity.User]bool{}}
}

// authorizing is a person on the way through the flow.
type authorizing struct {
	user            *entity.User
	app             *entity.App
	redirect, state string
	challenge       string
	begun           time.Time
}

// userToken is the token of a person, and the one by which it is refreshed.
type userToken struct {
	value, refresh string
	user           *entity.User
	app            *entity.App
	expires        time.Time // zero: never
	refreshUntil   time.Time
}
