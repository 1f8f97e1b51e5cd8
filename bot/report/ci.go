package report

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/secret"
)

// Bounds on what a line tells of checks.
const (
	maxChecks = 5
	// maxCheckName is in characters.
	maxCheckName = 60
)

// CI is what CI says of a commit.
type CI struct {
	// Outcome is what all checks came to together; empty if none has reported.
	Outcome port.CheckOutcome
	// Checks are those that made it so, if they failed or were cancelled.
	Checks []port.CommitCheck
	// Missing are the permissions without which not all of it was read. Most is how many checks were read if there are
	// more, else 0.
	Missing []string
	Most    int
	// Pending is how many checks had not ended when others had failed already.
	Pending int
}

// Overdue returns what is told of CI that takes long: that it failed, if a check did, though others have not ended.
func Overdue(c port.CommitChecks) CI {
	ended := c
	ended.Checks = slices.DeleteFunc(slices.Clone(c.Checks), func(check port.CommitCheck) bool {
		return check.Outcome == port.CheckPending
	})
	if now := CIOf(ended); now.Failed() {
		now.Pending = len(c.Checks) - len(ended.Checks)
		return now
	}
	return CIOf(c)
}

// CIOf returns what the checks of a commit came to: pending while one is, and failed if one failed. A check that was
// cancelled counts if none failed.
func CIOf(c port.CommitChecks) CI {
	out := CI{Missing: c.Missing}
	if c.More {
		out.Most = len(c.Checks)
	}
	by := map[port.CheckOutcome][]port.CommitCheck{}
	for _, check := range c.Checks {
		by[check.Outcome] = append(by[check.Outcome], check)
	}
	for _, o := range []port.CheckOutcome{port.CheckPending, port.CheckFailed, port.CheckCancelled, port.CheckPassed} {
		if len(by[o]) == 0 {
			continue
		}
		if out.Outcome = o; o == port.CheckFailed || o == port.CheckCancelled {
			out.Checks = by[o]
		}
		break
	}
	return out
}

// failedWords are what begins to tell that CI failed.
const failedWords = "CI failed: "

// Failed reports whether a check failed, and none is pending that is not counted in Pending.
func (c CI) Failed() bool { return c.Outcome == port.CheckFailed }

// words say it on one line. They link to pages on the host of the repository's page alone: a check may name any.
func (c CI) words(repo port.Links, links bool) string {
	switch c.Outcome {
	case port.CheckPassed:
		return "CI passed" + c.read()
	case port.CheckFailed:
		text := failedWords + c.names(repo, links)
		if c.Pending > 0 {
			text += fmt.Sprintf(", and %s not ended", english.Plural(c.Pending, "check has", "checks have"))
		}
		return text
	case port.CheckCancelled:
		return "CI was cancelled: " + c.names(repo, links)
	case port.CheckPending:
		return "CI is running"
	}
	return "CI has not reported yet" + c.read()
}

// read says what it is not based on that nothing failed.
func (c CI) read() string {
	var but []string
	for _, permission := range c.Missing {
		but = append(but, markdown.Code(permission)+" is missing")
	}
	if c.Most > 0 {
		but = append(but, fmt.Sprintf("only %s were read", english.Plural(c.Most, "check", "")))
	}
	if len(but) == 0 {
		return ""
	}
	return " (" + strings.Join(but, ", ") + ")"
}

// names lists the checks.
func (c CI) names(repo port.Links, links bool) string {
	var out []string
	for _, check := range c.Checks[:min(len(c.Checks), maxChecks)] {
		name := markdown.Code(markdown.Clip(secret.Redacted(check.Name), maxCheckName))
		if page := pageOn(repo, check.Page); links && page != "" {
			name = fmt.Sprintf("[%s](%s)", name, page)
		}
		out = append(out, name)
	}
	text := strings.Join(out, ", ")
	if more := len(c.Checks) - maxChecks; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// pageOn returns the address of a page for a link in Markdown, without a query, which could be anything; empty unless
// it is on the host of the repository's page, or if it has a secret.
func pageOn(repo port.Links, page string) string {
	if repo == nil {
		return ""
	}
	own, err := url.Parse(repo.Repository())
	if err != nil || own.Host == "" {
		return ""
	}
	u, err := url.Parse(page)
	if err != nil || u.Scheme != own.Scheme || !strings.EqualFold(u.Host, own.Host) || u.User != nil || u.Opaque != "" {
		return ""
	}
	clean := url.URL{Scheme: own.Scheme, Host: own.Host, Path: u.Path}
	link := clean.String()
	if len(link) > maxLink || secret.Redacted(u.Path) != u.Path {
		return ""
	}
	return link
}

// Told is what the last line of an answer tells of a commit.
type Told struct {
	CI CI
	// Run is the run that the last line names, and Commit the commit; it is empty if the run made no other.
	Run, Commit string
	Links       port.Links
	// Mention is the login of whoever asked for the commit, if the line mentions them; else empty.
	Mention string
	// Offers reports whether a command may be given.
	Offers func(verb string) bool
}

// In returns an answer whose last line tells it; ok is false if the answer has no such line, so that it is not in its
// final form. Silence is not told in place of anything else.
func (t Told) In(body string) (told string, ok bool) {
	e, ok := endingOf(body, t.Run)
	if !ok {
		return body, false
	}
	for _, links := range []bool{true, false} {
		if told = t.at(e, links).body(); len([]rune(told)) <= markdown.MaxBody {
			return told, true
		}
	}
	return body, true
}

func (t Told) at(e ending, links bool) ending {
	said := t.CI.words(t.Links, links)
	if t.CI.Failed() && t.Offers != nil && t.Offers(command.Fix) {
		said += " · `/tenon fix ci`"
	}
	silent := t.CI.Outcome == ""
	if t.Commit != "" {
		return t.atCommit(e, said, silent)
	}
	if silent && e.said != "" {
		return e
	}
	if e.said = " · " + said; t.Mention != "" {
		e.who = markdown.Mention(t.Mention)
	}
	return e
}

// atCommit tells it in a line of its own, below the last line of an answer that tells of several commits.
func (t Told) atCommit(e ending, said string, silent bool) ending {
	begins := "<sub>" + CommitLink(t.Links, t.Commit) + " · "
	line := begins + said + "</sub>"
	if t.Mention != "" {
		line = begins + said + " · " + markdown.Mention(t.Mention) + "</sub>"
	}
	for i, old := range e.commits {
		if strings.HasPrefix(old, begins) {
			if !silent {
				e.commits[i] = line
			}
			return e
		}
	}
	if e.commits = append(e.commits, line); len(e.commits) > maxCommits {
		e.commits = e.commits[len(e.commits)-maxCommits:]
	}
	return e
}

// TellsOfFailure reports whether an answer may tell that CI failed.
func TellsOfFailure(body string) bool { return strings.Contains(body, failedWords) }
