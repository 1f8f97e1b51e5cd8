package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/engine"
)

// A fault is what people are told of a reason for which an edit is refused.
type fault struct {
	// few are the words for the first line of an answer, of one edit or of several; what says it of one edit, in a clause.
	few, what string
	// action is what helps, in a clause; empty if the model is to be asked again. pasted is that of edits which no model
	// was asked for, if it is another one.
	action, pasted string
}

const (
	byHand   = "change the file by hand"
	askAgain = "`/tenon retry` asks again"
	askAnew  = "ask for the change with `/tenon fix`"
	otherNow = "the lines to change are not in the file"
	expected = "the file does not have the lines that the model expected"
)

// faults are what people are told of each reason.
var faults = map[engine.Reason]fault{
	engine.AnchorNotFound:   {few: otherNow, what: expected, pasted: askAnew},
	engine.OldMismatch:      {few: otherNow, what: expected, pasted: askAnew},
	engine.TrailingMismatch: {few: otherNow, what: expected, pasted: askAnew},
	engine.NotFound:         {few: otherNow, what: expected, pasted: askAnew},
	engine.Ambiguous: {
		few: "it is not clear which place is meant", what: "its lines are in the file more than once",
		action: "give the command again and say which place you mean, for example by the function's name",
		pasted: "paste it below `/tenon apply` with more of the lines around its place",
	},
	engine.FileNotFound: {
		few: "the file does not exist", what: "this file does not exist", action: "give the command again with its full path",
		pasted: "paste the edit below `/tenon apply`, with the file's full path above it",
	},
	engine.FileExists: {
		few: "the file already exists", what: "the file already exists, and the edit would create it",
		action: "ask for a change of it", pasted: "ask for a change of it with `/tenon fix`",
	},
	engine.BinaryFile: {few: "the file is not text in UTF-8", what: "tenon edits only text in UTF-8", action: byHand},
	engine.TooLarge: {
		few: "the change is too large for tenon", what: "the change is too large for tenon",
		action: "ask for less at a time, or change the file by hand",
	},
	engine.UnsafePath: {
		few: "no file can be written there", what: "no file can be written there",
		action: "name the right path in the command",
		pasted: "paste the edit below `/tenon apply`, with the right path above it",
	},
	engine.ProtectedPath: {few: "the file is protected", what: "the file is protected", action: byHand},
	engine.Placeholder: {
		few: "the model left out part of the code", what: "the model left out part of the code",
		pasted: "paste it below `/tenon apply` in full",
	},
	engine.Partial: {
		few:    "the edit has only a part of the file",
		what:   "it is for the whole file, and has only a part of it",
		pasted: "paste it below `/tenon apply` with the whole file, or with the lines that it replaces",
	},
	engine.Stale: {
		few: "the file changed meanwhile", what: "the file changed while the model was writing", pasted: askAnew,
	},
	engine.Conflict: {
		few: "the same lines changed meanwhile", what: "the same lines were changed on the branch after the model saw them",
		pasted: askAnew,
	},
	engine.EarlierFailed: {
		few: "an earlier edit failed", what: "an earlier edit of this file failed, and this one may build on it",
		pasted: "name it alone in `/tenon apply` if it does not",
	},
	engine.NoChange: {
		few: "the edit changes nothing", what: "it changes nothing", action: "say in the command what is missing",
	},
	engine.AlreadyApplied: {
		few: "the files already have these lines", what: "the file already has these lines", action: "there is nothing to do",
	},
	edit.ReasonOverlap: {
		few: "later commits changed the same lines", what: "later commits changed the same lines",
		action: "undo those first, or change the file by hand",
	},
	edit.ReasonMergeConflict: {
		few: "both branches changed the same places", what: "both branches changed it in different ways",
		action: "merge the branches at a terminal, where `tenon resolve` settles the conflicts",
	},
	edit.ReasonHeld: {
		few: "later commits changed the same lines", what: "it could be reverted, but not the whole commit",
		action: "a commit is reverted as a whole or not at all",
	},
	engine.Malformed: {
		few: "the edit can be read in more than one way", what: "it can be read in more than one way",
		pasted: "paste it below `/tenon apply`, with markers that appear nowhere else in it",
	},
	engine.Unusual: {
		few:    "the edit adds characters that readers cannot see",
		what:   "it adds characters that readers cannot see",
		action: "write them by hand, or allow them by `unusual: mark` in the settings",
	},
	engine.Unchecked: {
		few: "the file cannot be checked for syntax", what: "the file cannot be checked for syntax",
		action: "change the file by hand, or allow such edits by `unchecked: commit` in the settings",
	},
	engine.NotAsShown: {
		few:    "the edit would no longer change what was shown",
		what:   "the branch changed after it was shown, and it would change something else now",
		action: "read what it would change, and give the command again",
	},
	engine.SyntaxError: {
		few: "the file would no longer parse", what: "the file would no longer parse",
		pasted: "correct it, and paste it below `/tenon apply`",
	},
}

