package gh

import (
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// GitHub's secondary limits: "no more than 80 content-generating requests per minute and no more than 500
// content-generating requests per hour" (rate limits of the REST API). Which requests those are is not documented.
// Here, all writes count.
const (
	writesPerMinute = 80
	writesPerHour   = 500
	// windowMargin is added to a window, because requests take different times to arrive.
	windowMargin = time.Second
)

// class is how much a request matters. When many commands come at once, the limits are not enough for all that would be
// written about them, and what matters less is left out.
type class int

const (
	// reads write nothing.
	reads class = iota
	// optional are writes that add nothing to the answer: progress, check runs, reactions to the result of a command.
	// They do not wait.
	optional
	// notice says that a command waits, which the run's answer replaces. It does not wait, and has a part of the limits
	// of its own.
	notice
	// early is an answer before there is a result, which can be written later at once. It does not wait.
	early
	// result are the commit and the answer.
	result
	// acknowledgement tells people that their command was received.
	acknowledgement
)

// The limits of the classes, by the writes of the last minute and hour. Each leaves room for the classes above.
const (
	optionalPerMinute, optionalPerHour = 24, 250
	earlyPerMinute, earlyPerHour       = 32, 350
	// noticesPerMinute and noticesPerHour are by the notices alone, which also have the limits of what is optional.
	noticesPerMinute, noticesPerHour = 4, 40
	// reservedPerMinute is what is kept for acknowledgements, less those that were sent within reserveWindow: the results
	// of these are still to be written.
	reservedPerMinute = 40
	reserveWindow     = 5 * time.Minute
	reservedPerHour   = 50
)

// waits reports whether a write of the class is of use when it is late.
func (c class) waits() bool { return c != optional && c != notice && c != early }

// kind returns the kind under which writes of the class are logged.
func (c class) kind() port.WriteKind {
	switch c {
	case acknowledgement:
		return port.Acknowledgement
	case notice:
		return port.QueuedNotice
	}
	return port.OtherWrite
}

// wait returns how long a write of the class has to wait; 0 or less if it may be sent.
func (c class) wait(s port.PaceState) time.Duration {
	wait := max(s.Blocked,
		waitFor(s, s.Writes, time.Minute, writesPerMinute), waitFor(s, s.Writes, time.Hour, writesPerHour))
	if c == acknowledgement {
		return wait
	}
	acknowledgements, others := split(s)
	reserved := max(0, reservedPerMinute-acknowledgements)
	wait = max(wait, waitFor(s, others, time.Minute, writesPerMinute-reserved),
		waitFor(s, s.Writes, time.Hour, writesPerHour-reservedPerHour))
	switch c {
	case early:
		wait = max(wait, waitFor(s, s.Writes, time.Minute, earlyPerMinute), waitFor(s, s.Writes, time.Hour, earlyPerHour))
	case notice:
		notices := noticesAmong(s.Writes)
		wait = max(wait, optional.wait(s), waitFor(s, notices, time.Minute, noticesPerMinute),
			waitFor(s, notices, time.Hour, noticesPerHour))
	case optional:
		wait = max(wait,
			waitFor(s, s.Writes, time.Minute, optionalPerMinute), waitFor(s, s.Writes, time.Hour, optionalPerHour))
	}
	return wait
}

// waitFor returns how long it takes until a window has fewer than limit of some writes.
func waitFor(s port.PaceState, writes []port.ContentWrite, window time.Duration, limit int) time.Duration {
	if len(writes) < limit {
		return 0
	}
	return writes[len(writes)-limit].At.Add(window + windowMargin).Sub(s.Now)
}

// noticesAmong returns the writes that said that a command waits.
func noticesAmong(writes []port.ContentWrite) []port.ContentWrite {
	return slices.DeleteFunc(slices.Clone(writes),
		func(w port.ContentWrite) bool { return w.Kind != port.QueuedNotice })
}

// split returns the number of acknowledgements within reserveWindow, and all writes that are none.
func split(s port.PaceState) (acknowledgements int, others []port.ContentWrite) {
	for _, w := range s.Writes {
		switch {
		case w.Kind != port.Acknowledgement:
			others = append(others, w)
		case s.Now.Sub(w.At) < reserveWindow:
			acknowledgements++
		}
	}
	return acknowledgements, others
}
