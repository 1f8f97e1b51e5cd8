package gh

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// ManifestApp is an App that the manifest flow registered, as GitHub hands it out once. PrivateKey (PEM), WebhookSecret
// and ClientSecret must not be logged.
type ManifestApp struct {
	ID                        int64
	Slug, Name, Owner, URL    string
	PrivateKey, WebhookSecret string
	ClientID, ClientSecret    string
}

// maxConversion bounds GitHub's answers outside of a Client, in bytes.
const maxConversion = 1 << 20

// ConvertManifest exchanges the code of the manifest flow for the App that was registered, which works once, and within
// an hour of the start of the flow. The error wraps port.ErrNotFound for a code that GitHub does not know, or not any
// more, and a *port.WaitError if GitHub does not answer now. It never contains the code. A nil transport is one with
// timeouts, which uses the proxy of the environment.
func ConvertManifest(ctx context.Context, apiURL, code string, transport http.RoundTripper) (ManifestApp, error) {
	c, err := anonymous(apiURL)
	if err != nil {
		return ManifestApp{}, err
	}
	if !isPathSegment(code) {
		return ManifestApp{}, callerError("the code is not one of GitHub's")
	}
	var app struct {
		ID            int64  `json:"id"`
		Slug          string `json:"slug"`
		Name          string `json:"name"`
		HTMLURL       string `json:"html_url"`
		PEM           string `json:"pem"`
		WebhookSecret string `json:"webhook_secret"`
		ClientID      string `json:"client_id"`
		ClientSecret  string `json:"client_secret"`
		Owner         struct {
			Login string `json:"login"`
			Slug  string `json:"slug"` // of an enterprise
		} `json:"owner"`
	}
	err = call(ctx, c.client(bounded(transport)), http.MethodPost, "app-manifests/"+code+"/conversions", nil, &app)
	if err != nil {
		return ManifestApp{}, c.explainAnonymous(err, "asking GitHub for the App's id and key")
	}
	return ManifestApp{ID: app.ID, Slug: app.Slug, Name: app.Name, Owner: app.Owner.Login + app.Owner.Slug,
		URL: app.HTMLURL, PrivateKey: app.PEM, WebhookSecret: app.WebhookSecret, ClientID: app.ClientID,
		ClientSecret: app.ClientSecret}, nil
}

// ProbeAPI returns an error that says what is wrong unless GitHub's API is at a URL. It needs no credentials.
func ProbeAPI(ctx context.Context, apiURL string, transport http.RoundTripper) error {
	c, err := anonymous(apiURL)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base.JoinPath("meta").String(), nil)
	if err != nil {
		return fmt.Errorf("asking for %s: %w", c.base, err)
	}
	req.Header.Set("User-Agent", userAgent)
	resp, err := (&http.Client{Transport: bounded(transport), CheckRedirect: c.redirect}).Do(req)
	if err != nil {
		return c.explainAnonymous(err, "looking for GitHub's API")
	}
	discard(resp)
	// An Enterprise Server in private mode answers with 401, and it is GitHub all the same.
	if resp.Header.Get("X-GitHub-Request-Id") == "" && resp.Header.Get("X-GitHub-Enterprise-Version") == "" {
		return callerError(fmt.Sprintf("what answers at %s is not GitHub's API (status %d)", c.base, resp.StatusCode))
	}
	return nil
}

// anonymous returns a client without credentials, of which nothing but client and explainAnonymous may be used.
func anonymous(apiURL string) (*Client, error) {
	base, err := parseAPIURL(apiURL)
	return &Client{base: base}, err
}

// explainAnonymous is explain for errors of requests whose URL must not be told.
func (c *Client) explainAnonymous(err error, doing string) error {
	var primary *github.RateLimitError
	var secondary *github.AbuseRateLimitError
	if errors.As(err, &primary) || errors.As(err, &secondary) {
		return fmt.Errorf("%s: %w", doing, &port.WaitError{For: port.GitHubLimit,
			Err: errors.New("GitHub's rate limit is reached")})
	}
	var network *url.Error
	if errors.As(err, &network) && strings.Contains(network.Err.Error(), "server gave HTTP response to HTTPS client") {
		return fmt.Errorf("%s: what answers at %s does not speak HTTPS", doing, c.base)
	}
	return c.explain(err, "%s", doing)
}

// bounded bounds the answers that come by a transport.
func bounded(transport http.RoundTripper) http.RoundTripper {
	opts := Options{Transport: transport}
	opts.setDefaults()
	return boundedTransport{opts.Transport}
}

type boundedTransport struct{ next http.RoundTripper }

func (b boundedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(req)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxConversion)
	}
	return resp, err
}
