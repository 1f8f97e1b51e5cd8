package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/conversation"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/report"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/gfm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// print prints what a command came to. It returns errSome if not all edits were made.
func (d localDone) print(out, errOut io.Writer, asJSON bool) error {
	said := conversation.Replies(d.asked())
	switch {
	case len(said.Turns) == 0, d.record.Final == nil, d.lost(): // it was refused, or the model did not answer
		return printFailure(out, errOut, d.refusal(errOut), asJSON)
	case d.previewed == nil && d.record.Preview != nil:
		return printFailure(out, errOut, d.heldBack(), asJSON)
	case d.previewed == nil && len(d.record.Applications) == 0:
		return d.printAnswer(out, answerText(said), asJSON)
	}
	result := d.applied()
	if asJSON {
		if err := printLocalJSON(out, d.json(result, said.Prose())); err != nil {
			return err
		}
	} else if err := d.printText(out, errOut, result, said.Prose()); err != nil {
		return err
	}
	if d.made.Uncommitted == nil && (d.previewed != nil && len(result.results) == 0 || result.complete()) {
		return nil
	}
	return errSome
}

// printFailure prints why nothing was done, and returns errSome.
func printFailure(out, errOut io.Writer, text string, asJSON bool) error {
	_, _ = fmt.Fprintln(errOut, "tenon:", text)
	if asJSON {
		if err := printLocalJSON(out, localJSON{Error: text}); err != nil {
			return err
		}
	}
	return errSome
}

// heldBack says why edits were tried and not made.
func (d localDone) heldBack() string {
	return "nothing was written, because caution: hold in the settings leaves such edits to a person; give the command " +
		"again with --preview to choose. caution: " +
		report.Cautions(d.record.Preview.Cautions, terminal.Escape, terminal.Escape)
}

// printText prints the result for a person: what the model said instead of edits, or what became of them.
func (d localDone) printText(out, errOut io.Writer, result applied, prose string) error {
	if d.previewed == nil && len(result.results) == 0 && strings.TrimSpace(prose) != "" {
		if _, err := fmt.Fprintf(out, "%s\n\n", rendered(prose, out)); err != nil {
			return err
		}
	}
	if n := d.unchosen(); n > 0 && !d.wrote {
		_, _ = fmt.Fprintln(errOut, "tenon: no edit was chosen; nothing was written")
	} else if n > 0 {
		_, _ = fmt.Fprintf(errOut, "tenon: you did not choose %s\n", counted(n, "edit"))
	}
	if d.previewed == nil || len(result.results) > 0 {
		if err := result.print(out, false); err != nil {
			return err
		}
	}
	d.printNotes(errOut)
	return nil
}

