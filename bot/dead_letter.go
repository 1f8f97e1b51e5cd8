package bot

import (
	"errors"
	"fmt"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// deadLetterText is the answer to a command that will not be tried again: why, as far as that helps a person. The
// cause's own words are for the log.
func deadLetterText(ev port.Event, cause error) string {
	why := "An internal error kept tenon from finishing this"
	then := "Give the command once more in a new comment. If that ends here too"
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
	return fmt.Sprintf("%s; it will not try again by itself. %s, whoever runs this app finds the cause in its log "+
		"under delivery `%s`.", why, then, ev.Delivery)
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
