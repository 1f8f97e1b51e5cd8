package gh

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

// sends is a transport that answers with a body, which depends on the context of the request.
type sends func(ctx context.Context) (io.Reader, error)

func (s sends) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := s(r.Context())
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: http.StatusNotFound, Body: io.NopCloser(body)}, nil
}

// silent is a body of which nothing comes.
type silent struct{ context.Context }

func (s silent) Read([]byte) (int, error) {
	<-s.Done()
	return 0, s.Err()
}

func get(t *testing.T, s sends) (*http.Response, error) {
	t.Helper()
	ctx := context.WithoutCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://github.example", nil)
	require.NoError(t, err)
	return timeoutTransport{s}.RoundTrip(req)
}

func TestARequestWithoutAResponseEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, err := get(t, func(ctx context.Context) (io.Reader, error) { //nolint:bodyclose // there is none
			<-ctx.Done()
			return nil, ctx.Err()
		})
		require.ErrorIs(t, err, context.DeadlineExceeded)
	})
}

func TestAResponseWhoseBodyDoesNotComeEnds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		resp, err := get(t, func(ctx context.Context) (io.Reader, error) { return silent{ctx}, nil })
		require.NoError(t, err)
		_, err = io.ReadAll(resp.Body)
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.NoError(t, resp.Body.Close())
	})
}

// go-github does not close the bodies of errors.
func TestNothingWaitsForABodyThatWasRead(t *testing.T) {
	t.Parallel()
	var ended func() error                                             // of the context of the request
	resp, err := get(t, func(ctx context.Context) (io.Reader, error) { //nolint:bodyclose // that is the story
		ended = ctx.Err
		return strings.NewReader("{}"), nil
	})
	require.NoError(t, err)
	require.NoError(t, ended())
	_, err = io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.ErrorIs(t, ended(), context.Canceled)
}
