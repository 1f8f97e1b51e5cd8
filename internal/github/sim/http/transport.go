package simhttp

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// logURL returns the base URL of the host of the logs beside a server that does not listen.
func logURL(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("the server's URL is %q, not like https://github.example", base)
	}
	return u.Scheme + "://logs." + u.Host, nil
}

// Transport returns a transport that carries requests to the server, and to the host of the logs, without a network: in
// the goroutine of the request.
func (s *Server) Transport() http.RoundTripper { return hosts{s, s.Handler()} }

// hosts are those to which requests go without a network.
type hosts struct {
	s       *Server
	handler http.Handler
}

// RoundTrip returns the response of the server to a request.
func (t hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	switch base, logs := t.s.urls(); r.URL.Scheme + "://" + r.URL.Host {
	case base:
		return transport.To{Handler: t.handler}.RoundTrip(r)
	case logs:
		return transport.To{Handler: http.HandlerFunc(t.s.site.logs.serve)}.RoundTrip(r)
	}
	return nil, fmt.Errorf("there is no host %s", r.URL.Host)
}

// urls returns the base URLs of the server and of its logs.
func (s *Server) urls() (base, logs string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Base, s.site.logs.base
}
