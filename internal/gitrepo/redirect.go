package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// refs is where a repository's advertisement for a call is, below its address.
func (c call) refs() string { return "/info/refs?service=" + c.service }

// do sends a call; the caller is done with the answer at some time. A repository that was renamed answers with a redirect, of
// which one is followed. As git does it, only the way to the advertisement tells where that is.
func (r *remote) do(ctx context.Context, c call) (*answer, error) {
	at := r.address()
	body, err := r.attempt(ctx, at, c)
	var redirect *redirectError
	if !errors.As(err, &redirect) || at != r.url {
		return body, err
	}
	if c.body != nil {
		return r.doRenamed(ctx, c, err)
	}
	to, ok := r.target(redirect.location, c)
	if !ok {
		return nil, err
	}
	r.renamed.Store(&to)
	return r.attempt(ctx, to, c)
}

// doRenamed asks for an advertisement, so that its redirect is followed, and sends the call to where that led.
func (r *remote) doRenamed(ctx context.Context, c call, was error) (*answer, error) {
	refs, err := r.do(ctx, call{service: c.service, v2: c.v2, most: r.limits.RefBytes})
	if err != nil {
		return nil, err
	}
	refs.done()
	at := r.address()
	if at == r.url {
		return nil, was
	}
	return r.attempt(ctx, at, c)
}

func (r *remote) address() string {
	if at := r.renamed.Load(); at != nil {
		return *at
	}
	return r.url
}

// target is the address of the repository whose advertisement is at location. It must be below the same base, so that a token
// goes nowhere else.
func (r *remote) target(location string, c call) (string, bool) {
	at, ok := strings.CutSuffix(location, c.refs())
	if !ok {
		return "", false
	}
	path, ok := strings.CutPrefix(at, r.base)
	if !ok {
		return "", false
	}
	owner, name, _ := strings.Cut(strings.TrimSuffix(path, ".git"), "/")
	return at, at != r.url && isName(owner) && isName(name)
}

// redirectError is an answer that leads elsewhere.
type redirectError struct {
	location string
	err      error
}

func (e *redirectError) Error() string { return e.err.Error() }
func (e *redirectError) Unwrap() error { return e.err }

func redirected(resp *http.Response, err error) error {
	location := resp.Header.Get("Location")
	if to, err := resp.Location(); err == nil {
		location = to.String()
	}
	return &redirectError{location, fmt.Errorf("%w to %s; the repository has moved: %w", err, location, port.ErrNotFound)}
}
