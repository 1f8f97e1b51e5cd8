package signin

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"

	"github.com/tenon-bot/tenon/internal/text"
)

// ErrCredentials means that a client secret is not one of the client id.
var ErrCredentials = errors.New("GitHub does not accept the client secret for the client id")

// TryCredentials returns ErrCredentials if GitHub does not accept a client secret, and another error if it did not say.
// It asks for the tokens of a code that there is not, which GitHub refuses for another reason if the secret is right.
func TryCredentials(ctx context.Context, siteURL, clientID, clientSecret string, transport http.RoundTripper) error {
	s := Sessions{http: newClient(transport), oauth: oauth2.Config{ClientID: clientID, ClientSecret: clientSecret,
		Endpoint: endpoint(siteURL)}}
	_, err := s.oauth.Exchange(s.client(ctx), "none")
	switch refusal(err) {
	case "incorrect_client_credentials":
		return ErrCredentials
	case "":
		return withoutBody(err)
	}
	return nil
}

// newClient returns a client for requests for tokens.
func newClient(transport http.RoundTripper) *http.Client {
	return &http.Client{Transport: asksForJSON{transport}, Timeout: exchangeTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// endpoint returns where the GitHub at an address signs people in.
func endpoint(siteURL string) oauth2.Endpoint {
	return oauth2.Endpoint{AuthURL: siteURL + "login/oauth/authorize", TokenURL: siteURL + "login/oauth/access_token",
		AuthStyle: oauth2.AuthStyleInParams}
}

// client returns a context in which oauth2 sends requests as it should.
func (s *Sessions) client(ctx context.Context) context.Context {
	return context.WithValue(ctx, oauth2.HTTPClient, s.http)
}

// refusal returns GitHub's code for why there is no token; empty if it did not say.
func refusal(err error) string {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) {
		return refused.ErrorCode
	}
	return ""
}

// errTokens is the error for an answer that has no token.
var errTokens = errors.New("asking GitHub for a token: the answer has none")

// withoutBody returns an error without GitHub's answer, which may have tokens.
func withoutBody(err error) error {
	var refused *oauth2.RetrieveError
	var network *url.Error
	switch {
	case errors.As(err, &network):
		return network.Err
	case errors.As(err, &refused) && refused.ErrorCode != "":
		return errors.New("asking GitHub for a token: it answered " + text.Cut(refused.ErrorCode, maxClip))
	}
	return errTokens
}

// maxClip bounds what others wrote and the log has, in bytes.
const maxClip = 200
