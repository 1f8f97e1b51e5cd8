package gh_test

import (
	"net/http"
	"testing"
	"testing/synctest"
	"time"

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

// timedSlot notes when the slot of a run changes.
type timedSlot struct {
	begun         time.Time
	left, entered []time.Duration
}

func (s *timedSlot) Leave() { s.left = append(s.left, time.Since(s.begun)) }

func (s *timedSlot) Enter() { s.entered = append(s.entered, time.Since(s.begun)) }

// slow takes a second for each request.
type slow struct{ http.RoundTripper }

func (s slow) RoundTrip(req *http.Request) (*http.Response, error) {
	time.Sleep(time.Second)
	return s.RoundTripper.RoundTrip(req)
}

// Who requests the token may itself wait for a slot before it has it.
func TestARunWaitsForATokenThatAnotherRequestsWithoutItsSlot(t *testing.T) {
	t.Parallel()
	d := newFakeAPI(t)
	synctest.Test(t, func(t *testing.T) {
		c := d.client(t, func(o *gh.Options) { o.Transport = slow{inMemory{d}} })
		c.Prepare(joint, port.Committing)
		synctest.Wait()
		slot := &timedSlot{begun: time.Now()}
		_, err := c.Token(port.WithSlot(t.Context(), slot), joint, true)
		require.NoError(t, err)
		require.Len(t, d.calls(mintPath), 1)
		require.Equal(t, []time.Duration{0}, slot.left)
		require.Equal(t, []time.Duration{time.Second}, slot.entered)
	})
}
