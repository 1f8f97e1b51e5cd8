package gh

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/bradleyfalzon/ghinstallation/v2"
	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	defaultAPI = "https://api.github.com/"
	userAgent  = "tenon"
	// callTimeout bounds one call with its token, waits, retries and the response's body.
	callTimeout = time.Minute
)

// Options configure a Client.
type Options struct {
	AppID int64
	// PrivateKey is the App's RSA key, in PEM, PKCS #1 or #8.
	PrivateKey []byte
	// APIURL is the base URL of the REST API; empty means https://api.github.com/. That of an Enterprise Server is
	// https://HOST/api/v3/.
	APIURL string
	// Slug is the App's name in URLs, its login without "[bot]". If it is empty, Client.Slug requests it from GitHub.
	Slug string
	// Transport sends the requests; nil means one with timeouts, which uses the proxy of the environment.
	Transport http.RoundTripper
	// Now is the clock, and Sleep waits for a duration or the end of the context; nil means the real ones.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Pace is the log of writes that all processes share; nil means one of this client alone.
	Pace port.Pace
	// Log gets a line for each wait that GitHub requires; nil discards them.
	Log *slog.Logger
}

// Client implements port.GitHub. Safe for concurrent use.
//
// Its errors wrap port.ErrNotFound or port.ErrDenied if GitHub says so, and a *port.WaitError for a rate limit, an
// outage and a token that is refused. Errors with Permanent() true would occur again.
type Client struct {
	base    *url.URL
	app     *ghinstallation.AppsTransport
	limiter *limiter
	tokens  *tokens
	slug    atomic.Pointer[string] // nil until known
}

var _ port.GitHub = (*Client)(nil)

// New returns a Client, or an error that says which option is wrong. It sends no request.
func New(opts Options) (*Client, error) {
	if opts.AppID <= 0 {
		return nil, errors.New(
			"the App's id is missing: it is the number (not the client id) on the GitHub App's settings page")
	}
	key, err := parseKey(opts.PrivateKey)
	if err != nil {
		return nil, err
	}
	base, err := parseAPIURL(opts.APIURL)
	if err != nil {
		return nil, err
	}
	opts.setDefaults()
	c := &Client{base: base}
	if slug := strings.TrimSuffix(strings.TrimPrefix(opts.Slug, "@"), "[bot]"); slug != "" {
		c.slug.Store(&slug)
	}
	c.limiter = &limiter{
		next: opts.Transport, now: opts.Now, sleep: opts.Sleep, log: opts.Log,
		maxBytes: maxResponse, pace: newKnownPace(opts.Pace, opts.Now), refusals: map[int64]int{},
	}
	c.app, err = ghinstallation.NewAppsTransportWithOptions(c.limiter.roundTripper(noInstallation, reads), opts.AppID,
		ghinstallation.WithSigner(signer{key, opts.Now}))
	if err != nil {
		return nil, fmt.Errorf("making the App's transport: %w", err)
	}
	c.tokens = &tokens{now: opts.Now, mint: c.mint, entries: map[grant]*entry{}}
	return c, nil
}

