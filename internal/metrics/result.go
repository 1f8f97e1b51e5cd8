package metrics

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/tenon-bot/tenon/bot/port"
)

// waits are the names of reasons to wait, as values of a label.
var waits = map[port.WaitReason]string{
	port.GitHubLimit:     "github_limit",
	port.GitHubOutage:    "github_outage",
	port.GitHubLag:       "github_lag",
	port.AppRefused:      "app_refused",
	port.ModelLimit:      "model_limit",
	port.ModelOutage:     "model_outage",
	port.ModelBreak:      "model_break",
	port.TooManyCommands: "too_many_commands",
	port.CIReport:        "ci",
	port.VerifyReport:    "verify",
	port.DatabaseOutage:  "database",
}

// other is the value of a label for what it has no value of its own for.
const other = "other"

func waitName(reason port.WaitReason) string {
	if name, ok := waits[reason]; ok {
		return name
	}
	return other
}

// isCancelled reports whether an error is that of something that was cancelled, or ended with its context.
func isCancelled(err error) bool {
	var by *port.CancelledError
	return errors.As(err, &by) || errors.Is(err, context.Canceled)
}

// stepResult returns how a step of a run ended.
func stepResult(err error) string {
	var wait *port.WaitError
	var user *port.UserError
	switch {
	case err == nil:
		return "ok"
	case isCancelled(err):
		return "cancelled"
	case errors.As(err, &wait):
		return "waits"
	case errors.As(err, &user):
		return "refused"
	}
	return "failed"
}

// attemptResult returns how an attempt at handling an event ended.
func attemptResult(err error) string {
	switch result := stepResult(err); {
	case result == "ok":
		return "done"
	case errors.Is(err, port.ErrLeaseLost):
		return "stopped"
	case result == "refused": // it was to be the answer
		return "failed"
	default:
		return result
	}
}

// modelResult returns how a call of a model ended. An adapter's error may name its fault, in a few fixed words.
func modelResult(answer port.Answer, err error) string {
	var fault interface{ Fault() string }
	var user *port.UserError
	var wait *port.WaitError
	switch {
	case err == nil && answer.Cut:
		return "cut"
	case err == nil:
		return "ok"
	case errors.As(err, &fault):
		return strings.Map(func(r rune) rune {
			if r < 'a' || r > 'z' {
				return '_'
			}
			return r
		}, fault.Fault())
	case isCancelled(err):
		return "cancelled"
	case errors.Is(err, context.DeadlineExceeded):
		return "timed_out"
	case errors.As(err, &user) && user.Reason == port.ReasonBudget:
		return "over_budget"
	case errors.As(err, &wait):
		return waitName(wait.For)
	}
	return other
}

func deliveryResult(status int) string {
	switch {
	case status == http.StatusAccepted:
		return "accepted"
	case status == http.StatusNoContent:
		return "not_needed"
	case status >= http.StatusInternalServerError:
		return "failed"
	case status >= http.StatusBadRequest:
		return "refused"
	}
	return "answered"
}

// statusText returns a status as the value of a label.
func statusText(status int) string {
	if status < 100 || status > 599 {
		return other
	}
	return strconv.Itoa(status)
}

// oneOf returns name if it is in a list, else "other".
func oneOf(list []string, name string) string {
	if slices.Contains(list, name) {
		return name
	}
	return other
}
