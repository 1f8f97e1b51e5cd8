package gh

import "net/http"

// authTransport authorises requests with the token of its grant.
type authTransport struct {
	tokens tokenSource
	grant  grant
	next   http.RoundTripper
}

// RoundTrip sends a request again, with a new token, when GitHub refuses the token (401), as the request had no effect.
func (a *authTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	token, err := a.tokens.token(req.Context(), a.grant)
	if err != nil {
		closeBody(req)
		return nil, err
	}
	resp, err := a.send(req, token.value)
	if err != nil || resp.StatusCode != http.StatusUnauthorized {
		return resp, err
	}
	again, err := rewound(req)
	if err != nil {
		return resp, nil //nolint:nilerr // the 401 is the better result
	}
	discard(resp)
	a.tokens.drop(a.grant, token.value)
	if token, err = a.tokens.token(req.Context(), a.grant); err != nil {
		return nil, err
	}
	return a.send(again, token.value)
}

func (a *authTransport) send(req *http.Request, token string) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Authorization", "Bearer "+token)
	return a.next.RoundTrip(req)
}