func (o *Options) setDefaults() {
	if o.Transport == nil {
		t := http.DefaultTransport.(*http.Transport).Clone()
		t.ResponseHeaderTimeout = 30 * time.Second
		t.MaxResponseHeaderBytes = 1 << 20
		t.MaxIdleConnsPerHost = 16 // all requests are to one host, and not every Enterprise Server speaks HTTP/2
		o.Transport = t
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Pace == nil {
		o.Pace = newMemoryPace(o.Now)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// sleep waits for d, or returns the error of a context that ends earlier.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

func parseAPIURL(text string) (*url.URL, error) {
	if text == "" {
		text = defaultAPI
	}
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" ||
		u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the address of GitHub's API is %q: "+
			"it must be like %s, or https://HOST/api/v3/ for an Enterprise Server", text, defaultAPI)
	}
	if u.Host == "github.com" {
		return nil, fmt.Errorf("the address of GitHub's API is %q, which is the site: the API is at %s", text, defaultAPI)
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	return u, nil
}

// Slug returns the App's name in URLs, by which "@slug" mentions it. It requests it from GitHub once, unless it is in
// the options.
func (c *Client) Slug(ctx context.Context) (string, error) {
	if slug := c.slug.Load(); slug != nil {
		return *slug, nil
	}
	if err := c.Identify(ctx); err != nil {
		return "", err
	}
	return c.KnownSlug(), nil
}

// KnownSlug returns the App's name as far as it is known: from the options, or as GitHub has said; else "".
func (c *Client) KnownSlug() string {
	if slug := c.slug.Load(); slug != nil {
		return *slug
	}
	return ""
}

// Identify asks GitHub which App this is, whether or not its name is in the options. An error that wraps a
// *port.WaitError means that GitHub does not answer now; any other, that the App's id or key is wrong or that what
// answers is not GitHub's API.
func (c *Client) Identify(ctx context.Context) error {
	app, _, err := c.asApp().Apps.Get(ctx, "")
	if err != nil {
		return waitIfUnreachable(c.explainApp(err))
	}
	slug := app.GetSlug()
	if slug == "" && c.slug.Load() == nil {
		return errNoSlug
	}
	if slug != "" {
		c.slug.CompareAndSwap(nil, &slug)
	}
	return nil
}

// errNoSlug is the error for an answer that does not name the App.
var errNoSlug = errors.New("asking which App this is: GitHub's answer names no slug; set TENON_APP_SLUG")

// Token returns an installation token for git: for repo only, to read or to write contents, and valid for some minutes
// at least. It is a secret and must not be logged.
func (c *Client) Token(ctx context.Context, repo port.RepoRef, write bool) (string, error) {
	if err := checkRepo(repo); err != nil {
		return "", err
	}
	return c.tokens.get(ctx, gitGrant(repo, write))
}

// TokenRefused forgets a token of Client.Token that git refused, so that the next one is another.
func (c *Client) TokenRefused(repo port.RepoRef, write bool, token string) {
	c.tokens.drop(gitGrant(repo, write), token)
}

func gitGrant(repo port.RepoRef, write bool) grant {
	if write {
		return grant{repo.Installation, repo.ID, committing}
	}
	return grant{repo.Installation, repo.ID, reading}
}

// asApp returns a client that is authorised as the App.
func (c *Client) asApp() *github.Client { return c.client(c.app) }

// forRepo returns a client with the permissions of a scope in one repository.
func (c *Client) forRepo(repo port.RepoRef, s scope) (*github.Client, error) {
	return c.forRepoInClass(repo, s, s.class())
}

// forRepoInClass is forRepo for requests of another class than the scope's.
func (c *Client) forRepoInClass(repo port.RepoRef, s scope, of class) (*github.Client, error) {
	if err := checkRepo(repo); err != nil {
		return nil, err
	}
	g := grant{repo.Installation, repo.ID, s}
	limited := c.limiter.roundTripper(repo.Installation, of)
	return c.client(&authTransport{tokens: c.tokens, grant: g, next: limited}), nil
}

func (c *Client) client(t http.RoundTripper) *github.Client {
	gh := github.NewClient(&http.Client{Transport: t, CheckRedirect: c.redirect, Timeout: callTimeout})
	gh.BaseURL, gh.UserAgent = c.base, userAgent
	return gh
}

// redirect follows redirects to a repository's new name. It does not send credentials to another host, and does not
// turn a write into a read.
func (c *Client) redirect(to *http.Request, via []*http.Request) error {
	switch {
	case to.URL.Scheme != c.base.Scheme || to.URL.Host != c.base.Host:
		return redirectError(fmt.Sprintf("GitHub's answer leads away from %s, to %s: not followed", c.base.Host, to.URL.Host))
	case to.Method != via[0].Method || len(via) > 3:
		return http.ErrUseLastResponse
	}
	return nil
}

// checkRepo returns an error for a repository without an id or a valid name: a token for no repository would be for
// all.
func checkRepo(repo port.RepoRef) error {
	switch {
	case repo.Installation <= 0:
		return callerError(fmt.Sprintf("the App's installation for %s is not known", repo))
	case repo.ID <= 0:
		return callerError(fmt.Sprintf("the id of repository %s is not known", repo))
	case !isPathSegment(repo.Owner) || !isPathSegment(repo.Name):
		return callerError(fmt.Sprintf("%q is no name of a repository", repo))
	}
	return nil
}

// isPathSegment reports whether a name can be one segment of a URL's path.
func isPathSegment(name string) bool {
	return name != "" && name != "." && name != ".." && url.PathEscape(name) == name
}
