package view

import "github.com/tenon-bot/tenon/bot/record"

// Audience is shown runs while they go on. Its methods return at once, and are safe for concurrent use. Nothing that it
// is shown has secrets.
type Audience interface {
	// Watched reports whether somebody watches a run. What only watchers need, and costs time, is done only then.
	Watched(run string) bool
	// Said is called with the next whole lines of the model's reply to a call, counted from 1, in order.
	Said(run string, call int, lines string)
	// Tried is called, while the reply to a call arrives, with what would come of the edits that are planned so far, in
	// their order, before they are made.
	Tried(run string, call int, results []record.Result)
	// Recorded is called when the record of a run has another step, as named by record, and when an attempt at the run
	// begins, without a step.
	Recorded(run, step string)
	// Ended is called when the attempt at a run ends, whether or not there will be another.
	Ended(run string)
}

// Live is what an Audience has been shown of a run since its last recorded step. The zero value is that of a run that
// does nothing at the moment, or does it in another process.
type Live struct {
	// Call is the call of the model that goes on, from 1; 0 if none does.
	Call int
	// Text are the whole lines of its reply so far.
	Text string
	// Results are what would come of the edits that are planned so far, numbered as in the answer. There may be fewer than
	// blocks have arrived. They stay after the call, until there are others or the attempt ends.
	Results []record.Result
}

// Nobody is an audience of no one.
type Nobody struct{}

// Watched implements Audience.
func (Nobody) Watched(string) bool { return false }

// Said implements Audience.
func (Nobody) Said(string, int, string) {}

// Tried implements Audience.
func (Nobody) Tried(string, int, []record.Result) {}

// Recorded implements Audience.
func (Nobody) Recorded(string, string) {}

// Ended implements Audience.
func (Nobody) Ended(string) {}
