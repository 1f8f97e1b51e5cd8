package killtest

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"
)

// relay is between GitHub and the processes. It keeps each delivery for a random time, so that deliveries arrive in
// another order, sends some of them twice, and picks a process for each, as a load balancer does. A delivery that was
// not accepted is sent again until it is, as GitHub does when it is asked to; one that was accepted is not.
type relay struct {
	ctx     context.Context
	longest time.Duration // a delivery is kept up to that long
	twice   float64       // the share of deliveries that are sent twice
	client  http.Client

	mu         sync.Mutex
	targets    map[string]string // the URLs of running processes, by name
	duplicates int               // deliveries that a process accepted a second time
	refused    int               // attempts without acceptance
	work       sync.WaitGroup
}

func newRelay(ctx context.Context, longest time.Duration, twice float64) *relay {
	return &relay{ctx: ctx, longest: longest, twice: twice, targets: map[string]string{},
		client: http.Client{Timeout: 10 * time.Second}}
}

// add makes a process a target.
func (r *relay) add(name, url string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.targets[name] = url
}

func (r *relay) remove(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.targets, name)
}

// ServeHTTP takes a delivery of GitHub.
func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	header := req.Header.Clone()
	r.work.Go(func() { r.pass(header, body, false) })
	if rand.Float64() < r.twice { //nolint:gosec // no secret
		r.work.Go(func() { r.pass(header, body, true) })
	}
	w.WriteHeader(http.StatusAccepted)
}

// pass sends a delivery until it is accepted.
func (r *relay) pass(header http.Header, body []byte, second bool) {
	pause := rand.N(r.longest + 1) //nolint:gosec // no secret
	for {
		select {
		case <-r.ctx.Done():
			return
		case <-time.After(pause):
		}
		accepted := r.send(header, body)
		r.count(accepted, second)
		if accepted {
			return
		}
		pause = 50 * time.Millisecond
	}
}

func (r *relay) count(accepted, second bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case !accepted:
		r.refused++
	case second:
		r.duplicates++
	}
}

// counts returns how many deliveries were sent twice, and how many attempts were refused, until now.
func (r *relay) counts() (duplicates, refused int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.duplicates, r.refused
}

// send sends a delivery to one of the processes and reports whether it was accepted.
func (r *relay) send(header http.Header, body []byte) bool {
	url := r.pick()
	if url == "" {
		return false
	}
	req, err := http.NewRequestWithContext(r.ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header = header.Clone()
	res, err := r.client.Do(req)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	return res.StatusCode/100 == 2
}

func (r *relay) pick() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	n := rand.IntN(max(len(r.targets), 1)) //nolint:gosec // no secret
	for _, url := range r.targets {
		if n == 0 {
			return url
		}
		n--
	}
	return ""
}
