package gitrepo

import (
	"context"
	"io"
	"net/http"

	"github.com/tenon-bot/tenon/bot/port"
)

// withNewToken sends a call once more, with a new token, after the server refused the token (401): it may have been
// revoked since it was made. The refused request had no effect. Without a new token, or the lease for another push, it
// returns the response as it is.
func (r *remote) withNewToken(ctx context.Context, at string, c call, resp *http.Response) (*http.Response, error) {
	_, token, ok := resp.Request.BasicAuth()
	if !ok || r.refused == nil {
		return resp, nil
	}
	r.refused(r.access, c.service == receivePack, token)
	again, err := r.request(ctx, at, c)
	if err != nil {
		return resp, nil //nolint:nilerr // the 401 is the better result
	}
	if _, renewed, _ := again.BasicAuth(); renewed == token {
		return resp, nil
	}
	if c.service == receivePack && c.body != nil && port.Guard(ctx) != nil {
		return resp, nil
	}
	_, _ = io.CopyN(io.Discard, resp.Body, 4<<10) // so that the connection can be reused
	_ = resp.Body.Close()
	return r.client.Do(again)
}
