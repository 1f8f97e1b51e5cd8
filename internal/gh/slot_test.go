package gh_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
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
