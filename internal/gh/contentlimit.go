package gh

import "time"

// GitHub's secondary limits: "no more than 80 content-generating requests per minute and no more than 500
// content-generating requests per hour" (rate limits of the REST API). Which requests those are is not documented.
// Here, all writes count.
const (
	writesPerMinute = 80
	writesPerHour   = 500
	// windowMargin is added to a window, because requests take different times to arrive.
	windowMargin = time.Second
)

// share is the part of the content limits that requests may use: one of so many equal parts, or none.
type share int

const (
	noContent  share = 0 // they write nothing
	allContent share = 1
	// halfContent is for writes that are of no use when they are late: they do not wait, and leave half of the limits to
	// the others.
	halfContent share = 2
)

// takeWrite counts a write, or returns how long it has to wait.
func (b *bucket) takeWrite(now time.Time, s share) time.Duration {
	for len(b.writes) > 0 && now.Sub(b.writes[0]) > time.Hour+windowMargin {
		b.writes = b.writes[1:]
	}
	wait := max(b.waitFor(now, time.Minute, writesPerMinute/int(s)), b.waitFor(now, time.Hour, writesPerHour/int(s)))
	if wait <= 0 {
		b.writes = append(b.writes, now)
	}
	return wait
}

// waitFor returns how long it takes until a window has fewer than limit writes.
func (b *bucket) waitFor(now time.Time, window time.Duration, limit int) time.Duration {
	if len(b.writes) < limit {
		return 0
	}
	return b.writes[len(b.writes)-limit].Add(window + windowMargin).Sub(now)
}
