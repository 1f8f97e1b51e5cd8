package gitrepo

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// refs returns the path of the advertisement for a call, below the repository's URL.
func (c call) refs() string { return "/info/refs?service=" + c.service }

// do sends a call. The caller closes the response. A renamed repository redirects; one redirect is followed. As in git,
// only the redirect of the advertisement gives the new URL.
func (r *remote) do(ctx context.Context, c call) (*response, error) {
	at := r.currentURL()
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

// doRenamed requests the advertisement to follow its redirect, and sends the call to the new URL. redirected is the
// error of the call at the old URL.
func (r *remote) doRenamed(ctx context.Context, c call, redirected error) (*response, error) {
	refs, err := r.do(ctx, call{service: c.service, v2: c.v2, maxBytes: r.limits.RefBytes})
	if err != nil {
		return nil, err
	}
	refs.close()
	at := r.currentURL()
	if at == r.url {
		return nil, redirected
	}
	return r.attempt(ctx, at, c)
}

// currentURL returns the repository's URL, the new one if it was renamed.
func (r *remote) currentURL() string {
	if at := r.renamed.Load(); at != nil {
		return *at
	}
	return r.url
}

// target returns the URL of the repository whose advertisement is at location. ok is false if that is not below the
// same base URL: a token must not be sent elsewhere.
func (r *remote) target(location string, c call) (url string, ok bool) {
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

// redirectError is the error of a response that is a redirect.
type redirectError struct {
	location string
	err      error
}

func (e *redirectError) Error() string { return e.err.Error() }
func (e *redirectError) Unwrap() error { return e.err }

func redirectErrorOf(resp *http.Response, err error) error {
	location := resp.Header.Get("Location")
	if to, err := resp.Location(); err == nil {
		location = to.String()
	}
	return &redirectError{location, fmt.Errorf("%w to %s; the repository has moved: %w", err, location, port.ErrNotFound)}
}
