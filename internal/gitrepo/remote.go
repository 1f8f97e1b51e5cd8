package gitrepo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// The two services of git over HTTP.
const (
	uploadPack  = "git-upload-pack"
	receivePack = "git-receive-pack"
)

// remote is one repository on the server.
type remote struct {
	repo port.RepoRef
	// access is the repository for which tokens are asked: repo, or the one that it is a fork of.
	access port.RepoRef
	base   string // ends with a slash
	url    string // by the name that it is known by; without a slash at the end
	// renamed is where it is now, when the server said that it has another name; else nil. Not kept for later runs: somebody
	// else may take the old name.
	renamed atomic.Pointer[string]
	client  *http.Client
	token   func(ctx context.Context, repo port.RepoRef, write bool) (string, error)
	limits  Limits
	facts   *factBook
}

// call is one request: an advertisement (a GET) when body is nil.
type call struct {
	service string
	body    []byte
	v2      bool
	// most bounds the answer, in bytes.
	most int64
}

// errTimeout is the cause when a request took longer than Limits.RequestTime.
var errTimeout = errors.New("the git server did not finish its answer in time")

// attempt sends a call to an address of the repository.
func (r *remote) attempt(ctx context.Context, at string, c call) (*answer, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, r.limits.RequestTime, errTimeout)
	req, err := r.request(ctx, at, c)
	if err != nil {
		cancel()
		return nil, err
	}
	resp, err := r.client.Do(req) //nolint:bodyclose // answer.done closes it
	if err != nil {
		defer cancel()
		return nil, &retryError{timedOut(ctx, err), 0}
	}
	body := &answer{ctx: ctx, body: resp.Body, cancel: cancel, left: c.most}
	if err := checkAnswer(resp, c); err != nil {
		err = statusError(resp, err, body)
		body.done()
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

// checkAnswer says what is wrong with an answer's head, nil when it is git's.
func checkAnswer(resp *http.Response, c call) error {
	want := "application/x-" + c.service + "-result"
	if c.body == nil {
		want = "application/x-" + c.service + "-advertisement"
	}
	switch got := resp.Header.Get("Content-Type"); {
	case resp.StatusCode != http.StatusOK:
		return fmt.Errorf("the git server answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))
	case got != want:
		return garbled("it is %q, not %q; is this a git server that speaks smart HTTP?", got, want)
	}
	return nil
}

// statusError sorts a refusal by what can be done about it, with the first words of the answer.
func statusError(resp *http.Response, err error, body io.Reader) error {
	status, header := resp.StatusCode, resp.Header
	if kind := header.Get("Content-Type"); strings.HasPrefix(kind, "text/plain") {
		text, _ := io.ReadAll(io.LimitReader(body, 500))
		if text := serverText(string(text)); text != "" {
			err = fmt.Errorf("%w: %s", err, text)
		}
	}
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden && header.Get("Retry-After") == "":
		return fmt.Errorf("%w: %w", err, port.ErrDenied)
	case status == http.StatusNotFound, status == http.StatusGone:
		return fmt.Errorf("%w: %w", err, port.ErrNotFound)
	case status >= 300 && status < 400:
		return redirected(resp, err)
	case status == http.StatusForbidden, status == http.StatusTooManyRequests, status >= 500:
		return &retryError{err, retryAfter(header)}
	case status != http.StatusOK:
		return &protocolError{err.Error(), true}
	}
	return err
}

// retryAfter reads the header in seconds; git servers send no dates.
func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// answer is the body of an answer, within its time and its size.
type answer struct {
	ctx    context.Context // of this one request; it ends with the body
	body   io.ReadCloser
	cancel context.CancelFunc
	left   int64
}

func (a *answer) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, errTooMuch
	}
	n, err := a.body.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &retryError{fmt.Errorf("reading the git server's answer: %w", timedOut(a.ctx, err)), 0}
	}
	return n, err
}

// done drains what little may be left, so that the connection can serve the next request.
func (a *answer) done() {
	_, _ = io.CopyN(io.Discard, a.body, 4<<10)
	_ = a.body.Close()
	a.cancel()
}

// errTooMuch says that an answer is larger than its limit.
var errTooMuch = refused("This repository is too large for tenon: the git server sends more for one commit than the operator's limit allows.")

func timedOut(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); errors.Is(cause, errTimeout) {
		return cause
	}
	return err
}
