package gh

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/tenon-bot/tenon/bot/port"
)

// A plain token is used as it is: that of a job of GitHub Actions, or that of a person. There is no App then, and no
// installation: a RepoRef needs none, and the pace is that of the token.

// plainInstallation is the installation whose pace the requests with a plain token keep. GitHub has no such id.
const plainInstallation = -1

// Of a job of GitHub Actions: as whom it acts, and its id on github.com.
const (
	jobLogin = "github-actions[bot]"
	jobID    = 41898282
)

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

// TokenKind returns what the client has to act on GitHub. Account finds out more of a plain token than its form says.
func (c *Client) TokenKind() port.TokenKind {
	if c.plain == nil {
		return port.AppToken
	}
	return c.plain.kind()
}

// plainRefusedError is the error of a token that GitHub does not accept. It wraps port.ErrDenied.
type plainRefusedError string

const errPlainRefused plainRefusedError = "GitHub does not accept the token: it expired, was revoked, or is for " +
	"another server"

func (e plainRefusedError) Error() string { return string(e) }

func (e plainRefusedError) Unwrap() error { return port.ErrDenied }

// Permanent returns true.
func (e plainRefusedError) Permanent() bool { return true }

// usePlain lets requests be authorised with a plain token.
func (c *Client) usePlain(value string) error {
	if strings.ContainsFunc(value, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return fmt.Errorf("the token of GitHub contains a space, a line break or a character beyond ASCII: " +
			"it must be the token alone")
	}
	c.plain = &plainToken{value: value}
	c.tokens, c.app = c.plain, noApp{}
	return nil
}

// noApp is the transport of an App that there is not.
type noApp struct{}

// RoundTrip returns an error.
func (noApp) RoundTrip(req *http.Request) (*http.Response, error) {
	closeBody(req)
	return nil, callerError("this needs a GitHub App, and there is only a token")
}

const viewer = `query { viewer { login databaseId } }`

// Account returns as whom the client acts: as the App, or as whom a plain token belongs to. That is requested from
// GitHub once. Where GitHub refuses to say it, as to some tokens of Apps, it is taken to be that of a job of GitHub
// Actions.
func (c *Client) Account(ctx context.Context) (port.User, error) {
	if c.plain == nil {
		slug, err := c.Slug(ctx)
		return port.User{Login: slug + "[bot]", Bot: true}, err
	}
	if known := c.plain.account.Load(); known != nil {
		return *known, nil
	}
	var got struct {
		Viewer struct {
			Login      string
			DatabaseID int64
		}
	}
	api := c.client(&authTransport{tokens: c.tokens, next: c.limiter.roundTripper(plainInstallation, reads)})
	err := c.graphQL(ctx, api, viewer, nil, &got)
	me := port.User{ID: got.Viewer.DatabaseID, Login: got.Viewer.Login}
	switch {
	case err != nil && (c.plain.refused.Load() || !c.isRefusal(err)):
		return port.User{}, c.explain(err, "asking whose token it is")
	case err != nil || me.Login == "":
		me = port.User{ID: jobID, Login: jobLogin}
	}
	me.Bot = strings.HasSuffix(me.Login, "[bot]")
	c.plain.account.Store(&me)
	return me, nil
}

// plainSibling is Sibling with a plain token, which can read what its owner can, and public repositories.
func (c *Client) plainSibling(ctx context.Context, repo port.RepoRef, name string) (port.RepoRef, error) {
	api, err := c.forRepo(repo, reading)
	if err != nil {
		return port.RepoRef{}, err
	}
	full := repo.Owner + "/" + name
	got, _, err := api.Repositories.Get(ctx, repo.Owner, name)
	switch {
	case err != nil:
		return port.RepoRef{}, c.explain(err, "looking for %s", full)
	case !strings.EqualFold(got.GetFullName(), full): // a repository that had this name earlier
		return port.RepoRef{}, fmt.Errorf("looking for %s: %w", full, port.ErrNotFound)
	}
	return fromRepo(repo.Installation, got), nil
}
