package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/sentence"
)

// failedChecks says of each failed check that the model saw how much of its output was shown, with a link to its page
// if that is GitHub's.
func failedChecks(ci *record.CI, repo port.Links) (out []string) {
	if ci == nil {
		return nil
	}
	for _, check := range ci.Failed[:min(len(ci.Failed), markdown.MaxListed)] {
		name := markdown.Code(markdown.Clip(check.Name, markdown.MaxCell))
		if page := pageOn(repo, check.Page); page != "" {
			name = fmt.Sprintf("[%s](%s)", name, page)
		}
		text := "failed check " + name
		if what := outputShown(check); what != "" {
			text += ": " + what
		}
		out = append(out, text)
	}
	if more := len(ci.Failed) - len(out) + ci.More; more > 0 {
		out = append(out, fmt.Sprintf("… and %d more", more))
	}
	return out
}

// outputShown says how much of the output of a check the model saw; empty if nobody asked for it.
func outputShown(check record.FailedCheck) string {
	var parts []string
	switch {
	case check.SameAs != "":
		parts = append(parts, "the same output as "+markdown.Code(markdown.Clip(check.SameAs, markdown.MaxCell)))
	case check.Lines > 0:
		parts = append(parts, fmt.Sprintf("%s %s of its output", humanize.Comma(int64(check.Lines)),
			english.PluralWord(check.Lines, "line", "")))
	}
	switch check.Log {
	case record.LogGone:
		parts = append(parts, "GitHub no longer has its log")
	case record.LogDenied, record.LogUnread:
		parts = append(parts, "its log could not be read")
	}
	return strings.Join(parts, "; ")
}

// ciNote says what the model should have seen of CI and did not.
func ciNote(ci *record.CI) string {
	if ci == nil {
		return ""
	}
	if ci.Unknown {
		return sentence.CIUnknown
	}
	asked := ci.Task
	names := map[record.LogState][]string{}
	for _, check := range ci.Failed {
		names[check.Log] = append(names[check.Log], check.Name)
		asked = asked || check.Log != "" || check.Lines > 0
	}
	if !asked {
		return ""
	}
	what := "Some of what CI reports"
	switch logs := slices.Contains(ci.Missing, sentence.ActionsRead); {
	case logs && len(ci.Missing) == 1:
		what = "The logs of failed jobs"
	case logs:
		what = "The logs of failed jobs, and some of what CI reports,"
	}
	var parts []string
	if text := sentence.PermissionsMissing(what, ci.Missing); text != "" {
		parts = append(parts, text)
	}
	if gone := names[record.LogGone]; len(gone) > 0 {
		parts = append(parts, sentence.LogsGone(gone))
	}
	if unread := names[record.LogUnread]; len(unread) > 0 {
		parts = append(parts, sentence.LogsUnread(unread))
	}
	return strings.Join(parts, " ")
}
