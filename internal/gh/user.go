package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// Users asks GitHub in the name of people who signed in, with their tokens. Safe for concurrent use.
//
// Its errors wrap port.ErrDenied if GitHub does not accept a token (any more), and a *port.WaitError if it does not
// answer now. They never contain a token.
type Users struct {
	client              *Client
	clientID, appSecret string
	transport           http.RoundTripper
}

// NewUsers returns Users of the App with a client id and a client secret. A nil transport is one with timeouts, which
// uses the proxy of the environment.
func NewUsers(apiURL, clientID, clientSecret string, transport http.RoundTripper) (*Users, error) {
	c, err := anonymous(apiURL)
	if err != nil {
		return nil, err
	}
	return &Users{client: c, clientID: clientID, appSecret: clientSecret, transport: bounded(transport)}, nil
}

// Account returns whose token it is.
func (u *Users) Account(ctx context.Context, token string) (id int64, login string, err error) {
	var account struct {
		ID    int64  `json:"id"`
		Login string `json:"login"`
	}
	if err := call(ctx, u.with(token), http.MethodGet, "user", nil, &account); err != nil {
		return 0, "", u.explain(err, "asking GitHub who signed in")
	}
	if account.ID <= 0 || account.Login == "" {
		return 0, "", errors.New("asking GitHub who signed in: the answer names nobody")
	}
	return account.ID, account.Login, nil
}

// Repository returns the id of the repository that a token can read at a name, which may have become that of another
// repository. It returns port.ErrNotFound if there is none, or if GitHub refuses to show it to this person.
func (u *Users) Repository(ctx context.Context, token, owner, name string) (id int64, err error) {
	if !isPathSegment(owner) || !isPathSegment(name) {
		return 0, fmt.Errorf("%q is not the name of a repository: %w", owner+"/"+name, port.ErrNotFound)
	}
	var repo struct {
		ID int64 `json:"id"`
	}
	doing := "asking whether " + owner + "/" + name + " can be read"
	err = call(ctx, u.with(token), http.MethodGet, "repos/"+owner+"/"+name, nil, &repo)
	if status := statusOf(err); status == http.StatusForbidden || status == http.StatusGone ||
		status == http.StatusUnavailableForLegalReasons {
		return 0, fmt.Errorf("%s: GitHub answered %d: %w", doing, status, port.ErrNotFound)
	}
	if err != nil {
		return 0, u.explain(err, doing)
	}
	return repo.ID, nil
}

// Revoke makes a token useless. It is no error if it was useless before.
func (u *Users) Revoke(ctx context.Context, token string) error {
	basic := authorized{next: u.transport, set: func(r *http.Request) { r.SetBasicAuth(u.clientID, u.appSecret) }}
	err := call(ctx, u.client.client(basic), http.MethodDelete, "applications/"+u.clientID+"/token",
		map[string]string{"access_token": token}, nil)
	if status := statusOf(err); status == http.StatusNotFound || status == http.StatusUnprocessableEntity {
		return nil
	}
	if err != nil {
		return u.explain(err, "revoking the token of somebody who signed out")
	}
	return nil
}

func (u *Users) with(token string) *github.Client {
	return u.client.client(authorized{next: u.transport,
		set: func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+token) }})
}

// explain is explainAnonymous that tells a refused token from an outage.
func (u *Users) explain(err error, doing string) error {
	if statusOf(err) == http.StatusUnauthorized {
		return fmt.Errorf("%s: GitHub does not accept the credentials: %w", doing, port.ErrDenied)
	}
	return u.client.explainAnonymous(err, doing)
}

// statusOf returns the status with which GitHub refused a request for another reason than a rate limit; else 0.
func statusOf(err error) int {
	var refused *github.ErrorResponse
	if errors.As(err, &refused) {
		return refused.Response.StatusCode
	}
	return 0
}

// authorized is a transport that sets the credentials of requests.
type authorized struct {
	next http.RoundTripper
	set  func(*http.Request)
}

func (a authorized) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	a.set(req)
	return a.next.RoundTrip(req)
}