// remedy returns the one thing that helps with an edit that was refused, as a clause in Markdown.
func (r Summary) remedy(row record.Result) string {
	f := faults[engine.Reason(row.Reason)]
	switch {
	case f.pasted != "" && r.Source != "":
		return f.pasted
	case row.Reason == string(engine.FileNotFound) && r.named(row.Path):
		return "check the path in the command"
	case f.action != "":
		return f.action
	case r.does() == operating, r.does() == merging:
		return ""
	case r.does() == reverting:
		return byHand
	case r.offers(command.Retry) && r.Source == "" && retryHelps(row):
		return askAgain
	case r.named(row.Path):
		return "give the command again"
	}
	return "give the command again and name the file"
}

// retryHelps reports whether the model could do better with an edit that was not made.
func retryHelps(row record.Result) bool {
	reason := engine.Reason(row.Reason)
	failed := row.Status.Failed() || reason == engine.EarlierFailed
	return failed && !conversation.Unrepairable(reason) && reason != edit.ReasonOverlap && reason != edit.ReasonHeld
}

// canRetry reports whether there is an edit for which retry could help.
func (r Summary) canRetry() bool {
	return slices.ContainsFunc(r.Results, retryHelps) && r.does() == editing
}

// namedWords are why a file was shown that the command named.
var namedWords = []string{"named", "named by --files", "linked", "the comment is on it", "what the task is about"}

// named reports whether the command named a file, so that the model saw it before all others.
func (r Summary) named(path string) bool {
	for _, f := range r.Context.Files {
		if f.Path == path {
			return slices.Contains(namedWords, f.Why)
		}
	}
	for _, f := range r.Context.LeftOut {
		if f.Path == path {
			return true
		}
	}
	return false
}

// fault says, as a clause in Markdown, why an edit was refused.
func (r Summary) fault(row record.Result) string {
	f := faults[engine.Reason(row.Reason)]
	detail := markdown.Plain(markdown.Clip(row.Detail, markdown.MaxCell), row.Path)
	switch {
	case row.Reason == string(engine.Ambiguous) && len(row.Places) > 0:
		return "the same lines are at " + r.placeList(row)
	case row.Reason == string(engine.SyntaxError) && len(row.Problems) > 0:
		return fmt.Sprintf("the file would %s (%s)", brokenWords(row.Problems), firstProblem(row))
	case f.what == expected && row.Differs > 0:
		who := "the model"
		if r.Source != "" {
			who = "the edit"
		}
		return fmt.Sprintf("line %s is not what %s expected (− expected, + in the file)",
			humanize.Comma(int64(row.Differs)), who)
	case row.Reason == string(engine.ProtectedPath) && detail != "":
		return f.what + ", because " + lowerFirst(detail)
	case row.Reason == string(engine.UnsafePath) && detail != "":
		return f.what + ": " + lowerFirst(strings.TrimPrefix(detail, "Unsafe path: "))
	case (f.what == "" || saysMore(row)) && detail != "":
		return lowerFirst(detail)
	case f.what == "":
		return "it could not be made"
	}
	return f.what
}

// saysMore reports whether the detail of an edit that was refused says more than its reason.
func saysMore(row record.Result) bool {
	return slices.Contains([]engine.Reason{engine.TooLarge, engine.Unusual, engine.Unchecked, engine.Partial},
		engine.Reason(row.Reason))
}

// lowerFirst returns a sentence as a clause, with a small letter at its beginning.
func lowerFirst(s string) string {
	if len(s) < 2 || s[1] < 'a' || s[1] > 'z' || strings.HasPrefix(s, "GitHub") {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}
