package lexer

import "time"

// clock tells the time, which is cheap to read, and the time that the present thread has had a processor, which is not,
// and is what counts: on a busy machine, a thread waits for a processor most of the time.
type clock struct {
	now    func() time.Time
	worked func() time.Duration
}

var threadClock = clock{time.Now, threadTime}

// stopwatch measures how long a thread has a processor. It asks for that only when so much time has passed that the
// answer may matter.
type stopwatch struct {
	clock clock
	limit time.Duration
	// begun is what the thread had worked at the start, asked what it had when last asked.
	begun, asked time.Duration
	// until is when the limit is reached, at the earliest.
	until time.Time
	// step is when the present step began.
	step time.Time
}

func startStopwatch(c clock, limit time.Duration) stopwatch {
	worked := c.worked()
	return stopwatch{clock: c, limit: limit, begun: worked, asked: worked, until: c.now().Add(limit)}
}

// late reports whether the thread has worked for longer than the limit. If not, the next step begins.
func (s *stopwatch) late() bool {
	s.step = s.clock.now()
	if !s.step.After(s.until) {
		return false
	}
	left := s.limit - (s.clock.worked() - s.begun)
	s.until = s.step.Add(left)
	return left < 0
}

// lap returns for how long the thread has worked in the present step, at most; any time up to enough may be too long.
func (s *stopwatch) lap(enough time.Duration) time.Duration {
	took := s.clock.now().Sub(s.step)
	if took <= enough {
		return took
	}
	worked := s.clock.worked()
	took = min(took, worked-s.asked)
	s.asked = worked
	return took
}
