package gh

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/retry"
)

// repeatDelays are the waits before a request is sent again that failed because of the server or the connection,
// without jitter.
var repeatDelays = retry.Delays{300 * time.Millisecond, 1500 * time.Millisecond, 4 * time.Second}

// repeatKey is the key of a context that says of its requests whether they can be sent twice with one effect.
type repeatKey struct{}

// repeatable marks the requests of a context as such that can be sent again after a failure, whatever their method.
func repeatable(ctx context.Context) context.Context {
	return context.WithValue(ctx, repeatKey{}, true)
}

// sentOnce marks the requests of a context as such that must not be sent again if they may have had an effect.
func sentOnce(ctx context.Context) context.Context { return context.WithValue(ctx, repeatKey{}, false) }

// repeatedPaths are the ends of paths to which a POST can be repeated: it creates objects that nobody sees until
// something refers to them, or what is there already.
var repeatedPaths = []string{"/git/trees", "/git/commits", "/git/blobs", "/reactions", "/access_tokens"}

// isRepeatable reports whether a request that may have had an effect can be sent again.
func isRepeatable(req *http.Request) bool {
	if marked, ok := req.Context().Value(repeatKey{}).(bool); ok {
		return marked
	}
	switch req.Method {
	case http.MethodGet, http.MethodHead, http.MethodPut, http.MethodPatch, http.MethodDelete:
		return true
	}
	for _, end := range repeatedPaths {
		if strings.HasSuffix(req.URL.Path, end) {
			return true
		}
	}
	return false
}

// hadNoEffect reports whether an error shows that the request was never sent: there was no connection to send it by.
func hadNoEffect(err error) bool {
	var op *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.As(err, &op) && op.Op == "dial"
}

// rewound returns a copy of the request with its body rewound, to be sent again.
func rewound(req *http.Request) (*http.Request, error) {
	again := req.Clone(req.Context())
	if req.Body == nil || req.Body == http.NoBody {
		return again, nil
	}
	if req.GetBody == nil {
		return nil, fmt.Errorf("sending %s %s again: its body can be read only once", req.Method, req.URL.Path)
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, fmt.Errorf("sending %s %s again: %w", req.Method, req.URL.Path, err)
	}
	again.Body = body
	return again, nil
}

// closeBody closes the body of a request that is not sent, as a RoundTripper must.
func closeBody(req *http.Request) {
	if req.Body != nil {
		_ = req.Body.Close()
	}
}

// discard closes the body of a response that is not used, so that its connection can be reused.
func discard(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, maxPeek)
	_ = resp.Body.Close()
}
