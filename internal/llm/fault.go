package llm

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"syscall"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// kind is the index of a fault in the table faults.
type kind int

const (
	_ kind = iota
	rateLimited
	unavailable
	unreachable
	stalled
	timedOut
	cutOff
	empty
	noText
	outOfQuota
	unauthorized
	forbidden
	notFound
	badRequest
	redirected
	notAModel
	contextLength
	filtered
	declined
	outOfTokens
	tooLarge
)

// faults are the properties of each kind: its name in the log, whether a retry may help, whether another model may help
// (a fault of the provider, not of the request), and the text for people, in which %s is the model's name.
var faults = [...]struct {
	name                string
	retryable, fallback bool
	text                string
}{
	rateLimited: {"rate limited", true, true,
		"The provider of the model %s is rate limiting requests."},
	unavailable: {"unavailable", true, true,
		"The provider of the model %s failed to answer."},
	unreachable: {"unreachable", true, true,
		"The provider of the model %s could not be reached."},
	stalled: {"stalled", true, true,
		"The model %s sent nothing for 90 seconds."},
	timedOut: {"timed out", false, true,
		"The model %s did not finish within 10 minutes. Ask for less at a time, or try again later."},
	cutOff: {"cut off", true, true,
		"The connection to the model %s broke before it said anything."},
	empty: {"empty answer", true, true,
		"The model %s gave an empty answer."},
	noText: {"no text", false, true,
		"The model %s ended without writing anything. Rephrase the command, and try again."},
	outOfQuota: {"out of quota", false, true,
		"The account at the provider of the model %s has no quota or credit left. " +
			"Whoever runs this app has to add some."},
	unauthorized: {"unauthorized", false, true,
		"The provider of the model %s did not accept the key. Whoever runs this app has to check the model's API key."},
	forbidden: {"forbidden", false, true,
		"The provider of the model %s does not allow this app to use it. " +
			"Whoever runs this app has to check what the API key may do."},
	notFound: {"not found", false, true,
		"The provider does not know the model %s, or the address is wrong. " +
			"Whoever runs this app has to check the model's name and base URL."},
	badRequest: {"bad request", false, true,
		"The provider of the model %s did not understand the request. " +
			"Whoever runs this app has to check the model's settings: provider, token field, headers and limits."},
	redirected: {"redirected", false, true,
		"The address of the model %s redirects elsewhere, and requests with a key do not follow redirects. " +
			"Whoever runs this app has to check the model's base URL."},
	notAModel: {"not a model's answer", false, true,
		"The server at the address of the model %s did not answer like a model. " +
			"Whoever runs this app has to check the model's base URL."},
	contextLength: {"context length", false, false,
		"This is more than the model %s can read at once. Name fewer files, " +
			"or a part of one like `path/to/file.go:120-180`, and ask again. Whoever runs this app can set the model's " +
			"`context_tokens` to the context size of its server, so that every prompt fits."},
	filtered: {"content filter", false, false,
		"The provider of the model %s stopped this with its content filter. Rephrase the command, " +
			"and try again."},
	declined: {"declined", false, false,
		"The model %s declined to work on this. Rephrase the command, and try again."},
	outOfTokens: {"out of tokens", false, false,
		"The model %s used up its token limit before it wrote an answer. Ask for less at a time; " +
			"whoever runs this app can allow longer answers."},
	tooLarge: {"too large", false, false,
		"The answer of the model %s grew beyond 2 MiB and was stopped. Ask for less at a time."},
}

// fault is why one attempt failed. It contains no text of the provider.
type fault struct {
	kind kind
	// status is the provider's HTTP status, 0 when there was none.
	status int
	// detail describes the connection's error, in fixed words.
	detail string
	// retryAt is the earliest time of a retry, as the provider asked for it; zero when it did not.
	retryAt time.Time
	// begun means that text of the answer was passed to the caller before the fault.
	begun bool
	// refused means that the provider did not work on the request, or was not reached.
	refused bool
	// usage is what the attempt cost, if the provider reported it before the fault.
	usage port.Usage
}

func (f *fault) Error() string { return f.String() }

// String returns the text for the log.
func (f *fault) String() string {
	text := faults[f.kind].name
	if f.detail != "" {
		text += ": " + f.detail
	}
	if f.status != 0 {
		text += fmt.Sprintf(" (HTTP %d)", f.status)
	}
	return text
}

