package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// tokenLife is the lifetime of a token: "Installation tokens expire one hour from the time you create them."
	tokenLife = time.Hour
	// tokenMargin is how long before its end a token is no longer used: a push may take minutes.
	tokenMargin = 5 * time.Minute
	// sweepSize is the number of tokens at which expired ones are removed.
	sweepSize = 256
)

// tokenSource has the tokens for requests. Safe for concurrent use.
type tokenSource interface {
	// token returns a token that allows what a grant says.
	token(context.Context, grant) (token, error)
	// drop forgets a token that GitHub refused.
	drop(g grant, value string)
}

// grant is what one token allows.
type grant struct {
	installation, repo int64
	scope              scope
}

// tokens keeps installation tokens, in memory only. Safe for concurrent use.
type tokens struct {
	now  func() time.Time
	mint func(context.Context, grant) (token, error)
	// narrow are the installations that get narrow tokens, as GitHub refused the whole ones.
	narrow *refusals

	mu      sync.Mutex
	entries map[grant]*entry
}

// token is an installation token. A narrow one has the permissions of scope.narrower, and is used until the refusal of
// the whole one is forgotten.
type token struct {
	value  string
	until  time.Time // when it expires; in an entry, how long it is used
	narrow bool
}

// entry is the token of one grant.
type entry struct {
	busy chan struct{} // a semaphore of one: a single request for a token at a time
	token
}

// lock waits until nobody else is requesting the token.
func (e *entry) lock(ctx context.Context) (err error) {
	select {
	case e.busy <- struct{}{}:
		return nil
	default:
	}
	port.Waiting(ctx, func() {
		select {
		case e.busy <- struct{}{}:
		case <-ctx.Done():
			err = ctx.Err()
		}
	})
	return err
}

// Prepare requests the tokens for a purpose in the background, unless there are any.
func (c *Client) Prepare(repo port.RepoRef, p port.Purpose) {
	if c.minted == nil || c.checkRepo(repo) != nil {
		return
	}
	scopes := []scope{committing}
	if p == port.Answering {
		scopes = []scope{answering, checking}
	}
	for _, s := range scopes {
		go func() {
			// Whether the run ends meanwhile does not matter: others need the token too.
			ctx, cancel := context.WithTimeout(context.Background(), callTimeout)
			defer cancel()
			_, _ = c.minted.token(ctx, grant{repo.Installation, repo.ID, s})
		}()
	}
}

// token returns a token that is valid for tokenMargin at least.
func (t *tokens) token(ctx context.Context, g grant) (token, error) {
	e := t.entry(g)
	if err := e.lock(ctx); err != nil {
		return token{}, err
	}
	defer func() { <-e.busy }()
	if fresh, ok := t.fresh(e); ok {
		return fresh, nil
	}
	made, err := t.mint(ctx, g)
	if err != nil {
		return token{}, err
	}
	t.keep(g, e, made)
	return made, nil
}

