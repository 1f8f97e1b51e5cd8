package record

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// Step is a step of a run whose outcome is a T.
type Step[T any] struct {
	name string
	// version is that of T's JSON. A change of T is a new version; testdata/forms.txt has a sum of each.
	version int
	get     func(*Record) (T, bool)
	put     func(*Record, T)
}

// The steps that a run has at most once. Before their second version, the results of a preview and of a commit did not
// say what is wrong with a file after its edits, nor at which places an ambiguous block matches; a target did not say
// that its branch moved. Before their third, they did not say whether a diff is whole, nor have a fingerprint; before
// their fourth, not what a block is for, nor the three sides of a conflict; before their fifth, not why a file was not
// checked; before their sixth, they had no cautions. Before its second, an undo did not say that the commit merges, and
// a source was no resolution; before its third, an undo did not say that the commit is one of a backport.
var (
	Opened         = once("open", 2, func(r *Record) **Target { return &r.Target })
	Answered       = once("answer", 1, func(r *Record) **AnswerComment { return &r.Answer })
	WaitTold       = once("wait", 1, func(r *Record) **string { return &r.Waiting })
	CheckOpened    = once("check", 1, func(r *Record) **int64 { return &r.Check })
	FilesChosen    = once("files", 1, func(r *Record) **FileChoice { return &r.FileChoice })
	Prompted       = once("context", 4, func(r *Record) **Prompt { return &r.Prompt })
	Previewed      = once("preview", 6, func(r *Record) **Preview { return &r.Preview })
	RetryFound     = once("retry", 1, func(r *Record) **Retry { return &r.Retry })
	SourceFound    = once("source", 2, func(r *Record) **Source { return &r.Source })
	Chosen         = once("choice", 1, func(r *Record) **Choice { return &r.Choice })
	UndoFound      = once("undo", 3, func(r *Record) **Commit { return &r.Undo })
	OperationsRead = once("run", 1, func(r *Record) **Operations { return &r.Operations })
	MergeFound     = once("merge", 1, func(r *Record) **Merge { return &r.Merge })
	BackportFound  = once("backport", 1, func(r *Record) **Backport { return &r.Backport })
	Committing     = Step[bool]{"committing", 1,
		func(r *Record) (bool, bool) { return r.Committing, r.Committing },
		func(r *Record, v bool) { r.Committing = v }}
	CommitMade = once("commit", 6, func(r *Record) **Committed { return &r.Committed })
	SumsTaken  = Step[map[string]string]{"sums", 1,
		func(r *Record) (map[string]string, bool) { return r.Sums, r.Sums != nil },
		func(r *Record, v map[string]string) { r.Sums = v }}
	PullOpened  = once("pull", 2, func(r *Record) **Target { return &r.Pull })
	Seen        = once("seen", 1, func(r *Record) **Shown { return &r.Seen })
	Offered     = once("offer", 1, func(r *Record) **AnswerComment { return &r.Offer })
	Suggested   = once("suggest", 1, func(r *Record) **AnswerComment { return &r.Suggested })
	Reported    = once("report", 1, func(r *Record) **AnswerComment { return &r.Final })
	CheckClosed = once("check.closed", 1, func(r *Record) **int64 { return &r.CheckClosed })
)

// loadable is a step of any outcome.
type loadable interface {
	stepName() string
	load(r *Record, stored port.Step) error
	save(r *Record) (stored port.Step, ok bool, err error)
}

// steps are those that a run has at most once.
var steps = []loadable{
	Opened, Answered, WaitTold, CheckOpened, FilesChosen, Prompted, Previewed, RetryFound, SourceFound, Chosen,
	UndoFound, OperationsRead, MergeFound, BackportFound, Committing, CommitMade, SumsTaken, PullOpened, Seen, Offered,
	Suggested, Reported, CheckClosed,
}

// Asked is the nth call of the model, from 1. Its first version did not say what a model was given for what it
// asked; since its third, a prompt has a key; before its fourth, an answer did not say whether its connection
// broke; before its fifth, a prompt said nothing of CI; before its sixth, a turn did not say which conflicts it is
// about.
func Asked(n int) Step[Turn] {
	return nth(fmt.Sprintf("%s%d", askPrefix, n), 6, n, func(r *Record) *[]Turn { return &r.Turns })
}

