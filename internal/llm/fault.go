package llm

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"syscall"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// kind is a row of the table of faults.
type kind int

const (
	_ kind = iota
	rateLimited
	unavailable
	unreachable
	stalled
	timedOut
	cutEarly
	empty
	silent
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
	spent
	tooLarge
)

// faults says of each kind: its name in the log, whether asking again may help, whether another model may help (a fault of
// the provider, not of the request), and what the person reads. %s is the model's name.
var faults = [...]struct {
	name             string
	again, elsewhere bool
	text             string
}{
	rateLimited:   {"rate limited", true, true, "The provider of the model %s takes no more requests for now."},
	unavailable:   {"unavailable", true, true, "The provider of the model %s has trouble and gave no answer."},
	unreachable:   {"unreachable", true, true, "The provider of the model %s could not be reached."},
	stalled:       {"stalled", true, true, "The model %s sent nothing for 90 seconds."},
	timedOut:      {"timed out", false, true, "The model %s gave no answer within 10 minutes. Ask for less at a time, or again later."},
	cutEarly:      {"cut off", true, true, "The connection to the model %s broke before it said anything."},
	empty:         {"empty answer", true, true, "The model %s gave an empty answer."},
	silent:        {"no text", false, true, "The model %s ended without writing anything. Ask again, perhaps in other words."},
	outOfQuota:    {"out of quota", false, true, "The account at the provider of the model %s has no quota or credit left. Whoever runs this app has to see to it there."},
	unauthorized:  {"unauthorized", false, true, "The provider of the model %s did not accept the key. Whoever runs this app has to check the model's API key."},
	forbidden:     {"forbidden", false, true, "The provider of the model %s does not allow this app to use it. Whoever runs this app has to check what the API key may do."},
	notFound:      {"not found", false, true, "The provider knows no model %s, or nothing at the address it was asked at. Whoever runs this app has to check the model's name and base URL."},
	badRequest:    {"bad request", false, true, "The provider of the model %s did not understand the request. Whoever runs this app has to check the model's settings: provider, token field, headers and limits."},
	redirected:    {"redirected", false, true, "The address of the model %s leads elsewhere, and requests with a key do not follow. Whoever runs this app has to check the model's base URL."},
	notAModel:     {"not a model's answer", false, true, "What answers at the address of the model %s is not a model. Whoever runs this app has to check the model's base URL."},
	contextLength: {"context length", false, false, "This is more than the model %s can read at once. Name fewer files, or a part of one like `path/to/file.go:120-180`, and ask again."},
	filtered:      {"content filter", false, false, "The provider of the model %s stopped this with its content filter. Say in other words what you want, and ask again."},
	declined:      {"declined", false, false, "The model %s declined to work on this. Say in other words what you want, and ask again."},
	spent:         {"out of tokens", false, false, "The model %s used up the length of an answer before it wrote one. Ask for less at a time; whoever runs this app can allow longer answers."},
	tooLarge:      {"too large", false, false, "The answer of the model %s grew beyond 2 MiB and was stopped. Ask for less at a time."},
}

// fault is why one attempt failed. It holds nothing that the provider wrote.
type fault struct {
	kind kind
	// status is the provider's HTTP status, 0 when there was none.
	status int
	// detail is a word of ours about the connection.
	detail string
	// after is when the provider wants to be asked again; zero when it did not say.
	after time.Time
	// started says that text has been handed out already.
	started bool
	// usage is what the attempt cost, where the provider said so before it failed.
	usage port.Usage
}

func (f *fault) Error() string { return f.String() }

// String is the fault for the log.
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

// ProviderError says that a model could not be asked, or gave no answer, after all attempts. errors.As finds a
// *bot.UserError in it, with what a person can do. It holds no address, no key and nothing that the provider wrote.
type ProviderError struct {
	// Model is the model's name here.
	Model string
	// Attempts counts the requests that were made.
	Attempts int
	// Elsewhere says that another model may well answer the same request.
	Elsewhere bool
	// Usage is what the attempts cost, as far as the provider said so.
	Usage port.Usage

	fault *fault
}

// Error is the text for the log.
func (e *ProviderError) Error() string {
	return fmt.Sprintf("asking the model %s: %s, attempt %d", e.Model, e.fault, e.Attempts)
}

// Unwrap returns what the person reads.
func (e *ProviderError) Unwrap() error {
	text := fmt.Sprintf(faults[e.fault.kind].text, quoted(e.Model))
	switch again := faults[e.fault.kind].again; {
	case !e.fault.after.IsZero():
		text += " Ask again after " + upToMinute(e.fault.after).UTC().Format("15:04 UTC on 2 January") + "."
	case again:
		text += " Ask again in a few minutes."
	}
	return &port.UserError{Text: text}
}

func (f *fault) final(model string, attempts int, usage port.Usage) error {
	return &ProviderError{Model: model, Attempts: attempts, Elsewhere: faults[f.kind].elsewhere, Usage: usage, fault: f}
}

// upToMinute rounds up, so that nobody asks a little too early.
func upToMinute(t time.Time) time.Time { return t.Add(time.Minute - 1).Truncate(time.Minute) }

// faultOf says what an error of sending or reading means. A watchdog's word comes first: it causes the others.
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
		return &fault{kind: cutEarly}
	}
	return &fault{kind: unreachable, detail: connection(err)}
}

// connection says in a few words of ours what is wrong with a connection; the error's own text may hold the address.
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
		return "certificate not trusted"
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(err, &timeout) && timeout.Timeout():
		return "connection timed out"
	}
	return "connection broken"
}
