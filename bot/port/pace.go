package port

import (
	"context"
	"time"
)

// Pace is the log of the content writes to GitHub, and of the pauses that GitHub asked for: one for all processes, by
// installation. Which writes may be sent is decided by package gh. Safe for concurrent use.
type Pace interface {
	// Write logs a write, unless wait returns more than 0 for what was written before. It returns what wait returned.
	// Calls for one installation are done one after another, whichever process they come from; wait must be quick.
	Write(ctx context.Context, installation int64, kind WriteKind, wait func(PaceState) time.Duration) (time.Duration,
		error)
	// Block lets nothing be sent for a time, which never shortens an earlier one.
	Block(ctx context.Context, installation int64, d time.Duration) error
	// Blocked returns for how long nothing may be sent; 0 or less if there is no such time.
	Blocked(ctx context.Context, installation int64) (time.Duration, error)
}

// PaceState is what is known when a write is to be sent.
type PaceState struct {
	// Now is the time by the log's clock.
	Now time.Time
	// Blocked is for how long nothing may be sent; 0 or less if there is no such time.
	Blocked time.Duration
	// Writes are those of the last PaceMemory, oldest first.
	Writes []ContentWrite
}

// PaceMemory is how long a Pace remembers a write: an hour, the longest of GitHub's windows, and a margin.
const PaceMemory = time.Hour + time.Minute

// ContentWrite is a write that was sent, or nearly.
type ContentWrite struct {
	At   time.Time
	Kind WriteKind
}

// WriteKind is what a write is for, where that matters to others. A Pace stores its number.
type WriteKind int

const (
	// OtherWrite is any other: a commit, an answer.
	OtherWrite WriteKind = iota
	// Acknowledgement told somebody that their command was received.
	Acknowledgement
	// QueuedNotice told somebody that their command waits.
	QueuedNotice
	// OptionalWrite is one that can be left out.
	OptionalWrite
)
