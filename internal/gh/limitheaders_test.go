package gh

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzRequestedWait reads any headers: a wait is always within the limits, and a far reset gives the longest.
func FuzzRequestedWait(f *testing.F) {
	f.Add("3", "0", int64(1_800_000_000))
	f.Add("Fri, 20 Nov 2026 12:00:04 GMT", "", int64(0))
	f.Add("-1", "x", int64(-1))
	f.Add("", "0", int64(1<<62))
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	f.Fuzz(func(t *testing.T, after, left string, reset int64) {
		h := http.Header{"Retry-After": {after}, "X-Ratelimit-Remaining": {left},
			"X-Ratelimit-Reset": {strconv.FormatInt(reset, 10)}}
		wait, ok := requestedWait(h, now)
		if !ok {
			require.Zero(t, wait)
			return
		}
		require.GreaterOrEqual(t, wait, minWait)
		require.LessOrEqual(t, wait, maxWait)
		if after == "" && reset > now.Add(maxWait).Unix() {
			require.Equal(t, maxWait, wait)
		}
	})
}
