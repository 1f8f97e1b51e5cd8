package schedule_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"
	"testing/iotest"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/schedule"
)

// slowly is a server whose responses take a second to begin, and another for each piece of the body.
type slowly struct {
	pieces []string
	err    error
}

func (s slowly) RoundTrip(*http.Request) (*http.Response, error) {
	work(1)
	readers := []io.Reader{}
	for _, p := range s.pieces {
		readers = append(readers, slowReader{bytes.NewBufferString(p)})
	}
	if s.err != nil {
		readers = append(readers, iotest.ErrReader(s.err))
	}
	return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(io.MultiReader(readers...))}, nil
}

type slowReader struct{ *bytes.Buffer }

func (r slowReader) Read(p []byte) (int, error) {
	if r.Len() > 0 {
		work(1)
	}
	return r.Buffer.Read(p)
}

func TestARequestWaitsWithoutASlot(t *testing.T) {
	t.Parallel()
	large := string(bytes.Repeat([]byte("x"), 300<<10))
	broken := errors.New("the connection broke")
	for name, server := range map[string]slowly{
		"small":  {pieces: []string{"a", "b"}},
		"empty":  {},
		"large":  {pieces: []string{large, "end"}},
		"broken": {pieces: []string{"a"}, err: broken},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				of, s := schedule.New(100, 1), newStory()
				client := &http.Client{Transport: schedule.Transport(server)}
				s.run(of, 1, func(ctx context.Context) {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://github.test/", nil)
					require.NoError(t, err)
					resp, err := client.Do(req)
					require.NoError(t, err)
					got, err := io.ReadAll(resp.Body)
					require.ErrorIs(t, err, server.err)
					want := ""
					for _, p := range server.pieces {
						want += p
					}
					require.Equal(t, want, string(got))
					require.NoError(t, resp.Body.Close())
					require.Equal(t, 1, of.Load().Working)
				})
				require.Zero(t, of.Load().Working)
				s.all.Wait()
			})
		})
	}
	resp, err := schedule.Transport(slowly{pieces: []string{"at once"}}).RoundTrip(
		(&http.Request{}).WithContext(context.Background()))
	require.NoError(t, err, "requests of no run need no slot")
	require.NoError(t, resp.Body.Close())
}
