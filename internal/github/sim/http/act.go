package simhttp

// waitFor waits for the response to the delivery of an event, so that it can be inspected.
func (s hooks) WaitFor(event string, subject int64) {
	s.Mu.Lock()
	var last *delivery
	for _, d := range s.deliveries {
		if d.Event == event && d.Subject == subject {
			last = d
		}
	}
	s.Mu.Unlock()
	s.wait(last)
}
