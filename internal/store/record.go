package store

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/text"
)

// Bounds of what is stored.
const (
	// MaxEvent is the largest size of an event as JSON, in bytes. A comment on GitHub has at most 65,536 characters, each
	// up to six bytes in JSON. The event of an edited comment contains two texts, that of a review comment also a part of
	// the diff.
	MaxEvent = 1 << 20
	// MaxStep is the largest size of a step's record, in bytes.
	MaxStep = 8 << 20
	// maxName bounds a delivery id (GitHub's have 36 characters) and the name of a step, in bytes.
	maxName = 100
	// maxError bounds the text of an error, in bytes.
	maxError = 2000
)

// eventVersion is the version of an event's JSON that this program writes. A program reads those of all earlier
// programs: whoever increments it adds to decodeEvent how the previous version is read. Before version 4, an event did
// not tell the head of a pull request and whether its repository is private, what was signed, nor the App through which
// its comment was written; before version 5, it followed no commit; before version 6, its button was not on a page;
// before version 7, there was no check run to be made later; before version 8, it said again whether it is immediate,
// which its lane says; before version 9, it had no labels of a merged pull request.
const eventVersion = 9

// versionOf returns the version of an event's JSON: the lowest one whose programs can handle it, so that processes of
// the previous version can, which may run beside this one during an upgrade. They claim an immediate event at once,
// too, and then let it wait for a processor as they do others.
func versionOf(ev port.Event) int {
	switch {
	case len(ev.Labels) > 0:
		return 9
	case ev.Followed == nil || ev.Followed.Check == nil:
		return 6
	}
	return 7
}

// recordError is the error for a record that can never be stored or read.
type recordError struct{ text string }

func (e *recordError) Error() string { return e.text }

// Permanent tells the queue that a retry would fail too.
func (e *recordError) Permanent() bool { return true }

// row is an event as a row of the table.
type row struct {
	delivery     string
	thread       string
	installation int64
	version      int
	body         string
	lane         lane
	origin       string
	sender       int64 // known of events to be accepted only, as is closed
	closed       bool
	state        string
	lease        string
	waitsFor     string
	gaveUp       string
	attempts     int
	waited       bool
	acknowledged int
	cancelledIn  string
	cancelledBy  string
}

// cancelled returns nil for an event that nobody cancelled.
func (r row) cancelled() *port.CancelledError {
	if r.cancelledIn == "" {
		return nil
	}
	return &port.CancelledError{By: r.cancelledBy}
}

// encodeEvent returns an error for an event that a database would refuse or that could not be handled later.
func encodeEvent(ev port.Event) (row, error) {
	if !isName(ev.Delivery) {
		return row{}, &recordError{fmt.Sprintf("the delivery id %.40q is not plain text of 1 to %d characters",
			ev.Delivery, maxName)}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // it would only make the text longer
	if err := enc.Encode(ev); err != nil {
		return row{}, &recordError{"encoding the event: " + err.Error()}
	}
	if buf.Len() > MaxEvent {
		return row{}, &recordError{fmt.Sprintf("the event has %d bytes, more than the %d that the queue accepts",
			buf.Len(), MaxEvent)}
	}
	return row{
		delivery:     ev.Delivery,
		thread:       ev.ThreadKey(),
		installation: ev.Repo.Installation,
		lane:         laneOf(ev),
		origin:       ev.Origin(),
		sender:       ev.Sender.ID,
		closed:       ev.Kind == port.Closed,
		version:      versionOf(ev),
		body:         strings.TrimSuffix(buf.String(), "\n"),
	}, nil
}

// decodeEvent reads what encodeEvent of this program or of an older one wrote. It returns an error if the event's keys
// are not those of the row: an event handled for another thread or installation would be worse than one not handled.
func decodeEvent(r row) (port.Event, error) {
	if r.version < 1 || r.version > eventVersion {
		return port.Event{}, unknownVersion("event "+r.delivery, r.version, eventVersion)
	}
	var ev port.Event
	if err := json.Unmarshal([]byte(r.body), &ev); err != nil {
		return port.Event{}, &recordError{fmt.Sprintf("the stored event %s is damaged: %v", r.delivery, err)}
	}
	if ev.Delivery != r.delivery || ev.ThreadKey() != r.thread || ev.Repo.Installation != r.installation {
		return port.Event{}, &recordError{fmt.Sprintf("the stored event %s is damaged: "+
			"it names another delivery, thread or installation than its row", r.delivery)}
	}
	ev.Immediate = r.lane == immediateLane
	return ev, nil
}

func unknownVersion(name string, version, known int) error {
	return &recordError{fmt.Sprintf("the record of %s has version %d, this program knows 1 to %d: "+
		"run the version of tenon that wrote it, or a later one", name, version, known)}
}

// isName reports whether s is short, printable ASCII without blanks.
func isName(s string) bool {
	notPrintable := func(r rune) bool { return r <= ' ' || r > '~' }
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, notPrintable)
}

// errorText returns the text of an error as the database stores it.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	return plainText(err.Error())
}

// plainText returns the beginning of a text without what PostgreSQL refuses.
func plainText(s string) string {
	return strings.ToValidUTF8(strings.ReplaceAll(text.Cut(s, maxError), "\x00", ""), "")
}

// queryRows reads rows of the columns that rowColumns names.
func queryRows(ctx context.Context, tx tx, query string, args ...any) ([]row, error) {
	return collect(ctx, tx, func(rows *sql.Rows) (r row, err error) {
		err = rows.Scan(&r.delivery, &r.thread, &r.installation, &r.version, &r.body, &r.lane, &r.state, &r.lease,
			&r.waitsFor, &r.cancelledBy)
		return r, err
	}, query, args...)
}

// The states of an event, as the database names them.
const (
	stateReady      = "ready"
	stateLeased     = "working"
	stateDone       = "done"
	stateDeadLetter = "parked"
)
