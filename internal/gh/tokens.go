package gh

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/google/go-github/v66/github"
)

const (
	// tokenLife is the lifetime of a token: "Installation tokens expire one hour from the time you create them."
	tokenLife = time.Hour
	// tokenMargin is how long before its end a token is no longer used: a push may take minutes.
	tokenMargin = 5 * time.Minute
	// sweepSize is the number of tokens at which expired ones are removed.
	sweepSize = 256
)

// grant is what one token allows.
type grant struct {
	installation, repo int64
	scope              scope
}

// tokens keeps installation tokens, in memory only. Safe for concurrent use.
type tokens struct {
	now  func() time.Time
	mint func(context.Context, grant) (value string, expires time.Time, err error)

	mu      sync.Mutex
	entries map[grant]*entry
}

// entry is the token of one grant.
type entry struct {
	busy  chan struct{} // a semaphore of one: a single request for a token at a time
	value string
	until time.Time
}

// get returns a token that is valid for tokenMargin at least.
func (t *tokens) get(ctx context.Context, g grant) (string, error) {
	e := t.entry(g)
	select {
	case e.busy <- struct{}{}:
		defer func() { <-e.busy }()
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if value, ok := t.fresh(e); ok {
		return value, nil
	}
	value, expires, err := t.mint(ctx, g)
	if err != nil {
		return "", err
	}
	t.keep(e, value, expires)
	return value, nil
}

func (t *tokens) keep(e *entry, value string, expires time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// With a clock behind GitHub's, a token would be used after its end.
	if longest := t.now().Add(tokenLife); expires.After(longest) {
		expires = longest
	}
	e.value, e.until = value, expires.Add(-tokenMargin)
}

func (t *tokens) entry(g grant) *entry {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[g]; e != nil {
		return e
	}
	if len(t.entries) >= sweepSize {
		t.sweep()
	}
	e := &entry{busy: make(chan struct{}, 1)}
	t.entries[g] = e
	return e
}

// sweep removes expired tokens.
func (t *tokens) sweep() {
	for g, e := range t.entries {
		if len(e.busy) == 0 && !t.now().Before(e.until) {
			delete(t.entries, g)
		}
	}
}

func (t *tokens) fresh(e *entry) (string, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return e.value, e.value != "" && t.now().Before(e.until)
}

// drop removes a token that GitHub refused, unless it was replaced.
func (t *tokens) drop(g grant, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[g]; e != nil && e.value == value {
		e.value = ""
	}
}

// mint requests a token with only the permissions of the grant.
func (c *Client) mint(ctx context.Context, g grant) (string, time.Time, error) {
	token, err := c.mintFor(ctx, g, &github.InstallationTokenOptions{RepositoryIDs: []int64{g.repo}})
	if err != nil {
		return "", time.Time{}, err
	}
	return token.GetToken(), token.GetExpiresAt().Time, nil
}

// mintFor requests a token with the permissions of the grant, for the repositories of opts.
func (c *Client) mintFor(ctx context.Context, g grant, opts *github.InstallationTokenOptions) (
	*github.InstallationToken, error,
) {
	opts.Permissions = g.scope.permissions()
	token, _, err := c.asApp().Apps.CreateInstallationToken(ctx, g.installation, opts)
	if err != nil {
		return nil, c.explainToken(err, g)
	}
	if token.GetToken() == "" {
		return nil, errors.New("asking for an installation token: GitHub's answer holds none")
	}
	return token, nil
}
