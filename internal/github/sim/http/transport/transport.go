// Package transport carries HTTP requests to a handler in the same process, without a network.
package transport

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// To carries requests to a handler: in the goroutine of the request.
type To struct{ http.Handler }

// RoundTrip returns the response of the handler to a request.
func (t To) RoundTrip(r *http.Request) (resp *http.Response, err error) {
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
	w := NewRecorder(http.StatusOK)
	defer func() {
		if broken := recover(); broken == http.ErrAbortHandler { //nolint:errorlint // it is the value of a panic
			resp, err = nil, io.ErrUnexpectedEOF
		} else if broken != nil {
			panic(broken)
		}
	}()
	t.ServeHTTP(w, inner)
	return &http.Response{Status: fmt.Sprintf("%d %s", w.Status, http.StatusText(w.Status)), StatusCode: w.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: w.header, ContentLength: int64(w.Body.Len()),
		Body: io.NopCloser(bytes.NewReader(w.Body.Bytes())), Request: r}, nil
}

// Recorder keeps a response until it can be sent.
type Recorder struct {
	Status int
	Body   bytes.Buffer
	header http.Header
}

// NewRecorder returns a response without a body.
func NewRecorder(status int) *Recorder { return &Recorder{Status: status, header: http.Header{}} }

// Header returns the headers of the response, to be changed.
func (a *Recorder) Header() http.Header { return a.header }

// WriteHeader sets the status of the response.
func (a *Recorder) WriteHeader(status int) { a.Status = status }

// Write adds to the body of the response.
func (a *Recorder) Write(p []byte) (int, error) { return a.Body.Write(p) }
