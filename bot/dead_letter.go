package bot

import (
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/report"
)

// deadLetterText is the answer to a command that will not be tried again. Nobody is asked to give a command again whose
// commit is made.
func deadLetterText(ev port.Event, cause error, rec record.Record) string {
	why, then := deadLetterCause(cause)
	switch {
	case committed(rec):
		return fmt.Sprintf("**Committed**: %s on %s. %s, so there is no more to say here; it will not try again by "+
			"itself. Whoever runs this app finds the cause in its log under delivery `%s`.",
			report.CommitLink(report.RepoURL(ev.Thread), rec.Committed.SHA), branchOf(rec), why, ev.Delivery)
	case rec.Committing && rec.Committed == nil:
		then = fmt.Sprintf("Look at the commits of %s first: this may have been committed. %s", branchOf(rec), then)
	}
	return fmt.Sprintf("%s; it will not try again by itself. %s, whoever runs this app finds the cause in its log "+
		"under delivery `%s`.", why, then, ev.Delivery)
}

// committed reports whether a record has the commit of its run.
func committed(rec record.Record) bool { return rec.Committed != nil && rec.Committed.SHA != "" }

// branchOf names the branch that a run works on.
func branchOf(rec record.Record) string {
	if rec.Target == nil {
		return "the branch"
	}
	return markdown.Code(markdown.Clip(rec.Target.Branch, markdown.MaxCell))
}

// deadLetterCause returns why a command will not be tried again, as far as that helps a person, and what to do. The
// cause's own words are for the log.
func deadLetterCause(cause error) (why, then string) {
	why = "An internal error kept tenon from finishing this"
	then = "Give the command once more in a new comment. If that ends here too"
	var wait *port.WaitError
	switch {
	case errors.As(cause, &wait) && outlasted[wait.For] != "":
		why = outlasted[wait.For] + " for as long as tenon waits"
		then = "Give the command once more in a while. If that ends here too"
	case errors.Is(cause, port.ErrDenied):
		why = "GitHub does not allow this app what it takes to finish this: a permission is missing, or the repository is " +
			"not part of the installation any more"
		then = "A maintainer can look at the app's permissions and repositories in the settings of its installation, and " +
			"then give the command again. If nothing is wrong there"
	case unreachable(cause):
		why = "GitHub did not answer, or failed, each time that tenon tried this"
		then = "Give the command once more in a while. If that ends here too"
	}
	return why, then
}

// outlasted are the sentences about what a run waited for until its patience was over.
var outlasted = map[port.WaitReason]string{
	port.GitHubLimit:  "GitHub's rate limit left no room for this",
	port.GitHubOutage: "GitHub did not answer, or failed,",
	port.GitHubLag:    "GitHub did not catch up with a push",
	port.ModelLimit:   "The quota of the model was used up",
	port.ModelOutage:  "The model did not answer, or its provider failed,",

	port.DatabaseOutage: "tenon's own database did not answer",
}

// unreachable reports whether an error of a connection or of time was the last of three.
func unreachable(err error) bool {
	var later interface{ RetryAfter() time.Duration }
	var network interface {
		Timeout() bool
		Temporary() bool
	}
	return errors.As(err, &later) && later.RetryAfter() > 0 || errors.As(err, &network)
}
