package report

import (
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// maxCommits bounds the commits of which one answer tells what CI said: those of a preview whose boxes were ticked one
// after another.
const maxCommits = 10

// roundsMark is the line above the rounds of autofix in an answer. Nothing that others wrote has it: it would have lost
// the beginning of the mark on its way into the answer.
const roundsMark = "<!-- tenon:rounds -->"

// ending is the end of an answer in its final form: the last line, with the run and what CI says of its commit, below
// the rounds of autofix and above what CI says of other commits.
type ending struct {
	// above is all that comes before.
	above  string
	rounds []string
	// who is who gave the command, run the run, as Markdown, and said what follows the run, from its separator on.
	who, run, said string
	commits        []string
	// marks are what tenon knows the answer by.
	marks []string
}

const (
	endingBegins = "<sub>"
	endingEnds   = "</sub>"
	// runSeparator is between who gave the command and the run.
	runSeparator = " · run "
)

// endingOf reads the end of an answer; ok is false if it has no last line of the run, as before its final form.
func endingOf(body, run string) (e ending, ok bool) {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	last := func() string { return strings.TrimSpace(lines[len(lines)-1]) }
	drop := func() { lines = lines[:len(lines)-1] }
	blank := func() {
		for len(lines) > 0 && last() == "" {
			drop()
		}
	}
	for blank(); len(lines) > 0 && strings.HasPrefix(last(), "<!-- tenon:"); blank() {
		e.marks = append([]string{last()}, e.marks...)
		drop()
	}
	for ; len(lines) > 0; drop() {
		line := last()
		text, isSub := strings.CutPrefix(line, endingBegins)
		text, whole := strings.CutSuffix(text, endingEnds)
		if !isSub || !whole {
			return ending{}, false
		}
		if e.who, e.run, e.said, ok = signedBy(text, run); ok {
			drop()
			break
		}
		e.commits = append([]string{line}, e.commits...)
	}
	if !ok {
		return ending{}, false
	}
	blank()
	e.above, e.rounds = roundsOf(lines)
	return e, true
}

// signedBy splits the last line of an answer to a run, without what it begins and ends with, in who gave the command,
// the run, with or without a link to its page, and what follows; ok is false if it is another line.
func signedBy(line, run string) (who, shown, said string, ok bool) {
	if before, link, isLink := strings.Cut(line, runSeparator+"["+run+"]("); isLink {
		url, after, closed := strings.Cut(link, ")")
		who, shown, said, ok = before, "["+run+"]("+url+")", after, closed
	} else {
		who, said, ok = strings.Cut(line, runSeparator+run)
		shown = run
	}
	return who, shown, said, ok && (said == "" || strings.HasPrefix(said, " · "))
}

// roundsOf splits the lines above the last line of an answer in what comes before the rounds, and the rounds.
func roundsOf(lines []string) (above string, rounds []string) {
	at := len(lines)
	for at > 0 && strings.HasPrefix(lines[at-1], "- ") {
		at--
	}
	if at > 0 && at < len(lines) && lines[at-1] == roundsMark {
		rounds, lines = lines[at:], lines[:at-1]
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n"), rounds
}

// text returns the end without what comes before it.
func (e ending) text() string {
	rounds := ""
	if len(e.rounds) > 0 {
		rounds = roundsMark + "\n" + strings.Join(e.rounds, "\n")
	}
	last := endingBegins + e.who + runSeparator + e.run + e.said + endingEnds
	if len(e.commits) > 0 {
		last += "\n" + strings.Join(e.commits, "\n")
	}
	return markdown.JoinSections([]string{rounds, last})
}

func (e ending) body() string {
	return markdown.JoinSections(append([]string{e.above, e.text()}, e.marks...))
}

// Ending returns the end of an answer to a run, from the rounds of autofix on, without what tenon knows it by; ok is
// false if the answer has no last line yet.
func Ending(body, run string) (text string, ok bool) {
	e, ok := endingOf(body, run)
	if !ok {
		return "", false
	}
	return e.text(), true
}
