package gh

import (
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// refusedLately is how long after a refusal of the App no token is requested, which GitHub would refuse too: it blocks
// who goes on.
const refusedLately = 10 * time.Second

// refusedApp is the last refusal of the App, if it was not accepted since. Safe for concurrent use.
type refusedApp struct {
	now  func() time.Time
	last atomic.Pointer[refusalOfApp]
}

type refusalOfApp struct {
	why *port.AppRefusedError
	at  time.Time
}

func (r *refusedApp) remember(why *port.AppRefusedError) { r.last.Store(&refusalOfApp{why, r.now()}) }

func (r *refusedApp) forget() { r.last.Store(nil) }

// lately returns the refusal if it was a moment ago, else nil.
func (r *refusedApp) lately() *port.AppRefusedError {
	if last := r.last.Load(); last != nil && r.now().Sub(last.at) < refusedLately {
		return last.why
	}
	return nil
}

// Refused returns why GitHub refuses the App, nil if it accepted it last, or was not asked yet.
func (c *Client) Refused() *port.AppRefusedError {
	if last := c.refused.last.Load(); last != nil {
		return last.why
	}
	return nil
}

// explainRefusal returns a *port.AppRefusedError of err if what GitHub refused is the App itself; cause is the error of
// the request.
func (c *Client) explainRefusal(err, cause error) error {
	refused := c.appRefusal(err, cause)
	if refused == nil {
		return err
	}
	return refused
}

// appRefusal is explainRefusal, nil for any other error. The refusal is remembered.
func (c *Client) appRefusal(err, cause error) *port.AppRefusedError {
	var refused *github.ErrorResponse
	if !errors.As(cause, &refused) {
		return nil
	}
	out := &port.AppRefusedError{ID: c.appID, Fingerprint: c.fingerprint, Err: err}
	if theirs, parsed := http.ParseTime(refused.Response.Header.Get("Date")); parsed == nil {
		out.Ahead = c.now().Sub(theirs)
	}
	if out.Why = whyRefused(refused); out.Why == "" {
		return nil
	}
	if out.Why != port.NotAnAPI {
		c.refused.remember(out)
	}
	return out
}

// whyRefused returns why a response refuses the App, "" if it refuses something else.
func whyRefused(refused *github.ErrorResponse) port.AppRefusal {
	switch status, message := refused.Response.StatusCode, refused.Message; {
	case status == http.StatusUnauthorized && strings.Contains(message, " claim ("):
		return port.WrongClock
	case status == http.StatusUnauthorized:
		return port.WrongKey
	case status == http.StatusNotFound && strings.HasPrefix(message, "Integration not found"):
		return port.UnknownApp
	case status == http.StatusNotFound:
		return port.NotAnAPI
	}
	return ""
}
