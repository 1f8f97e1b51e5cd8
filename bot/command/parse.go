package command

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// Contains reports whether a text contains a command, even one with a problem.
func Contains(body, slug string) bool {
	_, ok := findLine(body, slug)
	return ok
}

// Line returns the bounds of the line on which the first command of a text begins, without its line feed.
func Line(body, slug string) (start, end int, ok bool) {
	line, ok := findLine(body, slug)
	return line.start, line.end, ok
}

// commandLine is where a text addresses the app.
type commandLine struct {
	// start and end are the bounds of the line.
	start, end int
	// rest is what follows the address, up to the end of the text.
	rest string
	// mention is set for "@slug", not for "/tenon".
	mention bool
}

// findLine finds the first line of prose that starts with "/tenon" or "@slug". Lines that GitHub shows as quoted or as
// code are not prose.
func findLine(body, slug string) (commandLine, bool) {
	if len(body) > markdown.MaxCommentBytes || !utf8.ValidString(body) {
		return commandLine{}, false
	}
	for _, start := range markdown.ProseLines(body) {
		end := len(body)
		if i := strings.IndexByte(body[start:], '\n'); i >= 0 {
			end = start + i
		}
		if rest, ok := cutWord(body[start:], "/tenon"); ok {
			return commandLine{start, end, rest, false}, true
		}
		if rest, ok := cutMention(body[start:], slug); ok {
			return commandLine{start, end, rest, true}, true
		}
	}
	return commandLine{}, false
}

// parseText returns the first command in a text.
func parseText(body, slug string) (Invocation, bool) {
	line, ok := findLine(body, slug)
	switch {
	case !ok:
		return Invocation{}, false
	case line.mention:
		return parseMention(line.rest), true
	}
	return parseSlash(line.rest), true
}

func parseSlash(rest string) Invocation {
	line, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(line) == "" {
		return askForHelp()
	}
	verb, rest := cutVerb(rest)
	c, ok := Lookup(verb)
	if !ok {
		unknown := Command{Verb: "unknown", Needs: port.PermissionRead, Answer: AnswerInPlace}
		return Invocation{Command: unknown, Problem: unknownVerb(verb)}
	}
	return c.parse(rest)
}

// parseMention reads what follows "@slug": a command if the first word is a verb and the rest fits that verb, else a
// task to fix.
func parseMention(rest string) Invocation {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return askForHelp()
	}
	verb, behind := cutVerb(rest)
	if c, ok := Lookup(verb); ok {
		inv := c.parse(behind)
		line, _, _ := strings.Cut(behind, "\n")
		fits := inv.Problem == "" && c.Takes != AnyWords && (c.Takes != Branches || !isProse(line))
		if c.Takes == SomeText || strings.TrimSpace(line) == "" || fits {
			return inv
		}
	}
	fix, _ := Lookup(Fix)
	return fix.parse(rest)
}

func askForHelp() Invocation {
	c, _ := Lookup(Help)
	return Invocation{Command: c}
}

// cutWord cuts a leading word, in any case, off a text if white space or the end follows it.
func cutWord(text, word string) (rest string, ok bool) {
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return "", false
	}
	rest = text[len(word):]
	if rest != "" && !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return "", false
	}
	return rest, true
}

// cutMention cuts a leading "@slug" or "@slug[bot]" off a text, and a comma or colon after it.
// Nothing mentions an app whose name is not known.
func cutMention(text, slug string) (rest string, ok bool) {
	if slug == "" {
		return "", false
	}
	for _, tail := range []string{"", "[bot]", ",", ":", "[bot],", "[bot]:"} {
		if rest, ok := cutWord(text, "@"+slug+tail); ok {
			return rest, true
		}
	}
	return "", false
}

// cutVerb cuts the first word off a text, without a colon or comma at its end. The rest keeps its lines.
func cutVerb(text string) (verb, rest string) {
	text = strings.TrimLeft(text, " \t\r\n")
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	return strings.ToLower(strings.TrimRight(text, ":,")), rest
}

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
	case c.Takes == AnyWords, line == "" && c.Takes != Numbers && c.Takes != Branches:
	case c.Takes == Branches:
		inv.Problem = inv.parseBackport(line)
	case c.Takes == Numbers, c.Takes == OptionalNumbers:
		if inv.Numbers, inv.Problem = parseNumbers(line); inv.Problem != "" {
			inv.Problem += fmt.Sprintf(" Write it like this: `%s`.", c.Example)
		}
	case c.Takes == OptionalChoices:
		if inv.Choices, inv.Problem = parseConflictChoices(line); inv.Problem != "" {
			inv.Problem += " Nothing was done. Write it like this: `" + c.Example + "`."
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
