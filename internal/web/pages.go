package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/tenon-bot/tenon/bot/port"
)

// pages are the handlers. Safe for concurrent use.
type pages struct {
	Options
	rooms   *rooms
	streams streams
	painted painted
}

// handler answers a visitor who is signed in. Of its errors, port.ErrNotFound is a 404, errGitHub a 502, and any other
// a 500 that is logged.
type handler func(w http.ResponseWriter, r *http.Request, v Visitor) error

// errGitHub means that GitHub did not say what a visitor may read.
var errGitHub = errors.New("GitHub did not answer")

// signed asks whoever is not signed in to sign in, and shows the errors of h.
func (p *pages) signed(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, ok := p.Visitors.Visitor(w, r)
		if !ok {
			p.Visitors.SignIn(w, r)
			return
		}
		if err := h(w, r, v); err != nil {
			p.fail(w, r, v, err)
		}
	}
}

// operators is signed for pages of operators. To others they do not exist.
func (p *pages) operators(h handler) http.HandlerFunc {
	return p.signed(func(w http.ResponseWriter, r *http.Request, v Visitor) error {
		if !v.Operator {
			return port.ErrNotFound
		}
		return h(w, r, v)
	})
}

// mayRead is MayRead of the visitor of a request. Its error is errGitHub.
func (p *pages) mayRead(r *http.Request, repo port.RepoRef) (bool, error) {
	may, err := p.Visitors.MayRead(r, repo)
	if err != nil && r.Context().Err() == nil {
		return false, fmt.Errorf("%w: asking whether %s can be read: %w", errGitHub, repo, err)
	}
	return may, err
}

// fail shows an error. Nothing is written before.
func (p *pages) fail(w http.ResponseWriter, r *http.Request, v Visitor, err error) {
	if r.Context().Err() != nil || errors.Is(err, context.Canceled) {
		return
	}
	fault := fault{"This did not work",
		"tenon could not make this page. Try again in a minute. If it happens again, ask whoever runs this server to " +
			"look into tenon's log."}
	status := http.StatusInternalServerError
	switch {
	case errors.Is(err, port.ErrNotFound):
		status = http.StatusNotFound
		fault.Heading = "There is nothing here"
		fault.Text = "This page does not exist, or it belongs to a repository that you cannot read on GitHub."
		if v.Local {
			fault.Text = "This page does not exist."
		}
	case errors.Is(err, errGitHub):
		status = http.StatusBadGateway
		fault.Heading = "GitHub did not answer"
		fault.Text = "tenon asks GitHub what you may read, and got no answer. Try again in a minute. " +
			"https://www.githubstatus.com says whether GitHub has a problem."
		p.Log.WarnContext(r.Context(), "GitHub did not say what a visitor may read", "error", err)
	default:
		if text, ok := refusal(err); ok {
			status, fault.Heading, fault.Text = http.StatusBadRequest, "This is not possible", text
			break
		}
		p.Log.ErrorContext(r.Context(), "a page failed", "path", r.URL.Path, "error", err)
	}
	p.show(w, status, "fault.html", p.sheet(r, v, fault.Heading, fault))
}

// fault is what a page says that cannot be shown.
type fault struct{ Heading, Text string }
