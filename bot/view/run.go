package view

import (
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Run is what a page shows of a run. Texts are without secrets and otherwise as people and models wrote them: whoever
// shows them escapes them.
type Run struct {
	ID       string
	Delivery string
	State    State
	// Outcome and Reason are those of a run that has ended; empty for one that has not, and where they are not known. Why
	// says in a sentence why it ended so, or what a run waits for that goes on; empty if there is nothing to say.
	Outcome port.EndOutcome
	Reason  port.EndReason
	Why     string
	// Caution says in one line what of the edits deserves a look; empty if nothing does.
	Caution string
	// Forgotten means that retention has deleted what people and the model wrote, and all lines of files.
	Forgotten bool
	// Hidden means that the same was left out because the visitor may not read the repository.
	Hidden bool

	Request Request
	Counts  Counts
	// Replies are those of the model, in order; the last may still be arriving.
	Replies []Reply
	// Blocks are the edits in the order of the answer, numbered as there.
	Blocks      []Block
	Suggestions []string
	Problems    []string
	// Saw is what the model was shown, LeftOut what was meant and not shown.
	Saw     []File
	LeftOut []File
	Commit  *Commit
	Costs   Costs
	// Timeline are the steps of the run and the requests to the model, in the order of their ends.
	Timeline []Moment
	// Acts are what can be done with the run now, by somebody with the permission.
	Acts []Act
}

// State is where a run is.
type State string

// The states of a run.
const (
	Waiting    State = "waiting"
	Running    State = "running"
	Sleeping   State = "sleeping"
	DeadLetter State = "dead letter"
	Ended      State = "ended"
)

// Request is who asked for a run, where, and for what.
type Request struct {
	Person string
	Repo   port.RepoRef
	Thread port.Thread
	Kind   port.EventKind
	Verb   string
	// On is the run on whose page it was asked for; empty if it was not on a page.
	On string
	// Text is what was written, URL its page on GitHub, AnswerURL that of the answer; empty if there is none.
	Text, URL, AnswerURL string
	Received, Started    time.Time
	// Ended is zero for a run that has not.
	Ended time.Time
}

// Counts count blocks by what became of them. New are those that have not been tried.
type Counts struct{ Applied, Failed, Skipped, New int }

// Reply is one reply of the model.
type Reply struct {
	// Call is which, from 1. Kind is what it was asked for, in a few words.
	Call int
	Kind string
	// Model is the name of the model that answered.
	Model string
	// Text is the reply as it was written.
	Text string
	// Arriving means that more is to come, Cut that it ends early. Fault is why there is none.
	Arriving, Cut bool
	Fault         string
	Usage         port.Usage
}

// Badge is what became of a block.
type Badge string

// The badges. A block is new when it has arrived, and checking while it is tried without being made.
const (
	BadgeNew      Badge = "new"
	BadgeChecking Badge = "checking"
	BadgeApplied  Badge = "applied"
	BadgeFailed   Badge = "failed"
	BadgeSkipped  Badge = "skipped"
)

// Block is one edit.
type Block struct {
	// Number is that of the answer, from 1.
	Number int
	Badge  Badge
	// Trial means that the badge is what would become of the block, which is not made yet.
	Trial bool
	// Reason is the engine's code, Words say it in a sentence.
	Reason, Words string
	Path          string
	// Line is the line in the file at the new commit, 0 if it is not known. Level is the name of how strictly the block
	// matched; empty if it did not.
	Line    int
	Level   string
	Purpose string
	// Left means that the block can be selected to be applied: Run.Acts has ActApply if any can.
	Left bool
	// Diff is what the block changed, or would change.
	Diff Diff
	// FileURL is the page of the file on GitHub, LineURL that of the changed lines at the commit; empty if there is none.
	FileURL, LineURL string
	// Searched is what a failed block was compared with; nil for any other.
	Searched *Searched
	Problems []string
}

// Searched is why a block failed: the closest match in the file, and the first line that differs.
type Searched struct {
	// Lines are those of the closest match, from Line on.
	Lines []string
	Line  int
	// Differs is the first line of the file that differs, 0 if none is known; Want is what the block expects there, Have
	// what the file has.
	Differs    int
	Want, Have string
	// Places are the lines at which an ambiguous block matches, More the number of further ones.
	Places []int
	More   int
}

// File is a file that the model was shown, or was not; or a check that failed, or what the model searched for.
type File struct {
	Path, Why string
	// words means that Path is none, but what people or the model wrote.
	words bool
	// Parts are the lines that were shown, as "12–40, 80–90"; empty if all were.
	Parts string
}

// Commit is the commit that a run made.
type Commit struct{ SHA, URL, Branch, Subject string }

// Costs are what a run took.
type Costs struct {
	Models []port.ModelUse
	Took   time.Duration
}

// Moment is a step of a run, or a request to a model.
type Moment struct {
	// What says it in a few words, Step is its name in the record.
	What, Step string
	At         time.Time
	// Since is the time since the moment before.
	Since time.Duration
}

// Act is something that a visitor can do with a run, as by a command.
type Act string

// The acts.
const (
	ActUndo   Act = "undo"
	ActRetry  Act = "retry"
	ActApply  Act = "apply"
	ActCancel Act = "cancel"
)
