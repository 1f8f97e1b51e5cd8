package gh

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/tenon-bot/tenon/internal/retry"
)

const (
	// minWait and maxWait bound the wait that a header may ask for. GitHub's limits reset each hour at the latest.
	minWait, maxWait = time.Second, time.Hour
	// firstWait is the wait after a refusal without a time: "wait for at least one minute before retrying. If your request
	// continues to fail due to a secondary rate limit, wait for an exponentially increasing amount of time" (GitHub, rate
	// limits of the REST API).
	firstWait = time.Minute
	// maxPeek bounds how much of a response is read to distinguish a limit from a missing permission, in bytes.
	maxPeek = 16 << 10
)

func clamp(d time.Duration) time.Duration { return min(max(d, minWait), maxWait) }

// isRateLimited reports whether a rate limit refused the request. Its status is 429, or 403 like that of a missing
// permission.
func isRateLimited(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" ||
			mentionsLimit(resp)
	}
	return false
}

func mentionsLimit(resp *http.Response) bool {
	low := bytes.ToLower(peek(resp))
	return bytes.Contains(low, []byte("rate limit")) || bytes.Contains(low, []byte("abuse detection"))
}

// peek returns the beginning of the body, which can still be read.
func peek(resp *http.Response) []byte {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, maxPeek))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	return head
}

// requestedWait returns how long the headers ask to wait: by Retry-After, or else until X-RateLimit-Reset if the hour's
// requests are used up. ok is false if they ask for no wait.
func requestedWait(h http.Header, now time.Time) (wait time.Duration, ok bool) {
	if wait, ok := retry.After(h, now); ok {
		return clamp(wait), true
	}
	if left := h.Get("X-RateLimit-Remaining"); left != "" && left != "0" {
		return 0, false
	}
	// 40 bits are enough for every time, and do not overflow a Duration.
	if s, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 40); err == nil && s > 0 {
		// The header has whole seconds, so one more is added.
		return clamp(time.Unix(s+1, 0).Sub(now)), true
	}
	return 0, false
}

// backoff returns the wait after a number of consecutive refusals without a time.
func backoff(refusals int) time.Duration { return clamp(firstWait << min(refusals, 6)) }
