package port

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"
)

// Runs stores the record of each run, so that a run whose process died can be resumed. Safe for concurrent use.
type Runs interface {
	// Start returns the run of an event: a new one, or the one that an earlier attempt started. Its id is RunID of the
	// delivery. ErrLeaseLost if another worker has the event.
	Start(ctx context.Context, ev Event) (Run, error)
	// Record stores the outcome of a step under its name. It is an error if the run has recorded it already. ErrLeaseLost
	// if another worker has the event.
	Record(ctx context.Context, ev Event, run, name string, step Step) error
}

// Run is the stored record of a run.
type Run struct {
	// ID is 12 lower-case letters and digits, unique in the store.
	ID string
	// Started is when the run was first started.
	Started time.Time
	// Resumed means that an earlier attempt started the run. Set by Start alone.
	Resumed bool
	// Forgotten means that the server's retention has deleted from the steps what people and the model wrote, and all
	// lines of files.
	Forgotten bool
	// Steps are the recorded steps, by name.
	Steps map[string]Step
}

// Step is the recorded outcome of a step of a run.
type Step struct {
	// Version is the version of the form of Data, from 1. Package record knows the forms; a store keeps them as they are.
	Version int
	// Data is JSON.
	Data []byte
}

// RunID returns the id of the run of a delivery: 12 lower-case letters and digits, 60 bits of a hash. As it is known
// before the run is stored, the notice that an event is queued can be found again.
func RunID(delivery string) string {
	sum := sha256.Sum256([]byte("tenon run " + delivery))
	return strings.ToLower(base32.StdEncoding.EncodeToString(sum[:])[:12])
}

// IsRunID reports whether a text has the form of a run's id.
func IsRunID(id string) bool {
	other := strings.IndexFunc(id, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return len(id) == 12 && other < 0
}
