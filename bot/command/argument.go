package command

import (
	"fmt"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Argument is what follows the options of a command. Every argument except SomeText ends with the line of the command.
type Argument int

const (
	_ Argument = iota
	// NoArgument makes any further word a mistake.
	NoArgument
	// AnyWords ignores the rest of the line.
	AnyWords
	// SomeText is everything up to the end of the comment. It must not be empty, except where the issue takes its place.
	SomeText
	// Numbers is a list such as "1,3-5".
	Numbers
	// OptionalNumbers is such a list, or nothing, which means all.
	OptionalNumbers
	// OptionalRun is the id of a run, or nothing, which means the newest one.
	OptionalRun
)

// parse reads the options and the argument of a command. rest is everything after the verb, up to the end of the
// comment.
func (c Command) parse(rest string) Invocation {
	inv := Invocation{Command: c}
	if c.Takes == SomeText {
		inv.Options, inv.Text, inv.Problem = parseOptions(c, strings.TrimSpace(rest))
		return inv
	}
	line, below, _ := strings.Cut(rest, "\n")
	inv.Text = strings.TrimSpace(below)
	if inv.Options, line, inv.Problem = parseOptions(c, strings.TrimSpace(line)); inv.Problem == "" {
		inv.parseArgument(line)
	}
	return inv
}

// parseArgument reads an argument that ends with the line of the command.
func (inv *Invocation) parseArgument(line string) {
	c := inv.Command
	switch {
	case c.Takes == AnyWords, line == "" && c.Takes != Numbers:
	case c.Takes == Numbers, c.Takes == OptionalNumbers:
		if inv.Numbers, inv.Problem = parseNumbers(line); inv.Problem != "" {
			inv.Problem += fmt.Sprintf(" Write it like this: `%s`.", c.Example)
		}
	case c.Takes == OptionalRun:
		if inv.Run = strings.ToLower(strings.Trim(line, "`")); !port.IsRunID(inv.Run) {
			inv.Problem = fmt.Sprintf("%s is not a run. A run's id is the 12 letters and digits at the end of an answer: `%s`.",
				markdown.Code(markdown.Clip(line, 40)), c.Usage)
		}
	default:
		inv.Problem = fmt.Sprintf("`/tenon %s` takes nothing else on its line, and there is %s. Nothing was done. "+
			"Write it as `%s`.", c.Verb, markdown.Code(markdown.Clip(line, 40)), c.Usage)
	}
}
