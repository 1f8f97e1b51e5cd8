package metrics

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/felixge/httpsnoop"
)

// events are the events of GitHub that the webhook's metrics name. Anybody can send another one.
var events = []string{
	"check_run", "check_suite", "installation", "installation_repositories", "issue_comment", "issues", "ping",
	"pull_request", "pull_request_review", "pull_request_review_comment", "status", "workflow_run",
}

// methods are those that are counted by name.
var methods = []string{http.MethodGet, http.MethodPost, http.MethodPatch, http.MethodPut, http.MethodDelete}

// Deliveries counts what the webhook answers.
func (m *Metrics) Deliveries(webhook http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got := httpsnoop.CaptureMetrics(webhook, w, r)
		event := oneOf(events, r.Header.Get("X-GitHub-Event"))
		m.deliveries.WithLabelValues(event, deliveryResult(got.Code), statusText(got.Code)).Inc()
		m.deliverySeconds.Observe(got.Duration.Seconds())
	})
}

// roundTrip is an http.RoundTripper.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// GitHub returns a transport that measures the requests to GitHub's API that another sends. api is the API's URL.
func (m *Metrics) GitHub(api string, next http.RoundTripper) http.RoundTripper {
	base, err := url.Parse(api)
	if err != nil {
		base = &url.URL{}
	}
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		begun, name := time.Now(), "rest"
		switch {
		case r.URL.Host != base.Host:
			name = "storage"
		case strings.HasSuffix(r.URL.Path, "/graphql"):
			name = "graphql"
		}
		resp, err := next.RoundTrip(r)
		m.githubSeconds.WithLabelValues(name).Observe(time.Since(begun).Seconds())
		m.githubRequests.WithLabelValues(name, oneOf(methods, r.Method), statusOf(resp, err)).Inc()
		if err == nil && name != "storage" {
			m.rates.read(resp.Header, time.Now())
			if date, err := http.ParseTime(resp.Header.Get("Date")); err == nil {
				m.clockAhead.Set(time.Since(date).Seconds())
			}
			if isLimited(resp) {
				m.githubLimited.Inc()
			}
		}
		return resp, err
	})
}

// isLimited reports whether the head of a response asks to wait.
func isLimited(resp *http.Response) bool {
	return resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusForbidden &&
		(resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0")
}

// Git returns a transport that measures the requests to a git server that another sends.
func (m *Metrics) Git(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		begun, service := time.Now(), "upload-pack"
		if strings.HasSuffix(r.URL.Path, "/git-receive-pack") || r.URL.Query().Get("service") == "git-receive-pack" {
			service = "receive-pack"
		}
		resp, err := next.RoundTrip(r)
		m.gitSeconds.WithLabelValues(service).Observe(time.Since(begun).Seconds())
		m.gitRequests.WithLabelValues(service, statusOf(resp, err)).Inc()
		return resp, err
	})
}

func statusOf(resp *http.Response, err error) string {
	if err != nil {
		return "error"
	}
	return statusText(resp.StatusCode)
}
