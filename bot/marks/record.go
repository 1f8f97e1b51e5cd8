package marks

import (
	"bytes"
	"compress/flate"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// Bounds on what is in a mark.
const (
	// maxText is how long it may be before it is compressed, in bytes.
	maxText = 8 << 20
	// maxKeptComment bounds the text of a command whose sources did not fit, in bytes.
	maxKeptComment = 4000
)

// Run is a run that a mark tells of.
type Run struct {
	// Run has the steps that later commands need, but for those that say where the answer is.
	port.PastRun
	// At is when the answer got its final form; zero if it never did.
	At time.Time
	// Offer reports that the comment of the mark is the offer of a pull request, not the answer.
	Offer bool
}

// text is what is sealed.
type text struct {
	Started   time.Time       `json:"started"`
	Event     port.Event      `json:"event"`
	Forgotten bool            `json:"forgotten,omitempty"`
	At        time.Time       `json:"at,omitzero"`
	Offer     bool            `json:"offer,omitempty"`
	Steps     map[string]step `json:"steps"`
}

type step struct {
	Version int             `json:"v"`
	Data    json.RawMessage `json:"d"`
}

// Kept says how much of a record is in its mark.
type Kept int

// The amounts, from all that later commands read down to nothing.
const (
	KeptAll Kept = iota
	// KeptEdits is without what only explains why an edit did not fit.
	KeptEdits
	// KeptFigures is what a server keeps whose retention has deleted the sources: nothing can be applied or tried again.
	KeptFigures
	// KeptCommit is the commit alone.
	KeptCommit
	KeptNothing
)

// String returns what is kept in a few words.
func (k Kept) String() string {
	names := []string{"all", "the edits", "the figures", "the commit", "nothing"}
	if int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprint(int(k))
}

// Seal returns the mark of a run in at most room characters, with as much of the record as fits; empty if nothing does
// (KeptNothing), or if there is nothing that later commands need (KeptAll).
func (k *Key) Seal(rec record.Record, run Run, room int) (mark string, kept Kept, err error) {
	run.Event = slim(run.Event)
	for kept := KeptAll; kept < KeptNothing; kept++ {
		stored, ok, err := reduced(rec, kept)
		if err != nil {
			return "", KeptNothing, err
		}
		switch {
		case !ok && kept == KeptAll:
			return "", KeptAll, nil // there is nothing to keep
		case !ok:
			continue
		}
		run.Run, run.Event = stored, shortened(run.Event, kept)
		packed, fits, err := pack(run)
		if err != nil {
			return "", KeptNothing, err
		}
		if mark := k.seal(PlaceOf(run.Event), rec.ID, packed); fits && len(mark) <= room {
			return mark, kept, nil
		}
	}
	return "", KeptNothing, nil
}

// reduced returns as much of a record as is to be kept; ok is false if that is nothing.
func reduced(rec record.Record, kept Kept) (run port.Run, ok bool, err error) {
	rec = record.ForLater(rec)
	switch kept {
	case KeptEdits:
		rec = record.WithoutQuotes(rec)
	case KeptCommit:
		if rec, ok = record.OnlyCommit(rec); !ok {
			return port.Run{}, false, nil
		}
	}
	rec.Final, rec.Offer = nil, nil // the comment tells them
	run, err = record.Store(rec)
	if kept == KeptFigures {
		run = record.ForgetAll(run)
	}
	return run, len(run.Steps) > 0, err
}

// slim returns an event without what only its own run reads. Of ticked boxes it keeps which ones they were, not the
// comment around them, which has marks itself.
func slim(ev port.Event) port.Event {
	if ev.Kind == port.Ticked {
		ev.Comment.Body = tickedBoxes(ev)
	}
	ev.Before, ev.Comment.Hunk, ev.Signed = "", "", ""
	return ev
}

func tickedBoxes(ev port.Event) string {
	var b strings.Builder
	if run, revision, ok := markdown.ResolveRun(ev.Comment.Body); ok {
		for _, n := range markdown.NewTicks(ev.Before, ev.Comment.Body) {
			id, choice := markdown.ChosenBy(n)
			b.WriteString(markdown.ChoiceBox(id, choice, true, "") + "\n")
		}
		return b.String() + "\n" + markdown.ResolveMarker(run, revision)
	}
	run, ok := markdown.PreviewRun(ev.Comment.Body)
	if !ok {
		return ""
	}
	for _, n := range markdown.NewTicks(ev.Before, ev.Comment.Body) {
		b.WriteString(markdown.Box(n, true, "") + "\n")
	}
	return fmt.Sprintf("%s\n<!-- tenon:preview=%s -->", &b, run)
}

// shortened returns an event without long texts if the sources are not kept.
func shortened(ev port.Event, kept Kept) port.Event {
	if kept < KeptFigures {
		return ev
	}
	ev.Thread.Text, ev.Thread.Title = nil, ""
	if len(ev.Comment.Body) > maxKeptComment {
		ev.Comment.Body = ""
	}
	return ev
}

// pack returns what is sealed of a run; fits is false if Open would find it too long.
func pack(r Run) (packed []byte, fits bool, err error) {
	t := text{Started: r.Started, Event: r.Event, Forgotten: r.Forgotten, At: r.At, Offer: r.Offer,
		Steps: map[string]step{}}
	for name, s := range r.Steps {
		t.Steps[name] = step{s.Version, s.Data}
	}
	data, err := json.Marshal(t)
	if err != nil {
		return nil, false, fmt.Errorf("storing run %s: %w", r.ID, err)
	}
	if len(data) > maxText {
		return nil, false, nil
	}
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err == nil {
		_, err = w.Write(data)
	}
	if err == nil {
		err = w.Close()
	}
	return b.Bytes(), err == nil, err
}

var errDamaged = errors.New("it is damaged")

// Open returns the run of a mark. It returns ErrForeign if the mark was not sealed with the key for the place.
func (k *Key) Open(at Place, m Mark) (Run, error) {
	packed, err := k.open(at, m)
	if err != nil {
		return Run{}, err
	}
	r := io.LimitReader(flate.NewReader(bytes.NewReader(packed)), maxText+1)
	data, err := io.ReadAll(r)
	if err != nil || len(data) > maxText {
		return Run{}, errDamaged
	}
	var t text
	if err := json.Unmarshal(data, &t); err != nil {
		return Run{}, fmt.Errorf("%w: %w", errDamaged, err)
	}
	run := Run{At: t.At, Offer: t.Offer}
	run.ID, run.Started, run.Forgotten, run.Event = m.Run, t.Started, t.Forgotten, t.Event
	run.Steps = map[string]port.Step{}
	for name, s := range t.Steps {
		run.Steps[name] = port.Step{Version: s.Version, Data: s.Data}
	}
	return run, nil
}

// Answered returns the run with the steps that say where its answer is: in the comment of its mark.
func (r Run) Answered(c port.Comment) (port.PastRun, error) {
	past := r.PastRun
	where := record.AnswerOf(c)
	where.At = r.At
	add := record.Record{ID: r.ID}
	switch {
	case r.Offer:
		where.At = time.Time{}
		add.Offer = &where
	case !r.At.IsZero():
		add.Final = &where
	}
	stored, err := record.Store(add)
	if err != nil {
		return past, err
	}
	steps := map[string]port.Step{}
	for _, from := range []map[string]port.Step{past.Steps, stored.Steps} {
		for name, s := range from {
			steps[name] = s
		}
	}
	past.Steps = steps
	return past, nil
}