func (t *tokens) keep(g grant, e *entry, created token) {
	t.mu.Lock()
	defer t.mu.Unlock()
	// With a clock that is a little behind GitHub's, a token would be used after its end.
	if longest := t.now().Add(tokenLife); created.until.After(longest) {
		created.until = longest
	}
	created.until = created.until.Add(-tokenMargin)
	if created.narrow {
		if end, ok := t.narrow.of(g.installation); ok && created.until.After(end) {
			created.until = end
		}
	}
	e.token = created
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

func (t *tokens) fresh(e *entry) (token, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return e.token, e.value != "" && t.now().Before(e.until)
}

// drop removes a token that GitHub refused, unless it was replaced.
func (t *tokens) drop(g grant, value string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if e := t.entries[g]; e != nil && e.value == value {
		e.value = ""
	}
}

// mint requests a token with only the permissions of the grant, or a narrow one if the owner has not accepted them.
func (c *Client) mint(ctx context.Context, g grant) (token, error) {
	if refused := c.refused.lately(); refused != nil {
		return token{}, &tokenError{installation: g.installation, cause: waitForApp(refused)}
	}
	opts := &github.InstallationTokenOptions{}
	if g.scope != counting {
		opts.RepositoryIDs = []int64{g.repo}
	}
	narrower := g.scope.narrower()
	narrow := false
	if narrower != nil {
		_, narrow = c.minted.narrow.of(g.installation)
	}
	var made *github.InstallationToken
	var err error
	if !narrow {
		made, err = c.mintFor(ctx, g, opts)
		if narrow = narrower != nil && isUngranted(err); narrow {
			c.minted.narrow.add(g.installation)
		}
	}
	if narrow {
		opts.Permissions = narrower
		made, err = c.mintWith(ctx, g, opts)
	}
	if err != nil {
		return token{}, err
	}
	return token{value: made.GetToken(), until: made.GetExpiresAt().Time, narrow: narrow}, nil
}

// mintFor requests a token with the permissions of the grant, for the repositories of opts.
func (c *Client) mintFor(ctx context.Context, g grant, opts *github.InstallationTokenOptions) (
	*github.InstallationToken, error,
) {
	opts.Permissions = g.scope.permissions()
	return c.mintWith(ctx, g, opts)
}

// mintWith requests a token with the permissions and for the repositories of opts.
func (c *Client) mintWith(ctx context.Context, g grant, opts *github.InstallationTokenOptions) (
	*github.InstallationToken, error,
) {
	made, _, err := c.asApp().Apps.CreateInstallationToken(ctx, g.installation, opts)
	if err != nil {
		return nil, c.explainToken(err, g)
	}
	if made.GetToken() == "" {
		return nil, errors.New("asking for an installation token: GitHub's answer has none")
	}
	return made, nil
}

// plainToken is a tokenSource of one token. Its permissions are not known. Safe for concurrent use.
type plainToken struct {
	value   string
	refused atomic.Bool
	account atomic.Pointer[port.User] // nil until known
}

func (p *plainToken) token(context.Context, grant) (token, error) {
	if p.refused.Load() {
		return token{}, errPlainRefused
	}
	return token{value: p.value}, nil
}

func (p *plainToken) drop(grant, string) { p.refused.Store(true) }

// kind returns what kind of a token it is. Before it is known whose it is, the form of its value has to do.
func (p *plainToken) kind() port.TokenKind {
	me := p.account.Load()
	if me != nil && me.Login == jobLogin || me == nil && strings.HasPrefix(p.value, "ghs_") {
		return port.JobToken
	}
	return port.GivenToken
}

// Of a job of GitHub Actions: as whom it acts, and its id on github.com.
const (
	jobLogin = "github-actions[bot]"
	jobID    = 41898282
)

// noSuchRepository is GitHub's "There is at least one repository that does not exist or is not accessible to the parent
// installation."
const noSuchRepository = "repository that does not exist"

// explainToken returns the error of a request for an installation token, with a hint.
func (c *Client) explainToken(err error, g grant) error {
	out := &tokenError{installation: g.installation, cause: c.kindOf(err)}
	var refused *statusError
	if !errors.As(out.cause, &refused) {
		return out
	}
	if app := c.appRefusal(out.cause, err); app != nil && app.Why != port.NotAnAPI {
		refused.kind = nil // nothing is missing or not allowed
		out.cause = waitForApp(app)
		return out
	}
	switch refused.status {
	case http.StatusNotFound:
		out.hint, out.uninstalled = " (the App is no longer installed there)", true
	case http.StatusUnprocessableEntity:
		refused.kind = port.ErrDenied
		if strings.Contains(refused.message, noSuchRepository) {
			refused.kind = port.ErrNotFound
		}
		out.hint = fmt.Sprintf(" (for %s, repository %d must be part of the installation, "+
			"and its owner must have accepted the App's permissions)", g.scope, g.repo)
	}
	return out
}
