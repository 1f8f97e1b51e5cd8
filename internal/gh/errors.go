package gh

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/google/go-github/v66/github"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
	"github.com/tenon-bot/tenon/internal/text"
)

// maxMessage bounds GitHub's message in an error, in bytes.
const maxMessage = 500

// statusError is GitHub's refusal of a request.
type statusError struct {
	status  int
	message string
	kind    error // port.ErrNotFound, port.ErrDenied or nil
}

func (e *statusError) Error() string {
	if e.message == "" {
		return fmt.Sprintf("GitHub answered %d", e.status)
	}
	return fmt.Sprintf("GitHub answered %d: %s", e.status, e.message)
}

func (e *statusError) Unwrap() error { return e.kind }

// Permanent reports whether the same request would be refused again. A 401 is not permanent, because the key may be
// corrected, and a 404 is not, because what was just written may not be visible everywhere at GitHub.
func (e *statusError) Permanent() bool {
	switch e.status {
	case http.StatusForbidden, http.StatusGone, http.StatusUnprocessableEntity, http.StatusUnavailableForLegalReasons:
		return true
	}
	return false
}

// serverError is a failure of GitHub (5xx).
type serverError struct{ statusError }

// outage returns the error of what GitHub cannot do for now; after is when to try again, 0 if that is unknown.
func outage(err error, after time.Duration) error {
	return &port.WaitError{For: port.GitHubOutage, After: after, Err: err}
}

// redirectError is the error of an answer that leads to another host.
type redirectError string

func (e redirectError) Error() string { return string(e) }

// callerError is the error of a request that is not sent, because GitHub would refuse it.
type callerError string

func (e callerError) Error() string { return string(e) }

// Permanent returns true.
func (e callerError) Permanent() bool { return true }

// guardError is the error of port.Guard or port.Pace, for a request that was not sent.
type guardError struct{ error }

func (e *guardError) Unwrap() error { return e.error }

// explain returns an error that says what was requested, and turns errors of go-github and net/http into those of bot.
func (c *Client) explain(err error, format string, args ...any) error {
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), c.kindOf(err))
}

func (c *Client) kindOf(err error) error {
	var network *url.Error
	var guard *guardError
	var limit *limitError
	var token *tokenError
	var plain plainRefusedError
	var caller callerError
	var refused *github.ErrorResponse
	var away redirectError
	var tooLarge *http.MaxBytesError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &guard):
		return guard.error
	case errors.As(err, &token):
		return token
	case errors.As(err, &plain):
		return plain
	case errors.As(err, &caller):
		return caller
	case errors.As(err, &limit):
		return &port.WaitError{For: port.GitHubLimit, After: limit.after, Err: limit}
	case errors.As(err, &refused):
		return c.kindOfRefusal(refused)
	case errors.As(err, &tooLarge):
		return fmt.Errorf("GitHub's answer is larger than %d bytes", tooLarge.Limit)
	case errors.As(err, &syntax):
		return fmt.Errorf("the answer of %s is not JSON; is this the address of GitHub's API? %w", c.base, err)
	case errors.As(err, &network):
		err = fmt.Errorf("reaching %s: %w", c.base, network.Err)
		switch {
		case isUntrusted(err):
			return fmt.Errorf("%w (if an authority of your own signed it, SSL_CERT_FILE names the file of its certificate)", err)
		case errors.As(err, &away), errors.Is(err, context.Canceled):
			return err
		}
		return outage(err, 0)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, context.DeadlineExceeded):
		return outage(fmt.Errorf("reading the answer of %s: %w", c.base, err), 0)
	}
	return err
}

// isUntrusted reports whether a server's certificate is why a connection failed, which somebody has to change.
func isUntrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}

// kindOfRefusal returns the error of a response that is none of success. GitHub may refuse a token for a while that it
// has just created, and one that was replaced: a 401 is waited out. That of the App's own key is explainRefusal's.
func (c *Client) kindOfRefusal(refused *github.ErrorResponse) error {
	status := refused.Response.StatusCode
	switch {
	case status >= http.StatusInternalServerError:
		after := time.Duration(0)
		if wait, _ := retry.After(refused.Response.Header, time.Now()); wait > 0 {
			after = clamp(wait)
		}
		return outage(&serverError{statusError{status: status, message: messages(refused)}}, after)
	case status == http.StatusUnauthorized && !c.isForApp(refused.Response.Request):
		return outage(&statusError{status: status, message: messages(refused)}, 0)
	}
	return c.denied(newStatusError(status, messages(refused)),
		permissionsIn(refused.Response.Header.Get(acceptedPermissions)))
}

// isForApp reports whether a request is one that the App's key authorises.
func (c *Client) isForApp(req *http.Request) bool {
	path, ok := strings.CutPrefix(req.URL.Path, c.base.Path)
	return ok && (path == "app" || strings.HasPrefix(path, "app/"))
}

