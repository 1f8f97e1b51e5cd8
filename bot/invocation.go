package bot

import (
	"strings"
	"unicode/utf8"
)

// invocation is a command as somebody gave it.
type invocation struct {
	command Command
	options options
	// text is everything behind a verb that takes a text, and its options, to the end of the comment; for any other, what is below
	// the command's line. Trimmed.
	text string
	// numbers are those that were named, each once, as they were named; nil means all.
	numbers []int
	// run is the run that was named; empty means the newest.
	run string
	// problem, when set, is why this is no command that can be run, for the person who gave it.
	problem string
}

// invocationOf is the command that an event gives: slug is the app's name, label the one that starts a fix.
func invocationOf(ev Event, slug, label string) (invocation, bool) {
	switch ev.Kind {
	case Labeled:
		return labelled(ev, label)
	case Pressed:
		return pressed(ev.Button)
	case Ticked:
		return tickedIn(ev)
	case Closed:
		return invocation{}, false
	}
	return parseInvocation(ev.Comment.Body, slug)
}

// Aside says whether an event does not wait for the others of its thread: what is answered without touching anything, and
// what is no command that could be run, which is told at once.
func Aside(ev Event, slug string) bool {
	switch ev.Kind {
	case Labeled, Pressed, Ticked, Closed:
		return false
	}
	inv, ok := parseInvocation(ev.Comment.Body, slug)
	return ok && (inv.command.Aside || inv.problem != "")
}

// Asks says whether a text holds a command, be it one that can be run or not.
func Asks(body, slug string) bool {
	_, ok := parseInvocation(body, slug)
	return ok
}

// labelled is what a label asks for: what the issue or pull request says.
func labelled(ev Event, label string) (invocation, bool) {
	c, ok := commandNamed("fix")
	text := strings.TrimSpace(ev.Thread.Title + "\n\n" + ev.Comment.Body)
	if !ok || text == "" || !strings.EqualFold(ev.Label, label) { // GitHub's labels are one in any case
		return invocation{}, false
	}
	return invocation{command: c, text: text}, true
}

// pressed is what a button of a check run asks for: its verb, for the run of the check.
func pressed(b *Button) (invocation, bool) {
	if b == nil || !isRunID(b.Run) {
		return invocation{}, false
	}
	switch b.Verb {
	case "undo", "retry", "apply":
		c, ok := commandNamed(b.Verb)
		return invocation{command: c, run: b.Run}, ok
	}
	return invocation{}, false
}

// tickedIn is what newly ticked boxes of a preview ask for: to apply those blocks of its run.
func tickedIn(ev Event) (invocation, bool) {
	run, marked := previewRun(ev.Comment.Body)
	c, ok := commandNamed("apply")
	n := NewTicks(ev.Before, ev.Comment.Body)
	return invocation{command: c, numbers: n, run: run}, marked && ok && len(n) > 0
}

// parseInvocation finds the first command in a comment: a line of prose that starts with "/tenon" or "@slug". Lines that
// GitHub shows as quoted or as code are not commands.
func parseInvocation(body, slug string) (invocation, bool) {
	if len(body) > maxCommentBytes || !utf8.ValidString(body) {
		return invocation{}, false
	}
	for _, at := range proseLines(body) {
		line := body[at:]
		if rest, ok := cutWord(line, "/tenon"); ok {
			return parseSlash(rest), true
		}
		if rest, ok := cutMention(line, slug); ok {
			return parseMention(rest), true
		}
	}
	return invocation{}, false
}

func parseSlash(rest string) invocation {
	line, _, _ := strings.Cut(rest, "\n")
	if strings.TrimSpace(line) == "" {
		return askedForHelp()
	}
	verb, rest := splitVerb(rest)
	c, ok := commandNamed(verb)
	if !ok {
		return invocation{command: Command{Verb: "unknown", Needs: PermissionRead}, problem: unknownVerb(verb)}
	}
	return c.parse(rest)
}

// parseMention reads what follows "@slug": a command if the first word is a verb and the rest fits it, else all of it is what
// to fix.
func parseMention(rest string) invocation {
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return askedForHelp()
	}
	verb, behind := splitVerb(rest)
	if c, ok := commandNamed(verb); ok {
		inv := c.parse(behind)
		line, _, _ := strings.Cut(behind, "\n")
		if c.takes == someText || strings.TrimSpace(line) == "" || (inv.problem == "" && c.takes != anyWords) {
			return inv
		}
	}
	fix, _ := commandNamed("fix")
	return fix.parse(rest)
}

func askedForHelp() invocation {
	c, _ := commandNamed("help")
	return invocation{command: c}
}

// cutWord cuts a leading word, in any case, off a line when white space or the end follows it.
func cutWord(line, word string) (rest string, ok bool) {
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
func cutMention(line, slug string) (rest string, ok bool) {
	for _, tail := range []string{"", "[bot]", ",", ":", "[bot],", "[bot]:"} {
		if rest, ok := cutWord(line, "@"+slug+tail); ok {
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
