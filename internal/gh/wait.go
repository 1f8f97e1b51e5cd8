package gh

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"time"
)

const (
	// minWait and maxWait bound what a header may ask for. GitHub's limits start anew each hour at the latest.
	minWait, maxWait = time.Second, time.Hour
	// firstWait is for a refusal that names no time: "wait for at least one minute before retrying. If your request continues to
	// fail due to a secondary rate limit, wait for an exponentially increasing amount of time" (GitHub, rate limits of the REST API).
	firstWait = time.Minute
	// maxPeek bounds what is read of an answer to tell a limit from a lack of rights.
	maxPeek = 16 << 10
)

// limited says whether GitHub refused the request because of a rate limit. It comes as 429, and as 403 beside those that are
// about rights.
func limited(resp *http.Response) bool {
	switch resp.StatusCode {
	case http.StatusTooManyRequests:
		return true
	case http.StatusForbidden:
		return resp.Header.Get("Retry-After") != "" || resp.Header.Get("X-RateLimit-Remaining") == "0" || speaksOfLimits(resp)
	}
	return false
}

func speaksOfLimits(resp *http.Response) bool {
	low := bytes.ToLower(peek(resp))
	return bytes.Contains(low, []byte("rate limit")) || bytes.Contains(low, []byte("abuse detection"))
}

// peek looks into the body, which stays to be read.
func peek(resp *http.Response) []byte {
	head, _ := io.ReadAll(io.LimitReader(resp.Body, maxPeek))
	resp.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
	return head
}

// askedWait is how long the headers ask to wait: by Retry-After, else until X-RateLimit-Reset when the hour's requests are
// used up; told is false when they ask nothing.
func askedWait(h http.Header, now time.Time) (wait time.Duration, told bool) {
	if v := h.Get("Retry-After"); v != "" {
		if s, err := strconv.ParseInt(v, 10, 32); err == nil {
			return clamp(time.Duration(s) * time.Second), true
		}
		if at, err := http.ParseTime(v); err == nil {
			return clamp(at.Sub(now)), true
		}
	}
	if left := h.Get("X-RateLimit-Remaining"); left != "" && left != "0" {
		return 0, false
	}
	// 40 bits hold all times that can be meant, and do not overflow.
	if s, err := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 40); err == nil && s > 0 {
		// One second more: the header has whole seconds.
		return clamp(time.Unix(s+1, 0).Sub(now)), true
	}
	return 0, false
}

// growingWait is the wait after that many refusals in a row that named none.
func growingWait(strikes int) time.Duration { return clamp(firstWait << min(strikes, 6)) }

func clamp(d time.Duration) time.Duration { return min(max(d, minWait), maxWait) }

// discard ends an answer that nobody reads, so that its connection can be used again.
func discard(resp *http.Response) {
	_, _ = io.CopyN(io.Discard, resp.Body, maxPeek)
	_ = resp.Body.Close()
}
