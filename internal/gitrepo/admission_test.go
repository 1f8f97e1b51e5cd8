package gitrepo_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// A pack waits for room in memory with its request, whose time goes on and whose server may give up.
func TestAPackThatWaitedForRoomTooLongIsFetchedAgain(t *testing.T) {
	t.Parallel()
	data := make([]byte, 9<<20)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	w := newWorld(t, gitrepo.Options{})
	w.repo.Git("config", "core.compression", "0") // there is nothing to compress, which takes git most of the time
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"large.bin": string(data)}))
	reset := errors.New("connection reset by peer")
	for _, c := range []struct {
		name    string
		wait    time.Duration
		gaveUp  error // the server, before it had finished its first answer
		fetched int
	}{
		{"no wait", 0, nil, 1},
		{"a wait that the time of a request allows", 50 * time.Second, nil, 1},
		{"longer than the time of a request", time.Hour, nil, 2},
		{"longer than the server waits", 50 * time.Second, reset, 2},
		{"as long as the server waits, which ends its answer", 50 * time.Second, io.ErrUnexpectedEOF, 2},
		{"a server that failed without", 0, reset, 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked, released := 0, 0
			admit := func(context.Context, int64) (func(), error) {
				asked++
				time.Sleep(c.wait)
				return func() { released++ }, nil
			}
			first := true
			until := func(r *http.Request, answer io.Reader) io.Reader {
				return readerFunc(func(p []byte) (int, error) {
					switch {
					case r.Context().Err() != nil:
						return 0, r.Context().Err()
					case c.gaveUp != nil && asked > 0 && first:
						first = false
						return 0, c.gaveUp
					}
					return answer.Read(p)
				})
			}
			repos := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL, Admit: admit,
				Limits: gitrepo.Limits{RequestTime: time.Minute},
				HTTP:   &http.Client{Transport: direct{w.server, until}}})
			checkout, err := repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
			require.NoError(t, err)
			w.server.Requests()
			err = checkout.Load(t.Context(), "large.bin")
			require.Equal(t, c.wait == 0 && c.gaveUp != nil, err != nil, c.name)
			require.Len(t, w.server.Requests(), c.fetched, c.name)
			require.Equal(t, 1, asked, c.name)
			require.Equal(t, 1, released, c.name)
		})
	}
}

type readerFunc func(p []byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
