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

const (
	// reservedPerMinute and reservedPerHour are what is kept for acknowledgements, however many there are: all other
	// writes together leave them free.
	reservedPerMinute, reservedPerHour = 36, 50
	// noticesPerMinute and noticesPerHour are by the notices alone, which also have the limits of what is optional.
	noticesPerMinute, noticesPerHour = 4, 40
	// resultsOfCommand is how many writes are expected of a command: the commit and the answer. They are due within
	// expectedWithin of its acknowledgement, or will never be.
	resultsOfCommand = 2
	expectedWithin   = 2 * time.Minute
	// paceWindow is the time whose acknowledgements and results tell how many are to come within the hour.
	paceWindow = 10 * time.Minute
)

// waits reports whether a write of the class is of use when it is late.
func (c class) waits() bool { return c != optional && c != notice && c != early }

// spare returns how much of a minute and of an hour a write of the class leaves to the classes above, beyond what is
// expected of these.
func (c class) spare() (perMinute, perHour int) {
	switch c {
	case optional, notice:
		return 8, 40
	case early:
		return 4, 20
	}
	return 0, 0
}

// kind returns the kind under which writes of the class are logged.
func (c class) kind() port.WriteKind {
	switch c {
	case acknowledgement:
		return port.Acknowledgement
	case notice:
		return port.QueuedNotice
	case optional, early:
		return port.OptionalWrite
	}
	return port.OtherWrite
}

// wait returns how long a write of the class has to wait; 0 or less if it may be sent. A write that is no result may be
// sent only if no result would have to wait for it: those of the commands that were acknowledged, and of as many as
// came of late.
func (c class) wait(s port.PaceState) time.Duration {
	wait := max(s.Blocked,
		waitFor(s, s.Writes, time.Minute, writesPerMinute), waitFor(s, s.Writes, time.Hour, writesPerHour))
	if c == acknowledgement {
		return wait
	}
	others := only(s.Writes, func(w port.ContentWrite) bool { return w.Kind != port.Acknowledgement })
	perMinute, perHour := writesPerMinute-reservedPerMinute, writesPerHour-reservedPerHour
	wait = max(wait, waitFor(s, others, time.Minute, perMinute), waitFor(s, s.Writes, time.Hour, perHour))
	if c == result {
		return wait
	}
	spareMinute, spareHour := c.spare()
	expected := expectedResults(s)
	wait = max(wait, waitFor(s, others, time.Minute, perMinute-spareMinute-expected))
	if !lasts(s, perHour-spareHour-expected) {
		wait = max(wait, time.Minute)
	}
	if c == notice {
		notices := only(s.Writes, func(w port.ContentWrite) bool { return w.Kind == port.QueuedNotice })
		wait = max(wait, waitFor(s, notices, time.Minute, noticesPerMinute), waitFor(s, notices, time.Hour, noticesPerHour))
	}
	return wait
}

// waitFor returns how long it takes until a window has fewer than limit of some writes; if it never has, the window.
func waitFor(s port.PaceState, writes []port.ContentWrite, window time.Duration, limit int) time.Duration {
	switch {
	case limit <= 0:
		return window
	case len(writes) < limit:
		return 0
	}
	return writes[len(writes)-limit].At.Add(window + windowMargin).Sub(s.Now)
}

// only returns the writes that are wanted.
func only(writes []port.ContentWrite, wanted func(port.ContentWrite) bool) []port.ContentWrite {
	return slices.DeleteFunc(slices.Clone(writes), func(w port.ContentWrite) bool { return !wanted(w) })
}

// isResult reports whether a write is a commit or an answer.
func isResult(w port.ContentWrite) bool { return w.Kind == port.OtherWrite }

// expectedResults returns how many results of the commands that were acknowledged are still to be written.
func expectedResults(s port.PaceState) (n int) {
	for _, w := range s.Writes {
		switch {
		case s.Now.Sub(w.At) >= expectedWithin:
		case w.Kind == port.Acknowledgement:
			n += resultsOfCommand
		case isResult(w):
			n--
		}
	}
	return max(n, 0)
}

// lasts reports whether an hour has fewer than limit writes, now and at any time within the next, if acknowledgements
// and results go on at the pace of the last minutes.
func lasts(s port.PaceState, limit int) bool {
	recent := 0
	for _, w := range s.Writes {
		if s.Now.Sub(w.At) < paceWindow && (isResult(w) || w.Kind == port.Acknowledgement) {
			recent++
		}
	}
	for ahead := time.Duration(0); ahead <= time.Hour; ahead += paceWindow / 2 {
		n := recent * int(ahead) / int(paceWindow)
		for _, w := range s.Writes {
			if s.Now.Sub(w.At) < time.Hour+windowMargin-ahead {
				n++
			}
		}
		if n >= limit {
			return false
		}
	}
	return true
}
