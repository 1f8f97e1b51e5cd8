package history

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

const (
	headSHA = "0123456789abcdef0123456789abcdef01234567"
	someSHA = "89abcdef0123456789abcdef0123456789abcdef"
)

var (
	errBroken = errors.New("the database is gone")
	morning   = time.Date(2026, 12, 1, 8, 0, 0, 0, time.UTC)
	lathe     = port.RepoRef{ID: 7, Owner: "acme", Name: "lathe"}
	onSpeed   = record.Target{Branch: "speed", SHA: headSHA, Pull: 12}
)

// queue is a store of runs, newest first.
type queue struct {
	port.ThreadQueue
	runs []port.PastRun
	err  error
}

func (q *queue) Past(_ context.Context, ev port.Event, most int) (past []port.PastRun, err error) {
	for _, r := range q.runs {
		if r.Event.ThreadKey() == ev.ThreadKey() && len(past) < most {
			past = append(past, r)
		}
	}
	return past, q.err
}

func (q *queue) FindRun(_ context.Context, id string) (port.Run, port.Event, error) {
	for _, r := range q.runs {
		if r.ID == id {
			return r.Run, r.Event, q.err
		}
	}
	return port.Run{}, port.Event{}, errors.Join(port.ErrNotFound, q.err)
}

// Start and Record make it a store to which a journal writes.
func (q *queue) Start(context.Context, port.Event) (port.Run, error) { return port.Run{}, errBroken }

func (q *queue) Record(_ context.Context, _ port.Event, run, name string, step port.Step) error {
	for _, r := range q.runs {
		if r.ID == run {
			r.Steps[name] = step
			return nil
		}
	}
	return port.ErrNotFound
}

// outcome is a step of a run with its outcome.
type outcome func(context.Context, *record.Journal) error

func did[T any](s record.Step[T], out T) outcome {
	return func(ctx context.Context, j *record.Journal) error { return record.Put(ctx, j, s, out) }
}

// add adds a run that is newer than all others, of a command on the pull request or issue of the given number.
func (q *queue) add(t *testing.T, id string, number int, command string, outcomes ...outcome) {
	t.Helper()
	ev := port.Event{Kind: port.IssueComment, Repo: lathe, Thread: port.Thread{Number: number, Pull: number == 12}}
	ev.Comment.Body = command
	run := port.Run{ID: id, Started: morning.Add(time.Duration(len(q.runs)) * time.Minute), Steps: map[string]port.Step{}}
	q.runs = append([]port.PastRun{{Run: run, Event: ev}}, q.runs...)
	j, err := record.NewJournal(q, ev, run)
	require.NoError(t, err)
	for _, put := range outcomes {
		require.NoError(t, put(t.Context(), j))
	}
}

// damage makes a step of a run unreadable.
func (q *queue) damage(id, step string) {
	for _, r := range q.runs {
		if r.ID == id {
			r.Steps[step] = port.Step{Version: 1, Data: []byte(`{"broken`)}
		}
	}
}

// thread is the history of the pull request, and of the runs that were skipped.
func (q *queue) thread() (h Thread, skipped *[]string) {
	skipped = &[]string{}
	ev := port.Event{Repo: lathe, Thread: port.Thread{Number: 12, Pull: true}}
	return Thread{Queue: q, Event: ev, Skipped: func(run string, err error) {
		if err == nil {
			run += ", without a reason"
		}
		*skipped = append(*skipped, run)
	}}, skipped
}

// committed is the result of a commit of results.
func committed(results ...record.Result) record.Committed {
	return record.Committed{
		SHA: someSHA, Subject: "fix: it",
		Application: record.Application{Base: headSHA, Results: results, Changed: []string{"a.go"}},
	}
}
