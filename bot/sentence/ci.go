package sentence

import (
	"fmt"
	"strings"

	"github.com/dustin/go-humanize/english"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// The names of checks are those that workflows and other apps chose; they are shown as code.

// ActionsRead is the permission that the logs of jobs need.
const ActionsRead = "actions: read"

// maxChecks is how many checks a sentence names.
const maxChecks = 5

// ChecksInWords names checks, each as code.
func ChecksInWords(names []string) string {
	list := make([]string, 0, maxChecks+1)
	for _, name := range names[:min(len(names), maxChecks)] {
		list = append(list, cell(name))
	}
	if more := len(names) - len(list); more > 0 {
		list = append(list, fmt.Sprintf("%d more", more))
	}
	return english.WordSeries(list, "and")
}

// CIHasNoBranch is the refusal to fix what CI reports on an issue for which there is no branch.
func CIHasNoBranch() *port.UserError {
	return refusal("tenon has no branch for this issue yet, so there is nothing that CI could have checked. `/tenon " +
		"fix` works on the issue, and `/tenon fix ci` on what CI reports of the branch then.")
}

// CIReportsNothing is the refusal to fix what CI reports of a commit that has no checks. link is the commit.
func CIReportsNothing(link string, missing []string) *port.UserError {
	return refusal("%s", spaced("CI has reported nothing on "+link+", so the model was not asked.",
		PermissionsMissing("Some of what CI reports", missing),
		"If something is wrong, say in the command what it is: `/tenon fix <what>`."))
}

// CIStillRuns is the refusal to fix what CI reports while nothing has failed and these checks have not ended. link is
// the commit.
func CIStillRuns(link string, names, missing []string) *port.UserError {
	return refusal("%s", spaced(fmt.Sprintf("CI reports no failure on %s so far, and %s still %s, so the model was not "+
		"asked. Give the command again when CI has finished.", link, ChecksInWords(names),
		english.PluralWord(len(names), "runs", "run")), PermissionsMissing("Some of what CI reports", missing)))
}

// CIReportsNoFailure is the refusal to fix what CI reports of a commit on which nothing failed. link is the commit,
// cancelled are the checks that somebody stopped.
func CIReportsNoFailure(link string, cancelled, missing []string) *port.UserError {
	stopped := ""
	if len(cancelled) > 0 {
		stopped = fmt.Sprintf("%s %s cancelled.", ChecksInWords(cancelled), english.PluralWord(len(cancelled), "was", "were"))
	}
	return refusal("%s", spaced("CI reports no failure on "+link+", so the model was not asked.", stopped,
		PermissionsMissing("Some of what CI reports", missing),
		"If something is wrong anyway, say in the command what it is: `/tenon fix <what>`."))
}

// PermissionsMissing says that something could not be read because the app lacks these permissions; empty if it lacks
// none.
func PermissionsMissing(subject string, permissions []string) string {
	if len(permissions) == 0 {
		return ""
	}
	var list []string
	for _, p := range permissions {
		list = append(list, markdown.Code(p))
	}
	return fmt.Sprintf("%s could not be read: this app does not have the %s %s here. %s", subject,
		english.PluralWord(len(list), "permission", ""), english.WordSeries(list, "and"), HowToGrant)
}

// LogsGone says that GitHub no longer has the logs of these jobs.
func LogsGone(names []string) string {
	return fmt.Sprintf("GitHub no longer has %s of %s, so the model did not see why %s failed.", aLog(names),
		ChecksInWords(names), english.PluralWord(len(names), "it", "they"))
}

// LogsUnread says that GitHub did not return the logs of these jobs.
func LogsUnread(names []string) string {
	return fmt.Sprintf("GitHub did not return %s of %s, so the model did not see why %s failed.", aLog(names),
		ChecksInWords(names), english.PluralWord(len(names), "it", "they"))
}

func aLog(names []string) string { return english.PluralWord(len(names), "the log", "the logs") }

// CIUnknown says that GitHub did not tell what CI reports.
const CIUnknown = "GitHub did not say which checks of the branch failed, so the model did not see what CI reports."

// spaced joins the sentences that are not empty.
func spaced(sentences ...string) string {
	var out []string
	for _, s := range sentences {
		if s != "" {
			out = append(out, s)
		}
	}
	return strings.Join(out, " ")
}
