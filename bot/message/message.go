// Package message makes the texts that programs read besides people: the subjects of commits, and the titles and
// descriptions of pull requests, of which a merge makes commits. GitHub, CI, release tools, trackers of issues and bots
// act on words in them, and must not act on what a model or a stranger wrote.
package message

import (
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/tenon-bot/tenon/bot/markdown"
)

const (
	// maxSubject is the length of a commit's first line at which tools begin to cut it, in bytes.
	maxSubject = 72
	// left is what remains of words that are taken out.
	left = "…"
)

var (
	subjectShape = regexp.MustCompile(`^[a-z]+(\([A-Za-z0-9_./-]+\))?: [^\s].*$`)
	// own matches the subjects that tenon itself makes, in which a reference is meant.
	own = regexp.MustCompile(`^(revert: )*(chore: (apply edits|carry out file operations) from #[0-9]+|` +
		`revert: the commit of run [a-z0-9]+)$`)
)

// IsSubject reports whether a line of a model can be the subject of a commit: one plain line of a conventional commit,
// of at most 72 bytes, that only says what was done.
func IsSubject(line string) bool {
	return len(line) <= maxSubject && utf8.ValidString(line) && !strings.ContainsFunc(line, markdown.Invisible) &&
		subjectShape.MatchString(line) && !acts(line)
}

// RevertOf returns the subject of a commit that reverts one with the given subject, which a run made.
func RevertOf(subject, run string) string {
	if own.MatchString(subject) || subject != "" && !strings.ContainsFunc(subject, markdown.Invisible) && !acts(subject) {
		return markdown.Clip("revert: "+subject, maxSubject)
	}
	return "revert: the commit of run " + run
}

// MergeOf returns the subject of a commit that merges one branch into another, in git's own words, unless a program
// might act on the names.
func MergeOf(theirs, ours string) string {
	subject := fmt.Sprintf("Merge branch '%s' into %s", theirs, ours)
	if strings.ContainsFunc(subject, markdown.Invisible) || acts(subject) {
		return "Merge the base branch"
	}
	return subject
}

// Title returns the title of a pull request for an issue's: on one line, in at most room characters, with an ellipsis
// for each word that a program might act on. instead is the title if no letter remains, and in place of a subject that
// tenon itself made, which says less.
func Title(issue string, room int, instead string) string {
	title := markdown.Clip(neutral(markdown.OneLine(issue), rules), room)
	if !strings.ContainsFunc(title, isLetter) || acts(title) || own.MatchString(issue) {
		return instead
	}
	return title
}

// Text returns what somebody wrote for a description or the body of a commit, with an ellipsis for each word that a
// program might act on. Its lines remain.
func Text(s string) string { return eachLine(s, rules) }

// Shown returns Markdown of a description, in which code and diffs are shown as they are. Programs that read the
// description as the message of a commit do not know what is code, so what skips CI or closes issues is taken out there
// too.
func Shown(md string) string { return eachLine(md, rulesForCode) }

func eachLine(s string, in []rule) string {
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = neutral(line, in)
	}
	return strings.Join(lines, "\n")
}

// acts reports whether some program might act on a line.
func acts(line string) bool { return neutral(line, rules) != line }

// neutral returns a line in which an ellipsis replaces all that the rules match. Programs differ in what forms of a
// character they take for the same, so the rules are matched to the line in compatibility form, and that form is
// returned if one matches.
func neutral(line string, in []rule) string {
	plain := norm.NFKC.String(strings.Map(visible, line))
	changed := false
	for range maxRounds {
		before := plain
		for _, r := range in {
			plain = r.remove(plain)
		}
		if plain == before {
			break
		}
		changed = true
	}
	if changed {
		return plain
	}
	return line
}

// maxRounds bounds how often a line is looked at again: taking something out can join what was around it.
const maxRounds = 4

func visible(r rune) rune {
	if r != '\t' && markdown.Invisible(r) {
		return -1
	}
	return r
}

func isLetter(r rune) bool {
	return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80 && r != '…'
}
