package gh

import "time"

// GitHub's secondary limits: "no more than 80 content-generating requests per minute and no more than 500 content-generating
// requests per hour" (rate limits of the REST API). It does not say which those are: here, all that write.
const (
	contentPerMinute = 80
	contentPerHour   = 500
	// paceMargin is for requests that are not on their way equally long.
	paceMargin = time.Second
)

// share is the part of the content limits that requests may use up.
type share int

const (
	noContent  share = 0 // they write nothing
	allContent share = 1
	// halfContent is for what is worth nothing when it is late: it does not wait, and leaves the other half to what matters.
	halfContent share = 2
)

// pace books a request that creates content, or says for how long there is no room for it.
func (g *gate) pace(now time.Time, s share) time.Duration {
	for len(g.content) > 0 && now.Sub(g.content[0]) > time.Hour+paceMargin {
		g.content = g.content[1:]
	}
	wait := max(g.crowded(now, time.Minute, contentPerMinute/int(s)), g.crowded(now, time.Hour, contentPerHour/int(s)))
	if wait <= 0 {
		g.content = append(g.content, now)
	}
	return wait
}

// crowded is how long it takes until the newest requests, as many as the window may have, are not all inside it.
func (g *gate) crowded(now time.Time, window time.Duration, most int) time.Duration {
	if len(g.content) < most {
		return 0
	}
	return g.content[len(g.content)-most].Add(window + paceMargin).Sub(now)
}
