package retrieve

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// Nobody waits for what is not wanted any more: whenever the context is done, at most one more file is read.
func TestACanceledSelectionStops(t *testing.T) {
	t.Parallel()
	st := story{body: "the gear slips", files: map[string]string{}}
	for i := range 40 {
		st.files[fmt.Sprintf("gear%02d.py", i)] = numbered(fmt.Sprintf("gear slips %d", i), 50)
	}
	// reads returns how many files are read if the context is done at one of them, 0 for never.
	reads := func(at int, run func(ctx context.Context, repos *repository) error) int {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		repos, n := st.repository(), 0
		repos.onRead = func() {
			if n++; n == at {
				cancel()
			}
		}
		if err := run(ctx, repos); at == 0 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, context.Canceled)
		}
		return n
	}
	selects := func(ctx context.Context, repos *repository) error {
		_, err := Select(ctx, st.open(t, repos), st.query(repos), RoomOf(100_000))
		return err
	}
	answers := func(ctx context.Context, repos *repository) error {
		_, err := Answer(ctx, st.open(t, repos), st.query(repos), ParseAsks("FIND: gear slips"), RoundBytes)
		return err
	}
	require.Greater(t, reads(0, selects), 50, "40 are ranked, and 10 of them are shown")
	require.Greater(t, reads(0, answers), 60, "all are searched, and the best quoted")
	for _, at := range []int{1, 20} {
		require.LessOrEqual(t, reads(at, selects), at+1, "ranking")
		require.LessOrEqual(t, reads(at, answers), at+1, "searching")
	}
	require.LessOrEqual(t, reads(45, selects), 46, "showing")
	require.LessOrEqual(t, reads(43, answers), 44, "quoting")
}
