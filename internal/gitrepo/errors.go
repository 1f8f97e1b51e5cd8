package gitrepo

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/port"
)

// ErrNotLoaded says that a file stands in the tree, but Load did not bring its bytes.
var ErrNotLoaded = errors.New("the file was not loaded")

// ErrNoChange says that there is nothing to commit.
var ErrNoChange = errors.New("nothing is changed")

// errMissing says that an object was counted on and is not there; asking again without the cache heals it.
var errMissing = errors.New("an object is missing")

// retryError says that the same may work later.
type retryError struct {
	err   error
	after time.Duration
}

func (e *retryError) Error() string             { return e.err.Error() }
func (e *retryError) Unwrap() error             { return e.err }
func (e *retryError) RetryAfter() time.Duration { return e.after }

// protocolError says that the answer is not what the protocol promises: cut short, garbled, or not git's at all. The next
// attempt asks the server anew what it can, and leaves the cache aside.
type protocolError struct {
	text string
	// refused says that the request itself was turned down, by its HTTP status.
	refused bool
}

func (e *protocolError) Error() string             { return e.text }
func (e *protocolError) RetryAfter() time.Duration { return protocolRetry }

// protocolRetry is how long to leave a server alone that answered nonsense.
const protocolRetry = 30 * time.Second

func garbled(format string, args ...any) error {
	return &protocolError{text: fmt.Sprintf("the git server's answer makes no sense: "+format, args...)}
}

// quoted shows a name that a repository chose, inside a text that is posted: as code, so that Markdown makes nothing of it.
func quoted[T string | []byte](name T) string {
	return "`" + strings.ReplaceAll(fmt.Sprintf("%.100q", name), "`", "'") + "`"
}

// refused is a repository that tenon does not work on; somebody can do something about it. The text is posted as Markdown.
func refused(format string, args ...any) error {
	return &port.UserError{Text: fmt.Sprintf(format, args...)}
}

// serverText makes what a server says fit for a message: printable, bounded.
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
	if len(s) > most {
		cut := most
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strings.TrimSpace(s)
}
