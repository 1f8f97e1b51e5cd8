package command

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Command is one verb. Help is made from these fields.
type Command struct {
	Verb string
	// Usage is the command as one types it, with its options and arguments.
	Usage       string
	Description string
	Example     string
	// Needs is the least permission of whoever gives it.
	Needs port.Permission
	// Aside says that it does not wait for what is in work on its thread.
	Immediate bool
	// Reads says that it changes nothing, and so works on what is closed too.
	Reads bool
	// Options are the names of those it takes.
	Options []string

	Takes argument
}

// argument is what a command takes behind its options. But for someText, it stands on the command's own line; what is on the
// lines below is not the argument's.
type argument int

const (
	_            argument = iota
	nothing               // a word behind the command is a mistake
	anyWords              // words behind the command are passed over
	SomeText              // to the end of the comment; it must not be empty
	numbers               // "1,3-5"
	maybeNumbers          // the same, or nothing: all
	maybeRun              // the id of a run, or nothing: the newest
)

// parse reads a command's options and argument: rest is everything behind the verb, to the end of the comment.
func (c Command) parse(rest string) Invocation {
	inv := Invocation{Command: c}
	if c.Takes == SomeText {
		if inv.Options, inv.Text, inv.Problem = parseOptions(c, strings.TrimSpace(rest)); inv.Problem == "" && inv.Text == "" {
			inv.Problem = fmt.Sprintf("`/tenon %s` wants to know what. Say it behind the verb: `%s`, for example `%s`.", c.Verb, c.Usage, markdown.CodeText(c.Example))
		}
		return inv
	}
	line, below, _ := strings.Cut(rest, "\n")
	inv.Text = strings.TrimSpace(below)
	if inv.Options, line, inv.Problem = parseOptions(c, strings.TrimSpace(line)); inv.Problem == "" {
		inv.readArgument(line)
	}
	return inv
}

// readArgument reads the argument of a command that takes no text.
func (inv *Invocation) readArgument(line string) {
	c := inv.Command
	switch {
	case c.Takes == anyWords, line == "" && c.Takes != numbers:
	case c.Takes == numbers, c.Takes == maybeNumbers:
		if inv.Numbers, inv.Problem = parseNumbers(line); inv.Problem != "" {
			inv.Problem += fmt.Sprintf(" Write it like this: `%s`.", c.Example)
		}
	case c.Takes == maybeRun:
		if inv.Run = strings.ToLower(strings.Trim(line, "`")); !port.IsRunID(inv.Run) {
			inv.Problem = fmt.Sprintf("%s is no run. A run's id is the 12 letters and digits at the end of an answer: `%s`.", markdown.Code(markdown.Clip(line, 40)), c.Usage)
		}
	default:
		inv.Problem = fmt.Sprintf("`/tenon %s` takes nothing more on its line, and there is %s. Nothing was done. Give it again as `%s`.", c.Verb, markdown.Code(markdown.Clip(line, 40)), c.Usage)
	}
}

func Named(verb string) (Command, bool) {
	for _, c := range All() {
		if c.Verb == verb {
			return c, true
		}
	}
	return Command{}, false
}

// unknownVerb is the usage that answers a verb that there is not, with the nearest one.
func unknownVerb(verb string) string {
	var verbs []string
	for _, c := range All() {
		verbs = append(verbs, c.Verb)
	}
	text := fmt.Sprintf("tenon knows no command %s.", markdown.Code(markdown.Clip(verb, 40)))
	if best := Closest(verb, verbs); best != "" {
		text += fmt.Sprintf(" Did you mean `/tenon %s`?", best)
	}
	return text + fmt.Sprintf(" There are `%s`; `/tenon help` explains them.", strings.Join(verbs, "`, `"))
}
