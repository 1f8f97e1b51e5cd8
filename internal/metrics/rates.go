package metrics

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

const (
	// maxWindows bounds the windows of rate limits that are remembered: one for each installation and resource.
	maxWindows = 10_000
	// maxWindow is how long a window is remembered. GitHub's last an hour at most.
	maxWindow = time.Hour
)

// resources are GitHub's names of what it limits, as its header X-RateLimit-Resource has them.
var resources = []string{"core", "graphql", "search", "code_search"}

// rates are the rate limits as GitHub's responses tell them. Each installation has windows of its own; what is told is
// the one that has the fewest requests left. Safe for concurrent use.
type rates struct {
	remaining, limit *prometheus.Desc

	mu      sync.Mutex
	windows map[window]rate
	// expired is when those that have ended were forgotten last.
	expired time.Time
}

// window is the time until a limit resets. Within one, the number of requests that are left only falls. Two
// installations whose windows end in the same second count as one.
type window struct {
	resource string
	reset    int64
}

type rate struct {
	remaining, limit int
	until            time.Time
}

func (s *rates) describe(m *Metrics) {
	s.windows = map[window]rate{}
	s.remaining = m.gauge("tenon_github_rate_remaining", "Requests that are left until GitHub's limit resets, by "+
		"GitHub's "+
		"`resource`, of the installation that has the fewest. Absent where GitHub has said nothing for an hour, as on an "+
		"Enterprise Server without limits.", "resource")
	s.limit = m.gauge("tenon_github_rate_limit", "The limit of that installation, in requests an hour.", "resource")
	m.registry.MustRegister(s)
}

// read notes what the head of a response says.
func (s *rates) read(h http.Header, now time.Time) {
	remaining, err := strconv.Atoi(h.Get("X-RateLimit-Remaining"))
	limit, limitErr := strconv.Atoi(h.Get("X-RateLimit-Limit"))
	reset, resetErr := strconv.ParseInt(h.Get("X-RateLimit-Reset"), 10, 40)
	if err != nil || limitErr != nil || resetErr != nil {
		return
	}
	w := window{oneOf(resources, h.Get("X-RateLimit-Resource")), reset}
	r := rate{remaining, limit, now.Add(min(max(time.Unix(reset, 0).Sub(now), 0), maxWindow))}
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.windows[w]; ok && known.remaining <= remaining || !ok && !s.room(now) {
		return
	}
	s.windows[w] = r
}

// room reports whether another window can be remembered. The caller holds the lock.
func (s *rates) room(now time.Time) bool {
	if len(s.windows) >= maxWindows && now.Sub(s.expired) > time.Minute {
		s.expire(now)
	}
	return len(s.windows) < maxWindows
}

// expire forgets the windows that have ended. The caller holds the lock.
func (s *rates) expire(now time.Time) {
	s.expired = now
	for w, r := range s.windows {
		if !now.Before(r.until) {
			delete(s.windows, w)
		}
	}
}

// Describe implements prometheus.Collector.
func (s *rates) Describe(ch chan<- *prometheus.Desc) { ch <- s.remaining; ch <- s.limit }

// Collect implements prometheus.Collector.
func (s *rates) Collect(ch chan<- prometheus.Metric) {
	for resource, r := range s.lowest(time.Now()) {
		ch <- prometheus.MustNewConstMetric(s.remaining, prometheus.GaugeValue, float64(r.remaining), resource)
		ch <- prometheus.MustNewConstMetric(s.limit, prometheus.GaugeValue, float64(r.limit), resource)
	}
}

func (s *rates) lowest(now time.Time) map[string]rate {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expire(now)
	out := map[string]rate{}
	for w, r := range s.windows {
		if low, ok := out[w.resource]; !ok || r.remaining < low.remaining {
			out[w.resource] = r
		}
	}
	return out
}
