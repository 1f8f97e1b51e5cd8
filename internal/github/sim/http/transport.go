package simhttp

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
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
func (s *Server) Transport() http.RoundTripper { return transport{s, s.Handler()} }

type transport struct {
	s       *Server
	handler http.Handler
}

// RoundTrip returns the response of the server to a request.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	switch base, logs := t.s.hosts(); r.URL.Scheme + "://" + r.URL.Host {
	case base:
		return inProcess(t.handler, r)
	case logs:
		return inProcess(http.HandlerFunc(t.s.serveLog), r)
	}
	return nil, fmt.Errorf("there is no host %s", r.URL.Host)
}

// hosts returns the base URLs of the server and of its logs.
func (s *Server) hosts() (base, logs string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Base, s.logBase
}

// processTransport carries requests to a handler in this process.
type processTransport struct{ http.Handler }

func (t processTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return inProcess(t.Handler, r)
}

// inProcess returns the response of a handler to a request.
func inProcess(handler http.Handler, r *http.Request) (resp *http.Response, err error) {
	if r.Body != nil {
		defer func() { _ = r.Body.Close() }()
	}
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	inner := r.Clone(r.Context())
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	inner.Host, inner.RequestURI = r.URL.Host, r.URL.RequestURI()
	w := &recorder{status: http.StatusOK, header: http.Header{}}
	defer func() {
		if broken := recover(); broken == http.ErrAbortHandler { //nolint:errorlint // it is the value of a panic
			resp, err = nil, io.ErrUnexpectedEOF
		} else if broken != nil {
			panic(broken)
		}
	}()
	handler.ServeHTTP(w, inner)
	return &http.Response{Status: fmt.Sprintf("%d %s", w.status, http.StatusText(w.status)), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.header, ContentLength: int64(w.buf.Len()),
		Body: io.NopCloser(bytes.NewReader(w.buf.Bytes())), Request: r}, nil
}
