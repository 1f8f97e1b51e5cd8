package store

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot"
)

// Bounds of what is stored.
const (
	// MaxEvent is the size of an event as JSON, in bytes. GitHub's comments end at 65,536 characters, which JSON can
	// spell with six bytes each; an edited comment brings two, a review comment a piece
	// of a diff besides.
	MaxEvent = 1 << 20
	// MaxStep is the size of a step's record, in bytes.
	MaxStep = 8 << 20
	// maxName bounds a delivery id (GitHub's have 36 characters) and the name of a step.
	maxName = 100
	// maxError bounds the text of a failure, in bytes.
	maxError = 2000
)

// The forms of records that this program writes. A program reads the forms of all its forerunners: whoever raises one
// of these adds to decodeEvent or decodeStep how the former one is read.
const (
	eventVersion = 1
	stepVersion  = 1
)

// recordError says that a record cannot be stored or read, now or later.
type recordError struct{ text string }

func (e *recordError) Error() string { return e.text }

// Permanent tells the queue that a retry is no use.
func (e *recordError) Permanent() bool { return true }

// row is an event as a row of the table.
type row struct {
	seq          int64
	delivery     string
	thread       string
	installation int64
	version      int
	body         string
	aside        bool
	state        string
	lease        string
	lastError    string
	waited       bool
	cancelledIn  string
	cancelledBy  string
}

// cancelled is nil for an event that nobody cancelled.
func (r row) cancelled() *bot.CancelledError {
	if r.cancelledIn == "" {
		return nil
	}
	return &bot.CancelledError{By: r.cancelledBy}
}

// encodeEvent refuses what could not be handled later.
func encodeEvent(ev bot.Event) (row, error) {
	if !isName(ev.Delivery) {
		return row{}, &recordError{fmt.Sprintf("the delivery id %.40q is no plain text of 1 to %d characters", ev.Delivery, maxName)}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false) // nobody shows it to a browser, and it would be longer
	if err := enc.Encode(ev); err != nil {
		return row{}, &recordError{"encoding the event: " + err.Error()}
	}
	if buf.Len() > MaxEvent {
		return row{}, &recordError{fmt.Sprintf("the event has %d bytes, more than the %d that the queue takes", buf.Len(), MaxEvent)}
	}
	return row{
		delivery:     ev.Delivery,
		thread:       ev.ThreadKey(),
		installation: ev.Repo.Installation,
		aside:        ev.Aside,
		version:      eventVersion,
		body:         strings.TrimSuffix(buf.String(), "\n"),
	}, nil
}

// decodeEvent reads what encodeEvent of this program or of an older one wrote. The key is compared with the row's, as
// work in another's name would be worse than none.
func decodeEvent(r row) (bot.Event, error) {
	if r.version < 1 || r.version > eventVersion {
		return bot.Event{}, unknownVersion("event "+r.delivery, r.version, eventVersion)
	}
	var ev bot.Event
	if err := json.Unmarshal([]byte(r.body), &ev); err != nil {
		return bot.Event{}, &recordError{fmt.Sprintf("the stored event %s is damaged: %v", r.delivery, err)}
	}
	if ev.Delivery != r.delivery || ev.ThreadKey() != r.thread || ev.Repo.Installation != r.installation {
		return bot.Event{}, &recordError{fmt.Sprintf("the stored event %s is damaged: it names another delivery, thread or installation than its row", r.delivery)}
	}
	return ev, nil
}

// decodeStep reads the record of a step.
func decodeStep(step string, version int, data string) ([]byte, error) {
	if version < 1 || version > stepVersion {
		return nil, unknownVersion("step "+step, version, stepVersion)
	}
	return []byte(data), nil
}

func unknownVersion(what string, version, known int) error {
	return &recordError{fmt.Sprintf("the record of %s has form %d, this program knows 1 to %d: run the version of tenon that wrote it, or a later one", what, version, known)}
}

// isName tells whether s is short, printable ASCII.
func isName(s string) bool {
	notPrintable := func(r rune) bool { return r <= ' ' || r > '~' }
	return s != "" && len(s) <= maxName && !strings.ContainsFunc(s, notPrintable)
}

// errorText is what the database keeps of an error.
func errorText(err error) string {
	if err == nil {
		return ""
	}
	text := err.Error()
	text = strings.ReplaceAll(text[:min(len(text), maxError)], "\x00", "")
	return strings.ToValidUTF8(text, "") // a character may be cut in two
}
