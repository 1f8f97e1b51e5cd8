package storetest

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"

	"github.com/rogpeppe/go-internal/txtar"
	_ "modernc.org/sqlite" // the driver
)

// RecordedEvent is a row of the table events but for its body: what a stored event is read with.
type RecordedEvent struct {
	Delivery     string `json:"delivery"`
	Thread       string `json:"thread"`
	Installation int64  `json:"installation"`
	Version      int    `json:"version"`
	State        string `json:"state"`
	Attempts     int    `json:"attempts"`
	Error        string `json:"error,omitempty"`
	Aside        int    `json:"aside,omitempty"`
	Waited       int    `json:"waited,omitempty"`
	CancelledIn  string `json:"cancelled_in,omitempty"`
	CancelledBy  string `json:"cancelled_by,omitempty"`
	// Accepted is in milliseconds since 1970, UTC.
	Accepted int64 `json:"accepted"`
}

// RecordedRun is a row of the table runs, with those of its steps but for their data, in the order in which they were
// recorded.
type RecordedRun struct {
	ID string `json:"id"`
	// Started is in milliseconds since 1970, UTC.
	Started int64          `json:"started"`
	Steps   []RecordedStep `json:"steps"`
}

// RecordedStep is a row of the table run_steps but for its data.
type RecordedStep struct {
	Step     string `json:"step"`
	Version  int    `json:"version"`
	Recorded int64  `json:"recorded"`
}

// Recorded returns what the database in a data folder has of all events, in the order of their acceptance, but for
// those that follow a commit, which record nothing and sleep for a day. It reports whether all of them are done with.
// The files of event N are:
//
//	N/row.json        a RecordedEvent
//	N/event.json      the stored bytes of the event
//	N/run.json        a RecordedRun, if the run was begun
//	N/step/NAME.json  the stored bytes of each step
func Recorded(ctx context.Context, dir string) (files []txtar.File, done bool, err error) {
	file := url.URL{Scheme: "file", OmitHost: true, Path: filepath.ToSlash(filepath.Join(dir, "tenon.db"))}
	db, err := sql.Open("sqlite", file.String()+"?"+url.Values{"_pragma": {"busy_timeout(10000)"}}.Encode())
	if err != nil {
		return nil, false, fmt.Errorf("opening the database in %s: %w", dir, err)
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return nil, false, fmt.Errorf("reading the database in %s: %w", dir, err)
	}
	defer func() { _ = tx.Rollback() }() // nothing was written
	files, done, err = recordedEvents(ctx, tx)
	if err != nil {
		return nil, false, fmt.Errorf("reading the database in %s: %w", dir, err)
	}
	return files, done, nil
}

func recordedEvents(ctx context.Context, tx *sql.Tx) (files []txtar.File, done bool, err error) {
	rows, err := tx.QueryContext(ctx, `
SELECT delivery, thread, installation, version, state, attempts, error,
	aside, waited, cancelled_in, cancelled_by, accepted, body
FROM events WHERE aside <> 2 ORDER BY seq`)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = rows.Close() }()
	done = true
	for n := 1; rows.Next(); n++ {
		var e RecordedEvent
		var body string
		if err := rows.Scan(&e.Delivery, &e.Thread, &e.Installation, &e.Version, &e.State, &e.Attempts, &e.Error,
			&e.Aside, &e.Waited, &e.CancelledIn, &e.CancelledBy, &e.Accepted, &body); err != nil {
			return nil, false, err
		}
		done = done && (e.State == "done" || e.State == "parked")
		row, err := recordedFile(fmt.Sprintf("%d/row.json", n), e)
		if err != nil {
			return nil, false, err
		}
		run, err := recordedRun(ctx, tx, n, e.Delivery)
		if err != nil {
			return nil, false, err
		}
		files = append(files, row, txtar.File{Name: fmt.Sprintf("%d/event.json", n), Data: []byte(body + "\n")})
		files = append(files, run...)
	}
	return files, done, rows.Err()
}

// recordedRun returns the files of the run of a delivery, none if it was not begun.
func recordedRun(ctx context.Context, tx *sql.Tx, n int, delivery string) ([]txtar.File, error) {
	rows, err := tx.QueryContext(ctx, `
SELECT r.id, r.started, coalesce(s.step, ''), coalesce(s.version, 0), coalesce(s.recorded, 0), coalesce(s.data, '')
FROM runs r LEFT JOIN run_steps s ON s.run = r.id WHERE r.delivery = $1 ORDER BY s.recorded, s.rowid`, delivery)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	run := RecordedRun{Steps: []RecordedStep{}}
	var steps []txtar.File
	for rows.Next() {
		var s RecordedStep
		var data string
		if err := rows.Scan(&run.ID, &run.Started, &s.Step, &s.Version, &s.Recorded, &data); err != nil {
			return nil, err
		}
		if s.Step == "" { // the run was begun, and nothing recorded
			continue
		}
		run.Steps = append(run.Steps, s)
		steps = append(steps, txtar.File{Name: fmt.Sprintf("%d/step/%s.json", n, s.Step), Data: []byte(data + "\n")})
	}
	if err := rows.Err(); err != nil || run.ID == "" {
		return nil, err
	}
	head, err := recordedFile(fmt.Sprintf("%d/run.json", n), run)
	return append([]txtar.File{head}, steps...), err
}

func recordedFile(name string, value any) (txtar.File, error) {
	data, err := json.Marshal(value)
	return txtar.File{Name: name, Data: append(data, '\n')}, err
}
