package bot

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxCommentBytes bounds the comment that is read for a command: GitHub's limit is 65,536 characters of up to 4 bytes.
const maxCommentBytes = 4 * 65536

// Command is one verb. Help is made from these fields.
type Command struct {
	Verb string
	// Usage is the command as one types it, with its arguments.
	Usage       string
	Description string
	Example     string
	// Needs is the least permission of whoever gives it.
	Needs Permission

	run func(context.Context, *session) error
}

// Commands lists what tenon can be told, in the order of its help.
func Commands() []Command {
	return []Command{
		{
			Verb:        "fix",
			Usage:       "/tenon fix [--model NAME] <what>",
			Description: "ask the model for the change, apply its edits, and commit them to the pull request's branch",
			Example:     "/tenon fix the nil check in `server/start.go`",
			Needs:       PermissionWrite,
			run:         runFix,
		},
		{
			Verb:        "help",
			Usage:       "/tenon help",
			Description: "show this table",
			Example:     "/tenon help",
			Needs:       PermissionRead,
			run:         runHelp,
		},
	}
}

// invocation is a command as somebody gave it.
type invocation struct {
	command Command
	options options
	// text is everything after the verb and its options, to the end of the comment, trimmed.
	text string
	// problem, when set, is why this is no command that can be run, for the person who gave it.
	problem string
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
		return invocation{command: commandNamed("help")}
	}
	verb, text := splitVerb(rest)
	c := commandNamed(verb)
	if c.Verb == "" {
		return invocation{command: Command{Verb: "unknown", Needs: PermissionRead}, problem: unknownVerb(verb)}
	}
	return check(invocation{command: c, text: text})
}

// parseMention reads what follows "@slug": a verb if the word is one, else all of it is what to fix.
func parseMention(rest string) invocation {
	verb, text := splitVerb(rest)
	if c := commandNamed(verb); c.Verb != "" && (c.takesText() || text == "") {
		return check(invocation{command: c, text: text})
	}
	if strings.TrimSpace(rest) == "" {
		return invocation{command: commandNamed("help")}
	}
	return check(invocation{command: commandNamed("fix"), text: strings.TrimSpace(rest)})
}

// check reads the options of a command that takes a text, and asks for the text when there is none.
func check(inv invocation) invocation {
	if !inv.command.takesText() {
		return inv
	}
	if inv.options, inv.text, inv.problem = parseOptions(inv.text); inv.problem != "" {
		return inv
	}
	if inv.text == "" {
		inv.problem = fmt.Sprintf("What should be fixed? Say it behind the verb: `%s`, for example `%s`.", inv.command.Usage, codeText(inv.command.Example))
	}
	return inv
}

func (c Command) takesText() bool { return strings.Contains(c.Usage, "<") }

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

// splitVerb takes the first word, without the colon or comma that people write behind a verb.
func splitVerb(rest string) (verb, text string) {
	verb, text = cutField(strings.TrimSpace(rest))
	return strings.ToLower(strings.TrimRight(verb, ":,")), text
}

func commandNamed(verb string) Command {
	for _, c := range Commands() {
		if c.Verb == verb {
			return c
		}
	}
	return Command{}
}

// unknownVerb is the usage that answers a verb that there is not, with the nearest one.
func unknownVerb(verb string) string {
	text := fmt.Sprintf("tenon knows no command %s.", codeSpan(clip(verb, 40)))
	best, distance := "", 3
	for _, c := range Commands() {
		if d := editDistance(verb, c.Verb); d < distance {
			best, distance = c.Verb, d
		}
	}
	if best != "" {
		text += fmt.Sprintf(" Did you mean `/tenon %s`?", best)
	}
	return text + "\n\n" + helpTable()
}

// editDistance is Levenshtein's, on bytes; words longer than 20 are as far as can be.
func editDistance(a, b string) int {
	if len(a) > 20 || len(b) > 20 {
		return 20
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j+1]+1, row[j]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
