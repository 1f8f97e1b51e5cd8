package gitrepo

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/text"
)

// ErrNotLoaded is returned for a file that is in the tree but was not loaded.
var ErrNotLoaded = errors.New("the file was not loaded")

// ErrNoChange is returned by Commit when there is nothing to commit.
var ErrNoChange = errors.New("nothing is changed")

// errMissing is the error for an expected object that is missing. A new request without the cache may succeed.
var errMissing = errors.New("an object is missing")

// errUnauthorized is the error for a token that the server does not accept.
var errUnauthorized = errors.New("the git server does not accept the token")

// connectionError returns the error of a connection that failed: a *port.WaitError, unless ctx ended or the server's
// certificate is not trusted.
func connectionError(ctx context.Context, err error) error {
	var certificate *tls.CertificateVerificationError
	if errors.Is(ctx.Err(), context.Canceled) || errors.As(err, &certificate) {
		return err
	}
	return &port.WaitError{For: port.GitHubOutage, Err: err}
}

// isUnanswered reports whether a request failed because the server cannot be reached, answers too slowly, or takes no
// requests now.
func isUnanswered(err error) bool {
	var wait *port.WaitError
	return errors.As(err, &wait) || errors.Is(err, errTimeout)
}

// guardError is the error of port.Guard, for a push that was not sent.
type guardError struct{ error }

func (e *guardError) Unwrap() error { return e.error }

// protocolError is the error of a response that does not follow the protocol: it is cut off, malformed, or not git's.
// The next attempt asks for the server's capabilities again, and does not use the cache.
type protocolError struct {
	text string
	// badRequest is true if the server refused the request with an HTTP status.
	badRequest bool
}

func (e *protocolError) Error() string             { return e.text }
func (e *protocolError) RetryAfter() time.Duration { return protocolRetry }

// protocolRetry is how long to wait after a malformed response.
const protocolRetry = 30 * time.Second

func malformed(format string, args ...any) error {
	return &protocolError{text: fmt.Sprintf("the git server's answer makes no sense: "+format, args...)}
}

// quoted returns a name from a repository as Markdown code, for a text that is posted.
func quoted[T string | []byte](name T) string {
	return "`" + strings.ReplaceAll(fmt.Sprintf("%.100q", name), "`", "'") + "`"
}

// userError returns the error for a repository that tenon cannot work on. The text, Markdown, is posted.
func userError(format string, args ...any) error {
	return &port.UserError{Text: fmt.Sprintf(format, args...)}
}

// serverText returns a server's text for a message: printable, and at most 4000 bytes long.
func serverText(s string) string {
	const most = 4000
	s = strings.ToValidUTF8(s, "�")
	s = strings.ReplaceAll(s, "\r", "\n")
	s = strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	s = text.Clip(s, most)
	return strings.TrimSpace(s)
}
