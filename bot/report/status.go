package report

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
)

// stage is where a run is.
type stage int

const (
	stageReading stage = iota
	StageAsking
	StageApplying
	StageCommitting
)

// status is how far a run has come.
type Status struct {
	Stage  stage
	Target record.Target
	// files are what the model was shown; nil until it is known.
	Files []retrieve.ShownFile
	// call counts the questions to the model from 1, blocks are what it has written so far in its answer.
	Call   int
	Blocks []string
}

// statusBody is what stands in the answer while the run goes on: its steps, those that are done ticked, the present one in bold.
func StatusBody(s Subject, now Status) string {
	text := "⏳ **Working** for " + askerOf(s.Event) + "\n\n- ✅ " + openedWords(now.Target, RepoURL(s.Event.Thread))
	steps := []func(done bool) string{now.reading, now.asking, now.applying, committing}
	switch {
	case s.Command.Reads:
		steps = steps[:2]
	case s.Command.Verb == "preview":
		steps = steps[:3]
	}
	for at, words := range steps {
		switch step := stage(at); {
		case step < now.Stage:
			text += "\n- ✅ " + words(true)
		case step == now.Stage:
			text += "\n- ⏳ **" + words(false) + "**" + now.writing()
		default:
			text += "\n- " + words(false)
		}
	}
	return text + "\n\n" + s.runHint("stops it")
}

// askerOf is who gave the command, with a link to it.
func askerOf(ev port.Event) string {
	text := markdown.PlainLogin(ev.Sender.Login)
	if ev.Comment.URL != "" {
		text += " ([command](" + ev.Comment.URL + "))"
	}
	return text
}

// runHint says how the run can be stopped, and found.
func (s Subject) runHint(cancel string) string {
	if s.offers("cancel") {
		return "<sub>`/tenon cancel` " + cancel + " · run " + s.Run + "</sub>"
	}
	return RunNote(s.Run)
}

func openedWords(t record.Target, repoURL string) string {
	if t.New {
		return fmt.Sprintf("branch %s from %s", markdown.Code(t.Branch), markdown.Code(t.Base))
	}
	return fmt.Sprintf("opened %s at [`%.7s`](%s/commit/%s)", markdown.Code(t.Branch), t.SHA, repoURL, t.SHA)
}

func (now Status) reading(done bool) string {
	if len(now.Files) == 0 {
		return tense(done, "read the files", "reading the files")
	}
	var names []string
	for _, f := range now.Files[:min(len(now.Files), maxNamed)] {
		names = append(names, markdown.Code(markdown.Clip(f.Path, markdown.MaxCell)))
	}
	text := fmt.Sprintf("%s %d %s: %s", tense(done, "read", "reading"), len(now.Files), markdown.Plural(len(now.Files), "file"), strings.Join(names, ", "))
	if more := len(now.Files) - len(names); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func (now Status) asking(done bool) string {
	switch {
	case now.Call > 1 && done:
		return fmt.Sprintf("asked the model, %d times", now.Call)
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

func (now Status) applying(done bool) string {
	return tense(done, "applied the edits", "applying the edits")
}

func committing(bool) string { return "committing" }

func tense(done bool, past, present string) string {
	if done {
		return past
	}
	return present
}

// waitingBody is what stands there before the run begins; verb is that of the command ahead.
func QueuedNotice(s Subject, verb string, ahead port.Event) string {
	return fmt.Sprintf("⏳ **Waiting** for %s, which comes first on this %s. This one, for %s, begins by itself.\n\n%s",
		CommandWords(verb, ahead), s.Event.Thread.Kind(), askerOf(s.Event), s.runHint("stops all that is in work and waits here"))
}

// cancelledText is the last word of a run that somebody cancelled.
func CancelledText(by *port.CancelledError) string {
	return fmt.Sprintf("🛑 **Cancelled** by %s. Nothing was committed.", markdown.PlainLogin(by.By))
}
