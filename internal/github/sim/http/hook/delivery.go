package hook

import (
	"fmt"
	"slices"
)

// Deliveries returns all attempts so far, oldest first.
func (s *Hooks) Deliveries() []Delivery {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	list := make([]Delivery, len(s.deliveries))
	for i, d := range s.deliveries {
		list[i] = d.Delivery
	}
	return list
}

// wait returns when an attempt has ended. The caller does not hold the lock.
func (s *Hooks) wait(d *Attempt) {
	if d != nil {
		<-d.done
	}
}

// WaitFor waits for the response to the delivery of an event, so that it can be inspected.
func (s *Hooks) WaitFor(event string, subject int64) {
	s.Mu.Lock()
	var last *Attempt
	for _, d := range s.deliveries {
		if d.Event == event && d.Subject == subject {
			last = d
		}
	}
	s.Mu.Unlock()
	s.wait(last)
}

// WaitDeliveries returns when every delivery so far has a response or failed.
func (s *Hooks) WaitDeliveries() { s.WaitSince(0) }

// Delivered returns the number of deliveries so far. The caller holds the lock.
func (s *Hooks) Delivered() int { return len(s.deliveries) }

// WaitSince waits for the responses to the deliveries after the first n.
func (s *Hooks) WaitSince(n int) {
	s.Mu.Lock()
	list := slices.Clone(s.deliveries[n:])
	s.Mu.Unlock()
	for _, d := range list {
		s.wait(d)
	}
}

// Redeliver sends an event again, like the button of that name, with the same GUID and payload. It returns after the
// response.
func (s *Hooks) Redeliver(guid string) (Delivery, error) { return s.again(guid, true) }

// Duplicate sends an event again without a request for it.
func (s *Hooks) Duplicate(guid string) (Delivery, error) { return s.again(guid, false) }

func (s *Hooks) again(guid string, redelivery bool) (Delivery, error) {
	s.Mu.Lock()
	d := s.copyOf(func(d *Attempt) bool { return d.GUID == guid }, redelivery)
	if d != nil {
		s.attempt(d)
	}
	s.Mu.Unlock()
	if d == nil || d.done == nil {
		return Delivery{}, fmt.Errorf("no delivery %s, or no webhook to send it to", guid)
	}
	s.wait(d)
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return d.Delivery, nil
}

// copyOf returns a new attempt of the first matching delivery, or nil if there is none.
func (s *Hooks) copyOf(wanted func(*Attempt) bool, redelivery bool) *Attempt {
	for _, d := range s.deliveries {
		if wanted(d) {
			return &Attempt{Delivery: Delivery{GUID: d.GUID, Event: d.Event, Action: d.Action, Subject: d.Subject,
				Sender:     d.Sender,
				Redelivery: redelivery}, installation: d.installation, repo: d.repo, payload: d.payload}
		}
	}
	return nil
}
