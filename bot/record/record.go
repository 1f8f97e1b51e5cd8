// Package record is the record of a run: the outcome of each of its steps, in a form that later versions of the
// program read. A run that died goes on from its record, and later commands of the thread read it.
package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Record is the record of one run. A field is nil, empty or false when the run has not recorded that step.
type Record struct {
	// ID is the run's, Started when it was started.
	ID      string
	Started time.Time
	// Resumed reports whether an earlier attempt started the run: it may have written what its record does not show.
	Resumed bool
	// Forgotten reports whether the sources are deleted from the steps, as by Forget.
	Forgotten bool

	// Target is the branch that the run works on, Answer the comment that it answers with.
	Target *Target
	Answer *AnswerComment
	// Waiting is what the answer said that the run waits for.
	Waiting *string
	// Check is the id of the check run on the commit that is worked on, 0 if GitHub took none; CheckClosed that of the
	// check run that tells the end.
	Check, CheckClosed *int64
	// FileChoice is what the model chose to be shown; nil if it was not asked to choose.
	FileChoice *FileChoice
	// Prompt is what the model was asked first after that, Turns the calls of the model from then on.
	Prompt *Prompt
	Turns  []Turn
	// Preview is what the edits of a preview would do.
	Preview *Preview

	// Retry, Source, Choice, Undo, Operations and Merge are what a retry, an apply, an undo, a run and an update take up.
	Retry      *Retry
	Source     *Source
	Choice     *Choice
	Undo       *Commit
	Operations *Operations
	Merge      *Merge
	// Resolutions are how far the conflicts of the merge are settled, in order.
	Resolutions []Resolution

	// Backport is what a backport replays. Picks and Backports are what it made for each branch, in the order of these,
	// SettledPicks the conflicts of those branches that have any.
	Backport     *Backport
	SettledPicks []SettledPicks
	Picks        []Picked
	Backports    []PickedPull

	// Committing reports whether the run is past its point of no return: it can no longer be cancelled.
	Committing bool
	// Applications are the applications of the edits, one for each tip of the branch that was tried.
	Applications []Application
	// Verifications are the states of the tests of the edits by a workflow, in order.
	Verifications []Verification
	Committed     *Committed
	// Sums are the SHA-256 of the files that a commit of a preview's edits left, in hexadecimal, by path.
	Sums map[string]string
	// Pull is the target once it has a pull request.
	Pull *Target
	// Seen tells which edits that were left out the answer showed whole.
	Seen *Shown
	// Offer is the comment with the box that opens a pull request with the edits.
	Offer *AnswerComment
	// Suggested is the review with suggestions; its comment is 0 if GitHub took none.
	Suggested *AnswerComment
	// Final is the answer in its final form.
	Final *AnswerComment
	// ThreadAnswers are the answers in review threads, by the thread's first comment.
	ThreadAnswers map[int64]AnswerComment
}

// UnreadableError is the error for a run whose record this program cannot read.
type UnreadableError struct {
	Run, Step string
	Err       error
}

func (e *UnreadableError) Error() string {
	return fmt.Sprintf("reading step %s of run %s: %v", e.Step, e.Run, e.Err)
}

// Unwrap returns the cause.
func (e *UnreadableError) Unwrap() error { return e.Err }

// Permanent reports that another attempt would fail too.
func (e *UnreadableError) Permanent() bool { return true }

// Load reads the record of a run. It returns an *UnreadableError if the run has a step that this program does not
// know, in a version that it does not know, or that is damaged.
func Load(run port.Run) (Record, error) {
	l := loader{run: run, read: map[string]bool{}}
	l.rec = Record{ID: run.ID, Started: run.Started, Resumed: run.Resumed, Forgotten: run.Forgotten}
	for _, s := range steps {
		l.take(s)
	}
	for n := 1; l.take(Asked(n)); n++ {
	}
	for n := 1; l.take(Applied(n)); n++ {
	}
	for n := 1; l.take(Verified(n)); n++ {
	}
	for n := 1; l.take(Resolved(n)); n++ {
	}
	for n := 1; l.take(PicksSettled(n)); n++ {
	}
	for n := 1; l.take(PicksMade(n)); n++ {
	}
	for n := 1; l.take(BackportOpened(n)); n++ {
	}
	for name := range run.Steps {
		if id, ok := strings.CutPrefix(name, threadPrefix); ok {
			comment, _ := strconv.ParseInt(id, 10, 64) // another name than its own is not taken
			l.take(AnsweredThread(comment))
		}
	}
	for name := range run.Steps {
		if l.err == nil && !l.read[name] {
			l.err = &UnreadableError{run.ID, name, errors.New("this program knows no such step, or one before it is missing")}
		}
	}
	if l.err != nil {
		return Record{}, l.err
	}
	return l.rec, nil
}

// Header returns what can be told of a run whose steps cannot be read: its id, when it started, and whether it is past
// its point of no return.
func Header(run port.Run) Record {
	return Record{ID: run.ID, Started: run.Started, Resumed: run.Resumed, Forgotten: run.Forgotten,
		Committing: Committing.In(run)}
}

// loader fills a record step by step, until the first error.
type loader struct {
	run  port.Run
	read map[string]bool // by the names under which they are stored
	rec  Record
	err  error
}

// take loads a step, and reports whether there is one to load.
func (l *loader) take(s loadable) bool {
	name, ok := storedAs(l.run, s.stepName())
	if !ok || l.err != nil {
		return false
	}
	l.read[name] = true
	if err := s.load(&l.rec, l.run.Steps[name]); err != nil {
		l.err = &UnreadableError{l.rec.ID, s.stepName(), err}
	}
	return true
}

func decode[T any](stored port.Step, version int) (out T, err error) {
	if stored.Version < 1 || stored.Version > version {
		return out, fmt.Errorf("it has version %d, and this program knows 1 to %d: run the version of tenon that wrote it, "+
			"or a later one", stored.Version, version)
	}
	err = json.Unmarshal(stored.Data, &out)
	return out, err
}
