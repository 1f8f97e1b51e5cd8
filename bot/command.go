package bot

import (
	"fmt"
	"strings"
)

// Command is one verb. Help is made from these fields.
type Command struct {
	Verb string
	// Usage is the command as one types it, with its options and arguments.
	Usage       string
	Description string
	Example     string
	// Needs is the least permission of whoever gives it.
	Needs Permission
	// Aside says that it does not wait for what is in work on its thread.
	Aside bool
	// Reads says that it changes nothing, and so works on what is closed too.
	Reads bool
	// Options are the names of those it takes.
	Options []string

	takes argument
}

// argument is what a command takes behind its options. But for someText, it stands on the command's own line; what is on the
// lines below is not the argument's.
type argument int

const (
	_            argument = iota
	nothing               // a word behind the command is a mistake
	anyWords              // words behind the command are passed over
	someText              // to the end of the comment; it must not be empty
	numbers               // "1,3-5"
	maybeNumbers          // the same, or nothing: all
	maybeRun              // the id of a run, or nothing: the newest
)

// parse reads a command's options and argument: rest is everything behind the verb, to the end of the comment.
func (c Command) parse(rest string) invocation {
	inv := invocation{command: c}
	if c.takes == someText {
		if inv.options, inv.text, inv.problem = parseOptions(c, strings.TrimSpace(rest)); inv.problem == "" && inv.text == "" {
			inv.problem = fmt.Sprintf("`/tenon %s` wants to know what. Say it behind the verb: `%s`, for example `%s`.", c.Verb, c.Usage, codeText(c.Example))
		}
		return inv
	}
	line, below, _ := strings.Cut(rest, "\n")
	inv.text = strings.TrimSpace(below)
	if inv.options, line, inv.problem = parseOptions(c, strings.TrimSpace(line)); inv.problem == "" {
		inv.readArgument(line)
	}
	return inv
}

// readArgument reads the argument of a command that takes no text.
func (inv *invocation) readArgument(line string) {
	c := inv.command
	switch {
	case c.takes == anyWords, line == "" && c.takes != numbers:
	case c.takes == numbers, c.takes == maybeNumbers:
		if inv.numbers, inv.problem = parseNumbers(line); inv.problem != "" {
			inv.problem += fmt.Sprintf(" Write it like this: `%s`.", c.Example)
		}
	case c.takes == maybeRun:
		if inv.run = strings.ToLower(strings.Trim(line, "`")); !isRunID(inv.run) {
			inv.problem = fmt.Sprintf("%s is no run. A run's id is the 12 letters and digits at the end of an answer: `%s`.", codeSpan(clip(line, 40)), c.Usage)
		}
	default:
		inv.problem = fmt.Sprintf("`/tenon %s` takes nothing more on its line, and there is %s. Nothing was done. Give it again as `%s`.", c.Verb, codeSpan(clip(line, 40)), c.Usage)
	}
}

func commandNamed(verb string) (Command, bool) {
	for _, c := range Commands() {
		if c.Verb == verb {
			return c, true
		}
	}
	return Command{}, false
}

// unknownVerb is the usage that answers a verb that there is not, with the nearest one.
func unknownVerb(verb string) string {
	var verbs []string
	for _, c := range Commands() {
		verbs = append(verbs, c.Verb)
	}
	text := fmt.Sprintf("tenon knows no command %s.", codeSpan(clip(verb, 40)))
	if best := Nearest(verb, verbs); best != "" {
		text += fmt.Sprintf(" Did you mean `/tenon %s`?", best)
	}
	return text + fmt.Sprintf(" There are `%s`; `/tenon help` explains them.", strings.Join(verbs, "`, `"))
}