// Applied is the nth application of the edits, from 1. Its first version did not say what is wrong with a file after
// its edits, nor at which places an ambiguous block matches; its second not whether a diff is whole, and no
// fingerprint; its third not what a block is for, nor the three sides of a conflict; its fourth not why a file was
// not checked; its fifth no cautions.
func Applied(n int) Step[Application] {
	return nth(fmt.Sprintf("%s%d", applyPrefix, n), 6, n, func(r *Record) *[]Application { return &r.Applications })
}

// PicksSettled is how far the conflicts of a backport to a branch are settled, for the nth branch from 1 that has any.
func PicksSettled(n int) Step[SettledPicks] {
	return nth(fmt.Sprintf("%s%d", settledPrefix, n), 1, n, func(r *Record) *[]SettledPicks { return &r.SettledPicks })
}

// PicksMade is what a backport made for its nth branch, from 1.
func PicksMade(n int) Step[Picked] {
	return nth(fmt.Sprintf("%s%d", pickPrefix, n), 1, n, func(r *Record) *[]Picked { return &r.Picks })
}

// BackportOpened is what became of that, from 1.
func BackportOpened(n int) Step[PickedPull] {
	return nth(fmt.Sprintf("%s%d", openedPrefix, n), 1, n, func(r *Record) *[]PickedPull { return &r.Backports })
}

// What the names of steps begin with that a run may have several times.
const (
	askPrefix     = "ask."
	applyPrefix   = "apply."
	pickPrefix    = "pick."
	settledPrefix = "settled."
	openedPrefix  = "backported."
	threadPrefix  = "thread."
	resolvePrefix = "resolve."
)

// AnsweredThread is the answer in the review thread that begins with a comment.
func AnsweredThread(comment int64) Step[AnswerComment] {
	return Step[AnswerComment]{
		fmt.Sprintf("%s%d", threadPrefix, comment), 1,
		func(r *Record) (AnswerComment, bool) { v, ok := r.ThreadAnswers[comment]; return v, ok },
		func(r *Record, v AnswerComment) {
			all := map[int64]AnswerComment{comment: v}
			maps.Copy(all, r.ThreadAnswers) // copies of the record share the map
			r.ThreadAnswers = all
		},
	}
}

func once[T any](name string, version int, field func(*Record) **T) Step[T] {
	return Step[T]{
		name, version,
		func(r *Record) (out T, ok bool) {
			if p := *field(r); p != nil {
				return *p, true
			}
			return out, false
		},
		func(r *Record, v T) { *field(r) = &v },
	}
}

func nth[T any](name string, version, n int, list func(*Record) *[]T) Step[T] {
	return Step[T]{
		name, version,
		func(r *Record) (out T, ok bool) {
			if all := *list(r); n <= len(all) {
				return all[n-1], true
			}
			return out, false
		},
		func(r *Record, v T) { *list(r) = append((*list(r))[:n-1:n-1], v) },
	}
}

// formerNames are the names under which earlier versions stored steps, by their present names.
var formerNames = map[string]string{"committing": "deliver"}

// Name returns the present name of a step that may be stored under a former one.
func Name(stored string) string {
	for name, former := range formerNames {
		if stored == former {
			return name
		}
	}
	return stored
}

// storedAs returns the name under which a run has a step, readable or not. ok is false if it has none.
func storedAs(run port.Run, name string) (stored string, ok bool) {
	for _, stored := range []string{name, formerNames[name]} {
		if _, ok := run.Steps[stored]; ok {
			return stored, true
		}
	}
	return "", false
}

// In reports whether a run has the step, readable or not.
func (s Step[T]) In(run port.Run) bool {
	_, ok := storedAs(run, s.name)
	return ok
}

func (s Step[T]) stepName() string { return s.name }

// kind returns the name without the number of a step that a run may have several times.
func (s Step[T]) kind() string {
	if kind, n, ok := strings.Cut(s.name, "."); ok && strings.Trim(n, "0123456789") == "" {
		return kind
	}
	return s.name
}

func (s Step[T]) load(r *Record, stored port.Step) error {
	v, err := decode[T](stored, s.version)
	if err == nil {
		s.put(r, v)
	}
	return err
}

func (s Step[T]) save(r *Record) (stored port.Step, ok bool, err error) {
	v, ok := s.get(r)
	if !ok {
		return port.Step{}, false, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return port.Step{}, false, fmt.Errorf("storing step %s: %w", s.name, err)
	}
	return port.Step{Version: s.version, Data: data}, true, nil
}
