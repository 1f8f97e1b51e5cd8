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
	"github.com/tenon-bot/tenon/internal/retry"
)

const (
	defaultAPI = "https://api.github.com/"
	userAgent  = "tenon"
)

// Options configure a Client.
type Options struct {
	// AppID and PrivateKey are those of the App; the key is RSA, in PEM, PKCS #1 or #8.
	AppID      int64
	PrivateKey []byte
	// Token is a token that is used as it is, instead of an App: that of a job of GitHub Actions, or a person's. It is a
	// secret.
	Token string
	// WorkflowRun is the id of the run of GitHub Actions that this program is a part of, 0 for none. Its jobs are not
	// among the checks of a commit.
	WorkflowRun int64
	// APIURL is the base URL of the REST API; empty means https://api.github.com/. That of an Enterprise Server is
	// https://HOST/api/v3/.
	APIURL string
	// Slug is the App's name in URLs, its login without "[bot]". If it is empty, Client.Slug requests it from GitHub. It
	// is not used with a Token.
	Slug string
	// Transport sends the requests; nil means NewTransport().
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
	base *url.URL
	// app authorises requests as the App.
	app     http.RoundTripper
	limiter *limiter
	tokens  tokenSource
	// minted is tokens of the App, plain the token that is used instead; one of them is nil.
	minted *tokens
	plain  *plainToken
	partOf int64 // Options.WorkflowRun
	// noRollup are the installations whose checks REST has, as GraphQL refused them.
	noRollup *refusals
	// storage sends requests to other hosts, without credentials.
	storage http.RoundTripper
	slug    atomic.Pointer[string] // nil until known
	now     func() time.Time
	// clock is GitHub's time.
	clock *appClock
	// appID and fingerprint are those of the App and its key.
	appID       int64
	fingerprint string
	refused     *refusedApp
}

var _ port.GitHub = (*Client)(nil)

// New returns a Client, or an error that says which option is wrong. It sends no request.
func New(opts Options) (*Client, error) {
	base, err := parseAPIURL(opts.APIURL)
	if err != nil {
		return nil, err
	}
	opts.setDefaults()
	c := &Client{base: base, storage: opts.Transport, now: opts.Now, noRollup: newRefusals(opts.Now),
		partOf: opts.WorkflowRun, clock: &appClock{local: opts.Now}, refused: &refusedApp{now: opts.Now}}
	c.limiter = &limiter{
		next: opts.Transport, now: c.clock.Now, sleep: opts.Sleep, log: opts.Log,
		maxBytes: maxResponse, pace: newKnownPace(opts.Pace, opts.Now), refusals: map[int64]int{},
	}
	if opts.Token != "" {
		return c, c.usePlain(opts.Token)
	}
	return c, c.useApp(opts)
}

// useApp lets requests be authorised as an App and its installations.
func (c *Client) useApp(opts Options) error {
	if opts.AppID <= 0 {
		return errors.New(
			"the App's id is missing: it is the number (not the client id) on the GitHub App's settings page")
	}
	key, err := parseKey(opts.PrivateKey)
	if err != nil {
		return err
	}
	c.appID, c.fingerprint = opts.AppID, fingerprint(key)
	if slug := strings.TrimSuffix(strings.TrimPrefix(opts.Slug, "@"), "[bot]"); slug != "" {
		c.slug.Store(&slug)
	}
	signs, err := ghinstallation.NewAppsTransportWithOptions(c.limiter.roundTripper(noInstallation, reads), opts.AppID,
		ghinstallation.WithSigner(&signer{key: key, now: c.clock.Now}))
	if err != nil {
		return fmt.Errorf("making the App's transport: %w", err)
	}
	c.app = &appTransport{next: signs, clock: c.clock, refused: c.refused, log: opts.Log}
	c.minted = &tokens{now: c.clock.Now, mint: c.mint, narrow: newRefusals(opts.Now), entries: map[grant]*entry{}}
	c.tokens = c.minted
	return nil
}

func (o *Options) setDefaults() {
	if o.Transport == nil {
		o.Transport = NewTransport()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = retry.Sleep
	}
	if o.Pace == nil {
		o.Pace = NewMemoryPace(o.Now)
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// NewTransport returns a transport for Options, with timeouts. It uses the proxy of the environment.
func NewTransport() http.RoundTripper {
	t := http.DefaultTransport.(*http.Transport).Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	t.MaxResponseHeaderBytes = 1 << 20
	t.MaxIdleConnsPerHost = 16 // all requests are to one host, and not every Enterprise Server speaks HTTP/2
	return t
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

// Token returns an installation token for git: for repo only, to read or to write contents, and valid for some minutes
// at least. It is a secret and must not be logged.
func (c *Client) Token(ctx context.Context, repo port.RepoRef, write bool) (string, error) {
	if err := c.checkRepo(repo); err != nil {
		return "", err
	}
	got, err := c.tokens.token(ctx, gitGrant(repo, write))
	return got.value, err
}

// TokenRefused forgets a token of Client.Token that git refused, so that the next one is another. There is no other
// plain token.
func (c *Client) TokenRefused(repo port.RepoRef, write bool, token string) {
	if c.plain == nil {
		c.tokens.drop(gitGrant(repo, write), token)
	}
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
func (c *Client) forRepoInClass(repo port.RepoRef, s scope, class class) (*github.Client, error) {
	if err := c.checkRepo(repo); err != nil {
		return nil, err
	}
	g := grant{repo.Installation, repo.ID, s}
	limited := c.limiter.roundTripper(c.paced(repo.Installation), class)
	return c.client(&authTransport{tokens: c.tokens, grant: g, next: limited}), nil
}

func (c *Client) client(t http.RoundTripper) *github.Client {
	gh := github.NewClient(&http.Client{Transport: timeoutTransport{t}, CheckRedirect: c.redirect})
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

// paced returns the installation whose pace requests keep.
func (c *Client) paced(installation int64) int64 {
	if c.plain != nil {
		return plainInstallation
	}
	return installation
}

// checkRepo returns an error for a repository without an id or a valid name: a token for no repository would be for
// all.
func (c *Client) checkRepo(repo port.RepoRef) error {
	switch {
	case repo.Installation <= 0 && c.plain == nil:
		return callerError(fmt.Sprintf("the App's installation for %s is not known", repo))
	case repo.ID <= 0:
		return callerError(fmt.Sprintf("the id of repository %s is not known", repo))
	case !isPathSegment(repo.Owner) || !isPathSegment(repo.Name):
		return callerError(fmt.Sprintf("%q is not the name of a repository", repo))
	}
	return nil
}

// isPathSegment reports whether a name can be one segment of a URL's path.
func isPathSegment(name string) bool {
	return name != "" && name != "." && name != ".." && url.PathEscape(name) == name
}

// pageSize is the size of GitHub's largest pages.
const pageSize = 100

// plainInstallation is the installation whose pace the requests with a plain token keep. GitHub has no such id.
const plainInstallation = -1

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

// maxPageSize is GitHub's: "The number of results per page (max 100)."
const maxPageSize = 100
