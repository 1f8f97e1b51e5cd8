package report

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// Subject is the command that an answer is about.
type Subject struct {
	Event   port.Event
	Command command.Command
	// Text is what follows the verb and the options of the command.
	Text string
	// Run is the id of its run, Pages are where runs are shown.
	Run   string
	Pages Pages
	// Links are those of the repository of the thread.
	Links port.Links
	// Offers reports whether a command may be given here; nil means that none may.
	Offers func(verb string) bool
}

func (s Subject) offers(verb string) bool { return s.Offers != nil && s.Offers(verb) }

// Stage is what a run is doing.
type Stage int

// The stages of a run, in their order.
const (
	StageReading Stage = iota
	StageAsking
	StageApplying
	StageCommitting
	StageAnswering
)

// Status is how far a run has come.
type Status struct {
	Stage  Stage
	Target record.Target
	// Files are what the model was shown; nil until that is known.
	Files []retrieve.ShownFile
	// Call counts the calls of the model from 1. Blocks are the paths of the blocks that the model has written so far.
	Call   int
	Blocks []string
	// Queued reports whether the call waits because the model answers as many others as it may.
	Queued bool
}

// StatusOf returns how far the run of a record has come.
func StatusOf(rec record.Record) Status {
	now := Status{Call: rec.Calls() + 1}
	if rec.Prompt != nil {
		now.Files = rec.Prompt.Files
	}
	switch {
	case rec.Committed != nil:
		now.Stage = StageAnswering
	case rec.Committing:
		now.Stage = StageCommitting
	case rec.Prompt != nil:
		now.Stage = StageAsking
	}
	return now
}

// StatusBody returns the answer while a run goes on: its stages, those that are done ticked, the present one in bold.
func StatusBody(s Subject, now Status) string {
	text := "⏳ **Working** for " + requester(s.Event) + "\n\n- ✅ " + opened(now.Target, s.Links)
	stages := []func(done bool) string{now.reading, now.asking, applying, committing}
	switch {
	case s.Command.ReadOnly:
		stages = stages[:StageAsking+1]
	case !s.Command.Commits:
		stages = stages[:StageApplying+1]
	}
	for i, words := range stages {
		switch stage := Stage(i); {
		case stage < now.Stage:
			text += "\n- ✅ " + words(true)
		case stage == now.Stage:
			text += "\n- ⏳ **" + words(false) + "**" + now.writing()
		default:
			text += "\n- " + words(false)
		}
	}
	return text + "\n\n" + s.cancelHint("stops it")
}

// QueuedNotice returns the answer before a run begins, which waits for the command ahead of it; verb is that command's.
func QueuedNotice(s Subject, verb string, ahead port.Event) string {
	return fmt.Sprintf("⏳ **Waiting** for %s, which comes first on this %s. %s starts automatically.\n\n%s",
		CommandLink(verb, ahead), s.Event.Thread.Kind(), thisCommand(s.Event),
		s.cancelHint("stops everything that is running or waiting here"))
}

// WaitingBody returns the answer of a run that waits for something outside.
func WaitingBody(s Subject, reason port.WaitReason) string {
	return fmt.Sprintf("⏳ **Waiting**: %s. %s continues automatically.\n\n%s",
		reason, thisCommand(s.Event), s.cancelHint("stops it"))
}

// CancelledBody returns the answer of a run that somebody cancelled.
func CancelledBody(cancelled *port.CancelledError) string {
	return fmt.Sprintf("🛑 **Cancelled** by %s. Nothing was committed.", markdown.PlainLogin(cancelled.By))
}

// DoubleBody returns what an answer says that was made although its run had another one already, at url.
func DoubleBody(url string) string {
	text := "The answer to this command"
	if url != "" {
		text = "[The answer](" + url + ") to this command"
	}
	return text + " is another comment: this one was made twice, when the command was resumed after an interruption."
}

// requester names who gave the command, with a link to it.
func requester(ev port.Event) string {
	text := markdown.PlainLogin(ev.Sender.Login)
	if ev.Comment.URL != "" {
		text += " ([command](" + ev.Comment.URL + "))"
	}
	return text
}

// thisCommand begins a sentence about a command, with a link to it.
func thisCommand(ev port.Event) string {
	text := "This command"
	if ev.Comment.URL != "" {
		text = "[" + text + "](" + ev.Comment.URL + ")"
	}
	return text + " by " + markdown.PlainLogin(ev.Sender.Login)
}

// cancelHint says what cancel does now, and names the run.
func (s Subject) cancelHint(does string) string {
	if s.offers("cancel") {
		return "<sub>`/tenon cancel` " + does + runSeparator + s.Pages.Link(s.Run) + "</sub>"
	}
	return RunNote(s.Run, s.Pages)
}

func opened(t record.Target, repo port.Links) string {
	if t.New {
		return fmt.Sprintf("branch %s from %s", markdown.Code(t.Branch), markdown.Code(t.Base))
	}
	return fmt.Sprintf("opened %s at %s", markdown.Code(t.Branch), CommitLink(repo, t.SHA))
}

// inWords returns the present stage in words.
func (now Status) inWords() string {
	switch now.Stage {
	case StageReading:
		return now.reading(false)
	case StageAsking:
		return now.reading(true) + "; " + now.asking(false)
	case StageAnswering:
		return "writing its answer"
	}
	return "applying and committing"
}

func (now Status) reading(done bool) string {
	if len(now.Files) == 0 {
		return tense(done, "read the files", "reading the files")
	}
	var names []string
	for _, f := range now.Files[:min(len(now.Files), maxNamed)] {
		names = append(names, markdown.Code(markdown.Clip(f.Path, markdown.MaxCell)))
	}
	n := len(now.Files)
	text := fmt.Sprintf("%s %d %s: %s",
		tense(done, "read", "reading"), n, english.PluralWord(n, "file", ""), strings.Join(names, ", "))
	if more := n - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (now Status) asking(done bool) string {
	switch {
	case now.Call > 1 && done:
		return fmt.Sprintf("asked the model, %d times", now.Call)
	case now.Queued && !done:
		return "waiting for the model, which answers other commands"
	case now.Call > 1:
		return fmt.Sprintf("asking the model, question %d", now.Call)
	}
	return tense(done, "asked the model", "asking the model")
}

// writing says what the model has written so far.
func (now Status) writing() string {
	n := len(now.Blocks)
	if now.Stage != StageAsking || n == 0 {
		return ""
	}
	return fmt.Sprintf(" · wrote edit %d: %s", n, markdown.Code(markdown.Clip(now.Blocks[n-1], markdown.MaxCell)))
}

func applying(done bool) string { return tense(done, "applied the edits", "applying the edits") }

func committing(bool) string { return "committing" }

func tense(done bool, past, present string) string {
	if done {
		return past
	}
	return present
}
