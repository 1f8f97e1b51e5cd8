package gh_test

import (
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

// sleepsSlot notes how many pauses were made before each change of the slot of a run.
type sleepsSlot struct {
	*fakeAPI
	left, entered []int
}

func (s *sleepsSlot) Leave() { s.left = append(s.left, len(s.slept)) }

func (s *sleepsSlot) Enter() { s.entered = append(s.entered, len(s.slept)) }

func TestARunWaitsForGitHubsLimitsWithoutItsSlot(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	d.on(comment, refusal(429, "secondary", "Retry-After", "3"), refusal(429, "secondary", "Retry-After", "3"),
		response{status: 201, body: `{"id":1}`})
	slot := &sleepsSlot{fakeAPI: d}
	_, err := d.client(t).Post(port.WithSlot(t.Context(), slot), joint, conversation(17), "the whole body")
	require.NoError(t, err)
	require.Equal(t, []int{0, 1}, slot.left)
	require.Equal(t, []int{1, 2}, slot.entered)
}

// countedSlot counts the changes of the slot of a run.
type countedSlot struct{ left, entered atomic.Int64 }

func (s *countedSlot) Leave() { s.left.Add(1) }

func (s *countedSlot) Enter() { s.entered.Add(1) }

// gate keeps requests from being sent until it is open.
type gate struct {
	http.RoundTripper
	open chan struct{}
}

func (g gate) RoundTrip(req *http.Request) (*http.Response, error) {
	<-g.open
	return g.RoundTripper.RoundTrip(req)
}

// Who requests the token may itself wait for a slot before it has it.
func TestARunWaitsForATokenThatAnotherRequestsWithoutItsSlot(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	synctest.Test(t, func(t *testing.T) {
		open := make(chan struct{})
		c := d.client(t, func(o *gh.Options) { o.Transport = gate{inMemory{d}, open} })
		c.Prepare(joint, port.Committing)
		synctest.Wait()
		slot, ended := &countedSlot{}, make(chan error, 1)
		go func() {
			_, err := c.Token(port.WithSlot(t.Context(), slot), joint, true)
			ended <- err
		}()
		synctest.Wait()
		require.Equal(t, []int64{1, 0}, []int64{slot.left.Load(), slot.entered.Load()})
		close(open)
		require.NoError(t, <-ended)
		require.Equal(t, int64(1), slot.entered.Load())
		require.Len(t, d.calls(mintPath), 1)
	})
}