// ProviderError is the error of a model that gave no answer after all attempts. It wraps a *port.UserError, which says
// what a person can do, and before that a *port.WaitError if the same request may be answered later without anybody's
// help. It contains no address, no key and no text of the provider.
type ProviderError struct {
	// Model is the model's name in this server's settings.
	Model string
	// Attempts counts the requests that were made.
	Attempts int
	// Fallback is true if another model may answer the same request.
	Fallback bool
	// Usage is what the attempts cost, as far as the provider reported it.
	Usage port.Usage

	fault *fault
}

// Error returns the text for the log.
func (e *ProviderError) Error() string {
	return fmt.Sprintf("asking the model %s: %s, attempt %d", e.Model, e.fault, e.Attempts)
}

// Fault returns what happened in two or three fixed words, such as "rate limited".
func (e *ProviderError) Fault() string { return faults[e.fault.kind].name }

// Unwrap returns a *port.UserError with the text for people, in a *port.WaitError if waiting may help.
func (e *ProviderError) Unwrap() error {
	reason, ok := e.fault.waitsFor()
	if !ok {
		return e.userError()
	}
	wait := &port.WaitError{For: reason, Err: e.userError()}
	if !e.fault.retryAt.IsZero() {
		wait.After = max(0, time.Until(e.fault.retryAt))
	}
	return wait
}

// waitsFor returns what a request waits for that had this fault; ok is false if the fault is of the request, of the
// settings, or such that each further attempt may cost as much as an answer.
func (f *fault) waitsFor() (reason port.WaitReason, ok bool) {
	switch {
	case f.detail == notTrusted:
		return "", false
	case f.kind == rateLimited, f.kind == outOfQuota:
		return port.ModelLimit, true
	case f.kind == unavailable, f.kind == unreachable, f.kind == cutOff:
		return port.ModelOutage, true
	}
	return "", false
}

// isOutage reports whether an answer that broke off by this fault may come whole later without anybody's help. The time
// limit of an attempt would end the next one too.
func (f *fault) isOutage() bool {
	_, waits := f.waitsFor()
	return waits || f.kind == stalled
}

func (e *ProviderError) userError() *port.UserError {
	text := fmt.Sprintf(faults[e.fault.kind].text, quoted(e.Model))
	switch retryable := faults[e.fault.kind].retryable; {
	case !e.fault.retryAt.IsZero():
		text += " Ask again after " + upToMinute(e.fault.retryAt).UTC().Format("15:04 UTC on 2 January") + "."
	case retryable:
		text += " Ask again in a few minutes."
	}
	return &port.UserError{Text: text}
}

// final returns the error after all attempts.
func (f *fault) final(model string, attempts int, usage port.Usage) error {
	return &ProviderError{Model: model, Attempts: attempts, Fallback: faults[f.kind].fallback, Usage: usage, fault: f}
}

// upToMinute rounds up to a minute.
func upToMinute(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

// faultOf returns the fault of an error of sending or reading. A watchdog's error comes first, as it causes others.
func faultOf(ctx context.Context, err error) *fault {
	cause := context.Cause(ctx)
	if own, ok := errors.AsType[*fault](err); ok && cause == nil {
		return own
	}
	switch {
	case errors.Is(cause, errIdle):
		return &fault{kind: stalled}
	case errors.Is(cause, errAttempt):
		return &fault{kind: timedOut}
	case errors.Is(err, errTooLarge):
		return &fault{kind: tooLarge}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, syscall.ECONNRESET):
		return &fault{kind: cutOff}
	}
	return &fault{kind: unreachable, detail: connection(err), refused: isNotSent(err)}
}

// isNotSent reports whether an error says that there was no connection to send a request on.
func isNotSent(err error) bool {
	var dial *net.OpError
	var dns *net.DNSError
	return errors.As(err, &dns) || errors.As(err, &dial) && dial.Op == "dial" || connection(err) == notTrusted
}

// notTrusted describes a certificate that only whoever runs the provider, or this app, can replace.
const notTrusted = "certificate not trusted"

// connection describes the error of a connection in fixed words; the error's own text may contain the address.
func connection(err error) string {
	var (
		dns       *net.DNSError
		authority x509.UnknownAuthorityError
		host      x509.HostnameError
		invalid   x509.CertificateInvalidError
		timeout   net.Error
	)
	switch {
	case errors.As(err, &dns):
		return "no such host"
	case errors.As(err, &authority), errors.As(err, &host), errors.As(err, &invalid):
		return notTrusted
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "connection timed out"
	}
	return "connection broken"
}

// quoted returns Markdown that shows a name unchanged.
func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "") + "`" }

// errTooLarge is the error for more data than any answer needs.
var errTooLarge = errors.New("larger than any answer needs to be")