// newStatusError returns the error of a response's status and message.
func newStatusError(status int, message string) error {
	e := statusError{status: status, message: message}
	switch {
	case e.status >= http.StatusInternalServerError:
		return outage(&serverError{e}, 0)
	case e.status == http.StatusNotFound || e.status == http.StatusGone || e.status == http.StatusMovedPermanently:
		// A write to a transferred issue is not redirected (301): the issue is no longer here.
		e.kind = port.ErrNotFound
	case e.status == http.StatusUnauthorized || e.status == http.StatusForbidden:
		e.kind = port.ErrDenied
	}
	return &e
}

// messages returns the message of a response, and those of its details, in one line.
func messages(refused *github.ErrorResponse) string {
	all := []string{refused.Message}
	for _, e := range refused.Errors {
		if e.Message != "" {
			all = append(all, e.Message)
		} else if e.Field != "" {
			all = append(all, e.Field+" "+e.Code)
		}
	}
	return oneLine(all)
}

func oneLine(messages []string) string {
	return text.Clip(text.OneLine(strings.Join(messages, "; ")), maxMessage)
}

// explainApp returns the error of a request for the App.
func (c *Client) explainApp(err error) error {
	return c.explainRefusal(c.explain(err, "asking which App this is"), err)
}

// waitIfUnreachable makes a *port.WaitError of the error of a request that GitHub did not answer, or could not.
func waitIfUnreachable(err error) error {
	var wait *port.WaitError
	var limit *limitError
	var failed *serverError
	var network net.Error
	switch {
	case errors.As(err, &wait):
		return err
	case errors.As(err, &limit):
		return &port.WaitError{For: port.GitHubLimit, After: limit.after, Err: err}
	case errors.As(err, &failed), errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return &port.WaitError{For: port.GitHubOutage, Err: err}
	}
	return err
}

// tokenError is the error of a request for an installation token. Requests that need one return it unchanged.
type tokenError struct {
	installation int64
	hint         string
	uninstalled  bool
	cause        error
}

func (e *tokenError) Error() string {
	return fmt.Sprintf("asking for a token of installation %d: %s%s", e.installation, e.cause, e.hint)
}

func (e *tokenError) Unwrap() error { return e.cause }

// Permanent reports whether there will be no token: the App is not installed any more, or not with these permissions.
func (e *tokenError) Permanent() bool {
	var p interface{ Permanent() bool }
	return e.uninstalled || errors.As(e.cause, &p) && p.Permanent()
}

// waitForApp returns the error of a token that GitHub gives nobody who cannot prove to be the App: somebody has to put
// its key right, or the clock, and until then nothing of the App's can be handled.
func waitForApp(refused *port.AppRefusedError) error {
	return &port.WaitError{For: port.AppRefused, Err: refused}
}

// plainRefusedError is the error of a token that GitHub does not accept. It wraps port.ErrDenied.
type plainRefusedError string

const errPlainRefused plainRefusedError = "GitHub does not accept the token: it expired, was revoked, or is for " +
	"another server"

func (e plainRefusedError) Error() string { return string(e) }

func (e plainRefusedError) Unwrap() error { return port.ErrDenied }

// Permanent returns true.
func (e plainRefusedError) Permanent() bool { return true }

// isUngranted reports whether an error is that of a token with permissions that the owner has not accepted.
func isUngranted(err error) bool {
	var token *tokenError
	var refused *statusError
	return errors.As(err, &token) && errors.Is(err, port.ErrDenied) && errors.As(err, &refused) &&
		refused.status == http.StatusUnprocessableEntity
}

// limitError is the error of a request that GitHub's rate limit does not allow for some time.
type limitError struct{ after time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("GitHub's rate limit is reached; the next request may go out in %s", e.after.Round(time.Second))
}

// denied returns the *port.TokenError of a refusal by which a plain token is not allowed something, and any other error
// as it is. needs are the permissions that it takes.
func (c *Client) denied(err error, needs []string) error {
	var status *statusError
	if c.plain == nil || !errors.As(err, &status) {
		return err
	}
	out := &port.TokenError{Kind: c.plain.kind(), Err: err}
	switch {
	case strings.Contains(status.message, notWorkflows):
		out.Limit = port.WorkflowFiles
	case strings.HasPrefix(status.message, notPulls):
		out.Limit = port.NewPulls
	case isDenied(status.message) && out.Kind == port.JobToken && slices.Contains(needs, "workflows: write"):
		out.Limit = port.WorkflowFiles // no workflow can name that permission
	case isDenied(status.message):
		out.Lacks = slices.Clone(needs)
	default:
		return err
	}
	return out
}
