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
	// callTimeout bounds one call with all that belongs to it: a token, pauses, retries, the answer's body.
	callTimeout = time.Minute
)

// Options say how to reach GitHub and as which App.
type Options struct {
	AppID int64
	// PrivateKey is the App's key: RSA, in PEM, PKCS #1 or #8.
	PrivateKey []byte
	// APIURL is the base of the REST API; https://api.github.com/ when empty. That of an Enterprise Server is https://HOST/api/v3/.
	APIURL string
	// Slug is the App's name in URLs, its login without "[bot]"; asked from GitHub when empty.
	Slug string
	// Transport carries the requests; nil is one with timeouts that heeds the proxy of the environment.
	Transport http.RoundTripper
	// Now is the clock and Sleep waits for a duration or the end of the context; nil are the real ones.
	Now   func() time.Time
	Sleep func(context.Context, time.Duration) error
	// Log gets what GitHub's rate limits do; nil logs nothing.
	Log *slog.Logger
}

// Client implements bot.GitHub. Safe for concurrent use.
//
// Its errors wrap bot.ErrNotFound or bot.ErrDenied where GitHub says so. Those with Permanent() true are no use to try again;
// those with RetryAfter() say when it is.
type Client struct {
	base    *url.URL
	app     *ghinstallation.AppsTransport
	limiter *limiter
	tokens  *tokens
	slug    atomic.Pointer[string] // nil until known
}

var _ port.GitHub = (*Client)(nil)

// New makes a Client, or says what is wrong with the options. It asks nothing of GitHub yet.
func New(opts Options) (*Client, error) {
	if opts.AppID <= 0 {
		return nil, errors.New("the App's id is missing: it is the number (not the client id) on the GitHub App's settings page")
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
	c.limiter = &limiter{next: opts.Transport, now: opts.Now, sleep: opts.Sleep, log: opts.Log, most: maxAnswer, gates: map[int64]*gate{}}
	c.app, err = ghinstallation.NewAppsTransportWithOptions(c.limiter.of(noInstallation, noContent), opts.AppID, ghinstallation.WithSigner(signer{key, opts.Now}))
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
		t.MaxIdleConnsPerHost = 16 // all requests go to one host, and not every Enterprise Server speaks HTTP/2
		o.Transport = t
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// sleep waits; a context that ends sooner is its error.
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
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("the address of GitHub's API is %q: it must be like %s, or https://HOST/api/v3/ for an Enterprise Server", text, defaultAPI)
	}
	if u.Host == "github.com" {
		return nil, fmt.Errorf("the address of GitHub's API is %q, which is the site: the API is at %s", text, defaultAPI)
	}
	if !strings.HasSuffix(u.Path, "/") {
		u.Path += "/"
	}
	return u, nil
}

// Slug returns the App's name in URLs, by which "@slug" addresses it. It asks GitHub once, unless the options named it.
func (c *Client) Slug(ctx context.Context) (string, error) {
	if slug := c.slug.Load(); slug != nil {
		return *slug, nil
	}
	app, _, err := c.asApp().Apps.Get(ctx, "")
	if err != nil {
		return "", c.explainApp(err)
	}
	slug := app.GetSlug()
	if slug == "" {
		return "", errors.New("asking which App this is: GitHub's answer names no slug; set TENON_APP_SLUG")
	}
	c.slug.Store(&slug)
	return slug, nil
}

// Token returns an installation token for git: for repo alone, to read or to write contents, valid for some minutes at least.
// It is a secret: never log it.
func (c *Client) Token(ctx context.Context, repo port.RepoRef, write bool) (string, error) {
	if err := check(repo); err != nil {
		return "", err
	}
	g := grant{repo.Installation, repo.ID, reading}
	if write {
		g.scope = committing
	}
	return c.tokens.get(ctx, g)
}

// asApp returns a client that acts as the App itself.
func (c *Client) asApp() *github.Client { return c.client(c.app) }

// as returns a client that acts in one repository, with no more rights than the scope's.
func (c *Client) as(repo port.RepoRef, s scope) (*github.Client, error) {
	return c.sharing(repo, s, s.share())
}

// sharing is as, with less than the scope's share of what may be written.
func (c *Client) sharing(repo port.RepoRef, s scope, of share) (*github.Client, error) {
	if err := check(repo); err != nil {
		return nil, err
	}
	g := grant{repo.Installation, repo.ID, s}
	return c.client(&auth{tokens: c.tokens, grant: g, next: c.limiter.of(repo.Installation, of)}), nil
}

func (c *Client) client(t http.RoundTripper) *github.Client {
	gh := github.NewClient(&http.Client{Transport: t, CheckRedirect: c.redirect, Timeout: callTimeout})
	gh.BaseURL, gh.UserAgent = c.base, userAgent
	return gh
}

// redirect follows GitHub to a repository's new name, but never takes credentials to another host or turns a write into a read.
func (c *Client) redirect(to *http.Request, via []*http.Request) error {
	switch {
	case to.URL.Scheme != c.base.Scheme || to.URL.Host != c.base.Host:
		return fmt.Errorf("GitHub's answer leads away from %s, to %s: not followed", c.base.Host, to.URL.Host)
	case to.Method != via[0].Method || len(via) > 3:
		return http.ErrUseLastResponse
	}
	return nil
}

// check refuses a repository that does not say which one it is: a token for "none" would be one for all.
func check(repo port.RepoRef) error {
	switch {
	case repo.Installation <= 0:
		return callerError(fmt.Sprintf("the App's installation for %s is not known", repo))
	case repo.ID <= 0:
		return callerError(fmt.Sprintf("the id of repository %s is not known", repo))
	case odd(repo.Owner) || odd(repo.Name):
		return callerError(fmt.Sprintf("%q is no name of a repository", repo))
	}
	return nil
}

// odd finds what cannot be one segment of a path.
func odd(name string) bool {
	return name == "" || name == "." || name == ".." || url.PathEscape(name) != name
}
