package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// The two services of git over HTTP.
const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"
)

// remote is one repository on the server.
type remote struct {
	repo port.RepoRef
	// access is the repository to request tokens for: repo, or the repository that it was forked from.
	access port.RepoRef
	base   string // ends with a slash
	url    string // without a slash at the end
	// renamed is the URL to which the server redirected, or nil. It is not kept for later runs, because another repository
	// may get the old name.
	renamed      atomic.Pointer[string]
	client       *http.Client
	token        func(ctx context.Context, repo port.RepoRef, write bool) (string, error)
	refused      func(repo port.RepoRef, write bool, token string)                  // nil for none
	admit        func(ctx context.Context, bytes int64) (release func(), err error) // nil admits all
	limits       Limits
	sleep        func(context.Context, time.Duration) error
	capabilities *capabilityCache
}

// call is one request: for the advertisement (a GET) if body is nil.
type call struct {
	service string
	body    []byte
	v2      bool
	// maxBytes bounds the response.
	maxBytes int64
}

// errTimeout is the cause of the context's end after Limits.RequestTime.
var errTimeout = errors.New("the git server did not finish its answer in time")

// sendOnce sends a call to a URL of the repository.
func (r *remote) sendOnce(ctx context.Context, at string, c call) (*response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.limits.RequestTime, errTimeout)
	req, err := r.request(ctx, at, c)
	if err != nil {
		cancel()
		return nil, err
	}
	if c.service == receivePack && c.body != nil {
		if err := port.Guard(ctx); err != nil {
			cancel()
			return nil, &guardError{err}
		}
	}
	resp, err := r.client.Do(req) //nolint:bodyclose // response.close closes it
	if err == nil && resp.StatusCode == http.StatusUnauthorized {
		resp, err = r.withNewToken(ctx, at, c, resp) //nolint:bodyclose // as above
	}
	if err != nil {
		defer cancel()
		return nil, connectionError(ctx, timedOut(ctx, err))
	}
	body := &response{ctx: ctx, body: resp.Body, cancel: cancel, left: c.maxBytes}
	if err := checkHeader(resp, c); err != nil {
		err = r.statusError(resp, err, body)
		body.close()
		return nil, err
	}
	return body, nil
}

func (r *remote) request(ctx context.Context, at string, c call) (*http.Request, error) {
	method, url, body := http.MethodPost, at+"/"+c.service, io.Reader(bytes.NewReader(c.body))
	if c.body == nil {
		method, url, body = http.MethodGet, at+c.refs(), nil
	}
	req, err := http.NewRequestWithContext(ctx, method, url, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("User-Agent", "git/2.0 (tenon)")
	if c.body != nil {
		req.Header.Set("Content-Type", "application/x-"+c.service+"-request")
		req.Header.Set("Accept", "application/x-"+c.service+"-result")
	}
	if c.v2 {
		req.Header.Set("Git-Protocol", "version=2")
	}
	if r.token == nil {
		return req, nil
	}
	token, err := r.token(ctx, r.access, c.service == receivePack)
	if err != nil {
		return nil, fmt.Errorf("getting a token for %s: %w", r.access, err)
	}
	req.SetBasicAuth("x-access-token", token)
	return req, nil
}

// checkHeader returns an error if the status or the content type is not that of a git server.
func checkHeader(resp *http.Response, c call) error {
	want := "application/x-" + c.service + "-result"
	if c.body == nil {
		want = "application/x-" + c.service + "-advertisement"
	}
	switch got := resp.Header.Get("Content-Type"); {
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("the git server answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	case got != want:
		return malformed("it is %q, not %q; is this a git server that speaks smart HTTP?", got, want)
	}
	return nil
}

// statusError returns the error for a status that is not 200, with the beginning of a text response.
func (r *remote) statusError(resp *http.Response, err error, body io.Reader) error {
	status, header := resp.StatusCode, resp.Header
	if kind := header.Get("Content-Type"); strings.HasPrefix(kind, "text/plain") {
		text, _ := io.ReadAll(io.LimitReader(body, 500))
		if text := serverText(string(text)); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
	}
	switch {
	case status == http.StatusUnauthorized && r.token != nil:
		return &port.WaitError{For: port.GitHubOutage, Err: fmt.Errorf("%w: %w", err, errUnauthorized)}
	case status == http.StatusUnauthorized, status == http.StatusForbidden && header.Get("Retry-After") == "":
		return fmt.Errorf("%w: %w", err, port.ErrDenied)
	case status == http.StatusNotFound, status == http.StatusGone:
		return fmt.Errorf("%w: %w", err, port.ErrNotFound)
	case status >= 300 && status < 400:
		return redirectErrorOf(resp, err)
	case status == http.StatusForbidden, status == http.StatusTooManyRequests:
		return &port.WaitError{For: port.GitHubLimit, After: retryAfter(header), Err: err}
	case status >= 500:
		return &port.WaitError{For: port.GitHubOutage, After: retryAfter(header), Err: err}
	case status != http.StatusOK:
		return &protocolError{err.Error(), true}
	}
	return err
}

// retryAfter returns how long a response asks to wait, 0 if it asks for nothing.
func retryAfter(header http.Header) time.Duration {
	wait, _ := retry.After(header, time.Now())
	return max(wait, 0)
}

// response is the body of a response, with limits of time and size.
type response struct {
	ctx    context.Context // of this request
	body   io.ReadCloser
	cancel context.CancelFunc
	left   int64 // bytes
}

func (r *response) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errTooMuch
	}
	n, err := r.body.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		// An answer that takes too long is the repository's fault rather than the server's: it is too large.
		if err = fmt.Errorf("reading the git server's answer: %w", timedOut(r.ctx, err)); !errors.Is(err, errTimeout) {
			err = connectionError(r.ctx, err)
		}
	}
	return n, err
}

// close reads a small rest of the body, so that the connection can be reused, and closes it.
func (r *response) close() {
	_, _ = io.CopyN(io.Discard, r.body, 4<<10)
	_ = r.body.Close()
	r.cancel()
}

// errTooMuch is the error for a response that is larger than its limit.
var errTooMuch = userError("This repository is too large for tenon: " +
	"the git server sends more for one commit than the operator's limit allows.")

// timedOut returns errTimeout if that is why ctx ended, or else err.
func timedOut(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errTimeout) {
		return cause
	}
	return err
}
