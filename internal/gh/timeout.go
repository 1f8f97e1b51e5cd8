package gh

import (
	"context"
	"io"
	"net/http"
	"time"
)

// timeoutTransport ends a request after callTimeout. http.Client.Timeout does too, but has a goroutine for each
// request, which remains until then if the body of the response is read and not closed, as go-github does with those of
// errors.
type timeoutTransport struct{ next http.RoundTripper }

// RoundTrip sends a request. Its time ends with the body of the response.
func (t timeoutTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(req.Context(), callTimeout)
	resp, err := t.next.RoundTrip(req.WithContext(ctx))
	if err != nil {
		cancel()
		return nil, err
	}
	resp.Body = &timedBody{resp.Body, cancel}
	return resp, nil
}

// timedBody is a body that has a time to be read. Its end or Close ends that.
type timedBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.cancel()
	}
	return n, err
}

func (b *timedBody) Close() error {
	defer b.cancel()
	return b.ReadCloser.Close()
}

// callTimeout bounds one call with its token, waits, retries and the response's body.
const callTimeout = time.Minute
