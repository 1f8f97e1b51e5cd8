package signin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"
	"golang.org/x/sync/singleflight"
)

// The paths of this package. GitHub has to know that of the callback.
const (
	startPath    = "/auth/start"
	CallbackPath = "/auth/callback"
	signOutPath  = "/auth/signout"
)

// GitHub is asked with the token of a person. Safe for concurrent use.
//
// Its errors wrap port.ErrDenied if GitHub does not accept the token.
type GitHub interface {
	// Account returns whose token it is.
	Account(ctx context.Context, token string) (id int64, login string, err error)
	// Repository returns the id of the repository that the person can read at a name; port.ErrNotFound if there is none.
	Repository(ctx context.Context, token, owner, name string) (id int64, err error)
	// Revoke makes a token useless.
	Revoke(ctx context.Context, token string) error
}

// Options are what New needs. All are required.
type Options struct {
	// PublicURL is the origin at which people open the pages, without a slash at its end. SiteURL is GitHub's, with one.
	PublicURL, SiteURL string
	// ClientID and ClientSecret are those of the App. The keys of the cookies are made from the secret.
	ClientID, ClientSecret string
	// Operators are logins in lower case.
	Operators []string
	GitHub    GitHub
	// Transport sends the requests for tokens.
	Transport http.RoundTripper
	// Fault shows why somebody could not sign in, or why a form was refused.
	Fault func(w http.ResponseWriter, r *http.Request, status int, heading, text string)
	// Now is the clock.
	Now func() time.Time
	Log *slog.Logger
}

// Visitor is somebody who is signed in.
type Visitor struct {
	ID       int64
	Login    string
	Operator bool
}

// Sessions knows who visits. Safe for concurrent use.
type Sessions struct {
	Options
	host      string // of the public URL
	secure    bool
	operators map[string]bool
	oauth     oauth2.Config
	http      *http.Client
	cookies   cookies

	accounts *memory[string, account]
	access   *memory[repository, bool]
	renewed  *memory[string, tokens]
	ended    *memory[string, struct{}]
	asking   singleflight.Group
	// exchanges bounds how many codes are exchanged at a time.
	exchanges chan struct{}
}

const (
	// exchangeTimeout bounds a request for tokens, askTimeout one for what GitHub says of a person.
	exchangeTimeout, askTimeout = 20 * time.Second, 10 * time.Second
	maxExchanges                = 16
	maxForm                     = 64 << 10 // bytes
)

// New returns Sessions, or an error that says which option is wrong.
func New(opts Options) (*Sessions, error) {
	public, err := url.Parse(opts.PublicURL)
	if err != nil || public.Host == "" {
		return nil, fmt.Errorf("the public URL %q has no host", opts.PublicURL)
	}
	if opts.ClientID == "" || opts.ClientSecret == "" {
		return nil, errors.New("signing in needs the App's client id and client secret")
	}
	s := &Sessions{Options: opts, host: public.Host, secure: public.Scheme == "https", operators: map[string]bool{},
		oauth: oauth2.Config{ClientID: opts.ClientID, ClientSecret: opts.ClientSecret,
			RedirectURL: opts.PublicURL + CallbackPath, Endpoint: endpoint(opts.SiteURL)},
		http:     newClient(opts.Transport),
		accounts: newMemory[string, account](opts.Now), access: newMemory[repository, bool](opts.Now),
		renewed: newMemory[string, tokens](opts.Now), ended: newMemory[string, struct{}](opts.Now),
		exchanges: make(chan struct{}, maxExchanges)}
	for _, login := range opts.Operators {
		s.operators[strings.ToLower(login)] = true
	}
	s.cookies, err = newCookies(opts.ClientSecret, s.secure)
	return s, err
}

// asksForJSON asks for answers as JSON: GitHub's are forms otherwise, of which less can be read.
type asksForJSON struct{ next http.RoundTripper }

func (a asksForJSON) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Accept", "application/json")
	return a.next.RoundTrip(req)
}
