package schedule

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"github.com/tenon-bot/tenon/bot/port"
)

// Transport returns a transport by which runs wait without their slots: for a response, and for each part of its body.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper.
func (t transport) RoundTrip(req *http.Request) (resp *http.Response, err error) {
	ctx := req.Context()
	if _, ok := port.SlotOf(ctx).(*slot); !ok {
		return t.next.RoundTrip(req)
	}
	port.Waiting(ctx, func() {
		if resp, err = t.next.RoundTrip(req); err == nil { //nolint:bodyclose // the caller does
			b := &body{ctx: ctx, next: resp.Body}
			b.fill()
			resp.Body = b
		}
	})
	return resp, err
}

// partBytes is how much of a body is waited for at a time. The run waits for its slot after each part: with small ones,
// large bodies would take long where many runs want one.
const partBytes = 256 << 10

// body is the body of a response, of which a part is read at a time.
type body struct {
	ctx  context.Context // of the request
	next io.ReadCloser
	part bytes.Buffer
	err  error // what comes after part
}

// fill reads the next part.
func (b *body) fill() {
	n, err := b.part.ReadFrom(io.LimitReader(b.next, partBytes))
	if b.err = err; err == nil && n < partBytes {
		b.err = io.EOF
	}
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	if b.part.Len() == 0 && b.err == nil {
		port.Waiting(b.ctx, b.fill)
	}
	if b.part.Len() == 0 {
		return 0, b.err
	}
	return b.part.Read(p)
}

// Close implements io.Closer.
func (b *body) Close() error { return b.next.Close() }