// answerText returns the answer to a question as the model wrote it, without what it asked to see. An edit is code
// that the person may want to read.
func answerText(said conversation.Conversation) string {
	text := said.AnswerText()
	if len(retrieve.ParseAsksOfAnswer(text)) == 0 {
		return text
	}
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !retrieve.IsAsk(line) {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// printAnswer prints the answer to a question.
func (d localDone) printAnswer(out io.Writer, text string, asJSON bool) error {
	if asJSON {
		return printLocalJSON(out, localJSON{Answer: text})
	}
	_, err := fmt.Fprintln(out, rendered(text, out))
	return err
}

// rendered returns Markdown as a terminal shows it; as it is for anything else.
func rendered(markdown string, out io.Writer) string {
	markdown = strings.TrimSpace(markdown)
	if terminal.IsTerminal(out) {
		lines, err := gfm.Terminal{Palette: terminal.PaletteFor(out), Width: terminal.Width(out)}.Lines(markdown)
		if err == nil {
			return strings.TrimSpace(strings.Join(lines, "\n"))
		}
	}
	lines := strings.Split(markdown, "\n")
	for i, line := range lines {
		lines[i] = terminal.Escape(strings.TrimSuffix(line, "\r"))
	}
	return strings.Join(lines, "\n")
}

// refusal returns why nothing was done.
func (d localDone) refusal(out io.Writer) string {
	if d.failure != nil {
		return failureText(d.failure)
	}
	text, _, _ := strings.Cut(d.answer, "\n\n<sub>")
	if text = rendered(toYou.Replace(text), out); text == "" {
		return "the command ended without an answer"
	}
	return text
}

// toYou makes sentences for those who do not run tenon ones for the person who does.
var toYou = strings.NewReplacer(
	"Whoever runs this app has to check the model's API key.", "Check TENON_MODEL_API_KEY.",
	"Whoever runs this app has to check what the API key may do.", "Check what the key in TENON_MODEL_API_KEY may do.",
	"Whoever runs this app has to check the model's name and base URL.", "Check TENON_MODEL and TENON_MODEL_BASE_URL.",
	"Whoever runs this app has to check the model's base URL.", "Check TENON_MODEL_BASE_URL.",
	"Whoever runs this app has to check the model's settings", "Check the model's settings",
	"Whoever runs this app has to add some.", "Add some.", "does not allow this app to use it", "does not let you use it",
	"Whoever runs this app ", "You ", "whoever runs this app ", "you ",
)

// failureText says why a command was given up, to whoever can do something about it: the answer of the bot is for those
// who cannot.
func failureText(err error) string {
	var wait *port.WaitError
	if !errors.As(err, &wait) {
		return terminal.Escape(err.Error())
	}
	cause, _, _ := strings.Cut(err.Error(), "\n")
	cause = terminal.Escape(strings.TrimPrefix(cause, "asking the model: "))
	later := "later"
	if wait.After > 0 {
		later = "in " + wait.After.Round(time.Second).String()
	}
	switch {
	case wait.For == port.ModelLimit:
		return "the model's provider limits how often it is asked (" + cause + "); try again " + later +
			", or name another model with --model"
	case wait.For == port.ModelBreak:
		return string(wait.For) + "; nothing was written; run the command again"
	case strings.Contains(cause, "(HTTP "):
		return "the model's server failed (" + cause + "); try again " + later
	}
	return string(wait.For) + " (" + cause + "); is its server running, and does TENON_MODEL_BASE_URL say where?"
}

// applied returns the result as that of tenon apply.
func (d localDone) applied() applied {
	done := applied{
		before: map[string][]byte{}, after: map[string][]byte{}, staged: d.wrote && d.made.Unstaged == nil,
		failure: d.made.Unstaged, commit: d.made.SHA,
	}
	var replies []string
	for _, turn := range d.asked().Turns {
		replies = append(replies, turn.Answer.Text)
	}
	done.reply = engine.Reply{Suggestions: engine.Parse(strings.Join(replies, "\n\n"), engine.ParseOptions{}).Suggestions}
	done.results = d.results()
	for _, f := range d.made.Files {
		done.changed = append(done.changed, f.Path)
		if f.Before != nil {
			done.before[f.Path] = f.Before
		}
		done.after[f.Path] = f.After
	}
	return done
}

// printNotes prints what else the person should know.
func (d localDone) printNotes(errOut io.Writer) {
	dirty := d.dirty()
	note := func(format string, args ...any) { _, _ = fmt.Fprintf(errOut, "tenon: "+format+"\n", args...) }
	if len(dirty) > 0 {
		note("these files had changes of yours that were not committed; the edits are made to them as they were: %s",
			terminal.Escape(strings.Join(dirty, ", ")))
	}
	switch {
	case d.made.Uncommitted != nil:
		note("the changes are written and not committed: %s", terminal.Escape(d.made.Uncommitted.Error()))
	case d.made.Unstaged != nil:
		note("%s", terminal.Escape(d.made.Unstaged.Error()))
	}
	if d.made.NoUndo != nil {
		note("tenon undo cannot revert this: %s", terminal.Escape(d.made.NoUndo.Error()))
	}
	if len(d.made.Hooks) > 0 {
		note("git's hooks were not run: %s", strings.Join(d.made.Hooks, ", "))
	}
}

// localJSON is the output of fix --json and ask --json. A question has only an answer, and a command that failed only
// an error; a fix has all of apply --json.
type localJSON struct {
	*applyJSON
	// Answer is what the model said, in Markdown, without its edits.
	Answer string `json:"answer,omitempty"`
	// Commit is the git commit that was made, and Dirty are the edited files that had changes in no commit before.
	Commit string   `json:"commit,omitempty"`
	Dirty  []string `json:"dirty,omitempty"`
	Error  string   `json:"error,omitempty"`
}

// json returns the result of a fix.
func (d localDone) json(result applied, prose string) localJSON {
	v := applyJSONOf(result)
	if d.made.Uncommitted != nil {
		v.Error = d.made.Uncommitted.Error()
	}
	return localJSON{applyJSON: &v, Answer: prose, Commit: d.made.SHA, Dirty: d.dirty(), Error: v.Error}
}

func printLocalJSON(out io.Writer, v localJSON) error {
	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}
