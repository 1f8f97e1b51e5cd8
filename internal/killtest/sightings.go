package killtest

import (
	"sync"
	"time"
)

// sightings are how many requests GitHub got, which process was the last to ask about each organisation, and how long
// organisations waited for another process after a kill.
type sightings struct {
	mu       sync.Mutex
	requests int
	last     map[string]string    // the process, by organisation
	waiting  map[string]time.Time // since when an organisation waits for another process
	worst    time.Duration
}

func newSightings() *sightings {
	return &sightings{last: map[string]string{}, waiting: map[string]time.Time{}}
}

// note is called for each request to GitHub.
func (s *sightings) note(org, process string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	if org == "" {
		return
	}
	if since, ok := s.waiting[org]; ok {
		s.worst = max(s.worst, time.Since(since))
		delete(s.waiting, org)
	}
	s.last[org] = process
}

// interrupt notes that a process was killed: of the organisations with unfinished commands, those that it had touched
// last wait for another process from now on.
func (s *sightings) interrupt(process string, unfinished map[string]bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for org, last := range s.last {
		if last == process && unfinished[org] {
			s.waiting[org] = time.Now()
		}
	}
}

// restart begins the waiting again: with one process nothing can happen before it is started again.
func (s *sightings) restart() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for org := range s.waiting {
		s.waiting[org] = time.Now()
	}
}

// recovery returns the longest wait.
func (s *sightings) recovery() time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.worst
}

// count returns how many requests GitHub got.
func (s *sightings) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}
