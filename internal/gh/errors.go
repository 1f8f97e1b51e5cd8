package gh

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
)

// serverWait is when to try again after GitHub failed (5xx).
const serverWait = 30 * time.Second

// maxMessage bounds what is repeated of GitHub's words, in bytes.
const maxMessage = 500

// statusError is a no of GitHub's.
type statusError struct {
	status  int
	message string
	kind    error // bot.ErrNotFound, bot.ErrDenied or nil
}

func (e *statusError) Error() string {
	if e.message == "" {
		return fmt.Sprintf("GitHub answered %d", e.status)
	}
	return fmt.Sprintf("GitHub answered %d: %s", e.status, e.message)
}

func (e *statusError) Unwrap() error { return e.kind }

// Permanent says that the same request will be answered the same way. A 401 is none: the key may be set right meanwhile.
// Nor is a 404: what was written a moment ago is not yet everywhere at GitHub.
func (e *statusError) Permanent() bool {
	switch e.status {
	case http.StatusForbidden, http.StatusGone, http.StatusUnprocessableEntity, http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// serverError is a failure of GitHub's.
type serverError struct{ statusError }

// RetryAfter tells the queue when to try again.
func (e *serverError) RetryAfter() time.Duration { return serverWait }

// callerError is a request that GitHub would refuse, so it is not sent.
type callerError string

func (e callerError) Error() string { return string(e) }

// Permanent says that the same request stays wrong.
func (e callerError) Permanent() bool { return true }

// explain says what was asked for, and turns what go-github and net/http say into the bot's errors.
func (c *Client) explain(err error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), c.kindOf(err))
}

func (c *Client) kindOf(err error) error {
	var away *url.Error
	var limit *limitError
	var token *tokenError
	var no *github.ErrorResponse
	var over *http.MaxBytesError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &token):
		return token
	case errors.As(err, &limit):
		return limit
	case errors.As(err, &no):
		return ofStatus(no)
	case errors.As(err, &over):
		return fmt.Errorf("GitHub's answer is larger than %d bytes", over.Limit)
	case errors.As(err, &syntax):
		return fmt.Errorf("the answer of %s is not JSON; is this the address of GitHub's API? %w", c.base, err)
	case errors.As(err, &away):
		return fmt.Errorf("reaching %s: %w", c.base, away.Err)
	}
	return err
}

func ofStatus(no *github.ErrorResponse) error { return ofAnswer(no.Response.StatusCode, words(no)) }

func ofAnswer(status int, message string) error {
	e := statusError{status: status, message: message}
	switch {
	case e.status >= http.StatusInternalServerError:
		return &serverError{e}
	case e.status == http.StatusNotFound || e.status == http.StatusGone || e.status == http.StatusMovedPermanently:
		// Writes are not taken along to where an issue was transferred (301): it is no longer here.
		e.kind = port.ErrNotFound
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		e.kind = port.ErrDenied
	}
	return &e
}

// words are what GitHub said: the message, and those of its details.
func words(no *github.ErrorResponse) string {
	said := []string{no.Message}
	for _, e := range no.Errors {
		if e.Message != "" {
			said = append(said, e.Message)
		} else if e.Field != "" {
			said = append(said, e.Field+" "+e.Code)
		}
	}
	return oneLine(said)
}

func oneLine(said []string) string {
	text := strings.Join(strings.Fields(strings.Join(said, "; ")), " ")
	if len(text) > maxMessage {
		text = strings.ToValidUTF8(text[:maxMessage], "") + " …"
	}
	return text
}

// wrongApp is what to look at when GitHub does not know the App.
const wrongApp = " (do TENON_APP_ID and the private key belong together, and is this machine's clock right?)"

// explainApp says why it is not known which App this is.
func (c *Client) explainApp(err error) error {
	err = c.explain(err, "asking which App this is")
	if errors.Is(err, port.ErrDenied) || errors.Is(err, port.ErrNotFound) {
		return fmt.Errorf("%w%s", err, wrongApp)
	}
	return err
}

// tokenError says why there is no installation token. It comes out of requests that need one, and speaks for itself.
type tokenError struct {
	installation int64
	hint         string
	gone         bool
	cause        error
}

func (e *tokenError) Error() string {
	return fmt.Sprintf("asking for a token of installation %d: %s%s", e.installation, e.cause, e.hint)
}

func (e *tokenError) Unwrap() error { return e.cause }

// Permanent says that there will be no token: the App is not installed any more, or not with these rights.
func (e *tokenError) Permanent() bool {
	var p interface{ Permanent() bool }
	return e.gone || errors.As(e.cause, &p) && p.Permanent()
}

// noSuchRepository is GitHub's "There is at least one repository that does not exist or is not accessible to the parent
// installation."
const noSuchRepository = "repository that does not exist"

// explainToken says what a refused installation token means.
func (c *Client) explainToken(err error, g grant) error {
	out := &tokenError{installation: g.installation, cause: c.kindOf(err)}
	var no *statusError
	if !errors.As(out.cause, &no) {
		return out
	}
	switch no.status {
	case http.StatusUnauthorized:
		out.hint = wrongApp
	case http.StatusNotFound:
		out.hint, out.gone = " (the App is no longer installed there)", true
	case http.StatusUnprocessableEntity:
		no.kind = port.ErrDenied
		if strings.Contains(no.message, noSuchRepository) {
			no.kind = port.ErrNotFound
		}
		out.hint = fmt.Sprintf(" (for %s, repository %d must be part of the installation, and its owner must have accepted the App's permissions)", g.scope, g.repo)
	}
	return out
}
