package command

import (
	"strings"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// invocation is a command as somebody gave it.
type Invocation struct {
	Command Command
	Options Options
	// text is everything behind a verb that takes a text, and its options, to the end of the comment; for any other, what is below
	// the command's line. Trimmed.
	Text string
	// numbers are those that were named, each once, as they were named; nil means all.
	Numbers []int
	// run is the run that was named; empty means the newest.
	Run string
	// problem, when set, is why this is no command that can be run, for the person who gave it.
	Problem string
}

// invocationOf is the command that an event gives: slug is the app's name, label the one that starts a fix.
func InvocationOf(ev port.Event, slug, label string) (Invocation, bool) {
	switch ev.Kind {
	case port.Labeled:
		return labelled(ev, label)
	case port.Pressed:
		return pressed(ev.Button)
	case port.Ticked:
		return tickedIn(ev)
	case port.Closed:
		return Invocation{}, false
	}
	return parseInvocation(ev.Comment.Body, slug)
}

// Aside says whether an event does not wait for the others of its thread: what is answered without touching anything, and
// what is no command that could be run, which is told at once.
func Immediate(ev port.Event, slug string) bool {
	switch ev.Kind {
	case port.Labeled, port.Pressed, port.Ticked, port.Closed:
		return false
	}
	inv, ok := parseInvocation(ev.Comment.Body, slug)
	return ok && (inv.Command.Immediate || inv.Problem != "")
}

// Asks says whether a text holds a command, be it one that can be run or not.
func Asks(body, slug string) bool {
	_, ok := parseInvocation(body, slug)
	return ok
}

// labelled is what a label asks for: what the issue or pull request says.
func labelled(ev port.Event, label string) (Invocation, bool) {
	c, ok := Named("fix")
	text := strings.TrimSpace(ev.Thread.Title + "\n\n" + ev.Comment.Body)
	if !ok || text == "" || !strings.EqualFold(ev.Label, label) { // GitHub's labels are one in any case
		return Invocation{}, false
	}
	return Invocation{Command: c, Text: text}, true
}

// pressed is what a button of a check run asks for: its verb, for the run of the check.
func pressed(b *port.Button) (Invocation, bool) {
	if b == nil || !port.IsRunID(b.Run) {
		return Invocation{}, false
	}
	switch b.Verb {
	case "undo", "retry", "apply":
		c, ok := Named(b.Verb)
		return Invocation{Command: c, Run: b.Run}, ok
	}
	return Invocation{}, false
}

// tickedIn is what newly ticked boxes of a preview ask for: to apply those blocks of its run.
func tickedIn(ev port.Event) (Invocation, bool) {
	run, marked := markdown.PreviewRun(ev.Comment.Body)
	c, ok := Named("apply")
	n := markdown.NewTicks(ev.Before, ev.Comment.Body)
	return Invocation{Command: c, Numbers: n, Run: run}, marked && ok && len(n) > 0
}

// parseInvocation finds the first command in a comment: a line of prose that starts with "/tenon" or "@slug". Lines that
// GitHub shows as quoted or as code are not commands.
func parseInvocation(body, slug string) (Invocation, bool) {
	if len(body) > markdown.MaxCommentBytes || !utf8.ValidString(body) {
		return Invocation{}, false
	}
	for _, at := range markdown.ProseLines(body) {
		line := body[at:]
		if rest, ok := CutWord(line, "/tenon"); ok {
			return parseSlash(rest), true
		}
		if rest, ok := CutMention(line, slug); ok {
			return parseMention(rest), true
		}
	}
	return Invocation{}, false
}

func parseSlash(rest string) Invocation {
	line, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(line) == "" {
		return askedForHelp()
	}
	verb, rest := splitVerb(rest)
	c, ok := Named(verb)
	if !ok {
		return Invocation{Command: Command{Verb: "unknown", Needs: port.PermissionRead}, Problem: unknownVerb(verb)}
	}
	return c.parse(rest)
}

// parseMention reads what follows "@slug": a command if the first word is a verb and the rest fits it, else all of it is what
// to fix.
func parseMention(rest string) Invocation {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return askedForHelp()
	}
	verb, behind := splitVerb(rest)
	if c, ok := Named(verb); ok {
		inv := c.parse(behind)
		line, _, _ := strings.Cut(behind, "\n")
		if c.Takes == SomeText || strings.TrimSpace(line) == "" || (inv.Problem == "" && c.Takes != anyWords) {
			return inv
		}
	}
	fix, _ := Named("fix")
	return fix.parse(rest)
}

func askedForHelp() Invocation {
	c, _ := Named("help")
	return Invocation{Command: c}
}

// cutWord cuts a leading word, in any case, off a line when white space or the end follows it.
func CutWord(line, word string) (rest string, ok bool) {
	if len(line) < len(word) || !strings.EqualFold(line[:len(word)], word) {
		return "", false
	}
	rest = line[len(word):]
	if rest != "" && !strings.ContainsRune(" \t\r\n", rune(rest[0])) {
		return "", false
	}
	return rest, true
}

// cutMention cuts "@slug" or "@slug[bot]", with a comma or colon behind it or not.
func CutMention(line, slug string) (rest string, ok bool) {
	for _, tail := range []string{"", "[bot]", ",", ":", "[bot],", "[bot]:"} {
		if rest, ok := CutWord(line, "@"+slug+tail); ok {
			return rest, true
		}
	}
	return "", false
}

// splitVerb takes the first word, without the colon or comma that people write behind a verb. The rest keeps its lines.
func splitVerb(text string) (verb, rest string) {
	text = strings.TrimLeft(text, " \t\r\n")
	if i := strings.IndexAny(text, " \t\r\n"); i >= 0 {
		text, rest = text[:i], text[i:]
	}
	return strings.ToLower(strings.TrimRight(text, ":,")), rest
}
