package sentence

import (
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// DeadLetter says that a command will not be tried again, and why as far as that helps a person. The cause's own words
// are for the log, where delivery finds them. Nobody is asked to give a command again that may be carried out.
func DeadLetter(cause error, delivery string, where DeadLetterState) string {
	why, then := deadLetterCause(cause)
	switch {
	case where.CommitLink != "":
		return fmt.Sprintf("**Committed**: %s on %s. %s, so tenon gave up on the rest of this answer. "+
			"Whoever runs this app finds the cause in its log under delivery `%s`.",
			where.CommitLink, where.branch(), why, delivery)
	case where.Committing && where.NotOnBranch:
		then = fmt.Sprintf("Nothing was committed: %s has no commit of this command. %s", where.branch(), then)
	case where.Committing:
		then = fmt.Sprintf("Look at the commits of %s first: this may have been committed. %s", where.branch(), then)
	}
	return fmt.Sprintf("%s, so tenon gave up. %s, whoever runs this app finds the cause in its log under "+
		"delivery `%s`.", why, then, delivery)
}

// DeadLetterState is how far a command was that will not be tried again.
type DeadLetterState struct {
	// CommitLink links to its commit; empty if it has none that is known of.
	CommitLink string
	// Committing reports whether there may be a commit that is not known of.
	Committing bool
	// NotOnBranch reports whether the branch was looked at, and has no commit of it.
	NotOnBranch bool
	// Branch is the one it worked on; empty if that is not known.
	Branch string
}

func (s DeadLetterState) branch() string {
	if s.Branch == "" {
		return "the branch"
	}
	return cell(s.Branch)
}

// deadLetterCause returns why a command will not be tried again, as far as that helps a person, and what to do. The
// cause's own words are for the log.
func deadLetterCause(cause error) (why, then string) {
	why = "An internal error kept tenon from finishing this"
	then = "Give the command again in a new comment. If that fails too"
	var wait *port.WaitError
	var denied *port.TokenError
	switch {
	case errors.As(cause, &wait) && outlasted[wait.For] != "":
		why = outlasted[wait.For] + " for as long as tenon waited"
		then = "Give the command again later. If that fails too"
	case errors.As(cause, &denied):
		return tokenDenied(denied)
	case errors.Is(cause, port.ErrDenied):
		why = "GitHub does not let this app finish this: a permission is missing, or the repository is no longer part of " +
			"the installation"
		then = "A maintainer can check the app's permissions and repositories in the settings of its installation. Then " +
			"give the command again. If nothing is wrong there"
	case unreachable(cause):
		why = "GitHub did not answer, or failed, each time tenon tried this"
		then = "Give the command again later. If that fails too"
	}
	return why, then
}

// outlasted are the sentences about what a run waited for until its patience was over.
var outlasted = map[port.WaitReason]string{
	port.GitHubLimit:  "GitHub's rate limit left no room for this",
	port.GitHubOutage: "GitHub did not answer, or failed,",
	port.GitHubLag:    "GitHub did not catch up with a push",
	port.AppRefused:   "GitHub did not accept the key of this app",
	port.ModelLimit:   "The quota of the model was used up",
	port.ModelOutage:  "The model did not answer, or its provider failed,",
	port.ModelBreak:   "The connection to the model broke during its reply, and its provider accepted no more requests",
	port.VerifyReport: "The workflow that tests edits had no result",

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
