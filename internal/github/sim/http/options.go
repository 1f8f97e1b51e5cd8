// Package simhttp is the HTTP door of the simulated GitHub: the REST API, GraphQL, webhooks, the pages of the sign-in
// and git, as a Server that listens or is reached by its Transport. The packages below know nothing of the server: form
// has the JSON shapes, hook the deliveries, graphql the execution of documents, githttp git, signin the pages, and
// traffic the log of the requests.
package simhttp

import (
	"crypto/rsa"
	"log/slog"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Options configure a Server. The zero value works.
type Options struct {
	// Dir is the folder of the bare repositories and of git's configuration; empty means a temporary folder, which Close
	// removes.
	Dir string
	// Memory keeps the repositories in memory: nothing is written to the disk and no process started, but git is not
	// served over HTTP.
	Memory bool
	// Now is the server's clock, for token expiry and all timestamps; nil means time.Now. Safe for concurrent use.
	Now func() time.Time
	// Log gets internal errors of the server; nil discards them.
	Log *slog.Logger
	// URL is where a server is that does not listen, for Transport: "https://HOST". Empty means "http://127.0.0.1".
	URL string
	// Key is the App's private key; nil means a new one of 2,048 bits. Tests share one to save time.
	Key *rsa.PrivateKey
	// Permissions and Events are the App's; nil means those of app.yml.
	Permissions map[string]string
	Events      []string
	// RequestsPerHour is the primary rate limit of an installation; 0 means GitHub's 5,000. RequestsPerHourOfJobs is that
	// of the jobs of GitHub Actions in a repository; 0 means GitHub's 1,000.
	RequestsPerHour, RequestsPerHourOfJobs int
	// ContentPerMinute and ContentPerHour are the secondary limits for requests that create content; 0 means GitHub's 80
	// and 500, a negative number none.
	ContentPerMinute, ContentPerHour int
	// StaleType is the type of updateRefs' error for a beforeOid that does not match, which GitHub does not document.
	// Empty means "STALE_DATA", as of its other mutation with an expected commit.
	StaleType string
	// NoRollup removes statusCheckRollup from GraphQL, as of a server that does not know it.
	NoRollup bool
	// LastingUserTokens makes the tokens of people valid for ever, as of an App that has opted out of their expiration.
	LastingUserTokens bool
	// DeliveryTimeout is how long a webhook may take; 0 means GitHub's 10 seconds.
	DeliveryTimeout time.Duration
}

// GitHub's limits, from its documentation of rate limits and webhooks.
const (
	requestsPerHourOfJobs = 1000
	contentPerMinute      = 80
	contentPerHour        = 500
	deliveryTimeout       = 10 * time.Second
)

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.URL = entity.OrElse(o.URL, "http://127.0.0.1")
	if o.Permissions == nil {
		o.Permissions = appPermissions()
	}
	if o.Events == nil {
		o.Events = appEvents()
	}
	o.RequestsPerHour = entity.OrElse(o.RequestsPerHour, traffic.RequestsPerHour)
	o.RequestsPerHourOfJobs = entity.OrElse(o.RequestsPerHourOfJobs, requestsPerHourOfJobs)
	o.ContentPerMinute = entity.OrElse(o.ContentPerMinute, contentPerMinute)
	o.ContentPerHour = entity.OrElse(o.ContentPerHour, contentPerHour)
	o.StaleType = entity.OrElse(o.StaleType, "STALE_DATA")
	o.DeliveryTimeout = entity.OrElse(o.DeliveryTimeout, deliveryTimeout)
}

// appPermissions and appEvents return those of app.yml.
func appPermissions() map[string]string {
	return map[string]string{"metadata": "read", "contents": "write", "pull_requests": "write", "issues": "write",
		"checks": "write", "statuses": "read", "actions": "read"}
}

func appEvents() []string {
	return []string{"issue_comment", "pull_request_review_comment", "pull_request_review", "issues", "pull_request",
		"check_run", "check_suite", "workflow_run", "status"}
}
