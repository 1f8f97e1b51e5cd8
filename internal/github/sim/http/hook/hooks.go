// Package hook delivers the events of what happens to the App's webhook, as GitHub does.
package hook

import (
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
)

// Hooks are the App's webhook and its deliveries.
type Hooks struct {
	*entity.Core
	form    form.Forms
	work    *sync.WaitGroup // has the deliveries on their way
	timeout time.Duration

	// What follows is guarded by Core.Mu.
	hook       hook
	deliveries []*Attempt // oldest first
}

// New returns a webhook without a URL, whose payloads have these shapes. work has the deliveries on their way; each may
// take the timeout.
func New(core *entity.Core, forms form.Forms, work *sync.WaitGroup, timeout time.Duration) *Hooks {
	return &Hooks{Core: core, form: forms, work: work, timeout: timeout}
}

// hook is the App's webhook.
type hook struct {
	url     string
	handler http.Handler                    // instead of what is at url
	needs   func(event, action string) bool // nil: all
	Settings
}

// Settings are those of the App's webhook besides its URL. The zero value is what an App needs.
type Settings struct {
	// Form is true for the content type application/x-www-form-urlencoded, of which the payload is a field.
	Form bool
	// InsecureTLS is true if certificates are not verified, Inactive if nothing is delivered.
	InsecureTLS, Inactive bool
	// NoSecret is true if deliveries are not signed; Secret is what signs them instead of what WebhookSecret returns.
	NoSecret bool
	Secret   string
}

// Delivery is one attempt to deliver an event.
type Delivery struct {
	// ID is the attempt's; GUID is the same for all attempts of one event.
	ID   int64
	GUID string
	// Event and Action are GitHub's names; Subject is the id of the comment, issue or pull request.
	Event, Action string
	Subject       int64
	// Sender is the login of the user who caused it.
	Sender     string
	Redelivery bool
	At         time.Time
	// Status is the response's, or 0 if there is none (yet). Answer is its body, at most 64 KiB.
	Status int
	Answer string
	// Err is why there is no response.
	Err string
}

// Attempt is a delivery with what was sent.
type Attempt struct {
	Delivery
	installation, repo int64
	payload            []byte
	duration           time.Duration
	done               chan struct{}
}

// Succeeded reports whether the App accepted the delivery.
func (d *Attempt) Succeeded() bool { return d.Status >= 200 && d.Status < 300 }

// SetHookSettings changes the settings of the App's webhook.
func (s *Hooks) SetHookSettings(settings Settings) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.Settings = settings
}

// SetHookURL sets the URL of the App's webhook. There are no deliveries while it is empty.
func (s *Hooks) SetHookURL(url string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.url = url
}

// SetHook makes deliveries go to a handler in this process: in their order, each before the act or the request that
// caused it returns. Events with an action that it does not need are not delivered: to write them takes time.
func (s *Hooks) SetHook(handler http.Handler, needs func(event, action string) bool) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.hook.url, s.hook.handler, s.hook.needs = "http://webhook.example/webhook", handler, needs
}

// HookURL returns the URL of the App's webhook.
func (s *Hooks) HookURL() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.hook.url
}

// delivers reports whether an event about a repository is delivered.
func (s *Hooks) delivers(event, action string, r *entity.Repository) bool {
	in := s.State.InstallationFor(r)
	return in != nil && s.hook.url != "" && slices.Contains(s.App.Events, event) && in.Gets(event) &&
		(s.hook.needs == nil || s.hook.needs(event, action))
}
