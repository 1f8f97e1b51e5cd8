package web

import (
	"log/slog"
	"net/http"
)

// Fault returns what shows a page that says why something is not possible, to somebody who may not be signed in.
func Fault(log *slog.Logger) func(w http.ResponseWriter, r *http.Request, status int, heading, text string) {
	p := &pages{Options: Options{Log: log}}
	return func(w http.ResponseWriter, _ *http.Request, status int, heading, text string) {
		p.show(w, status, "fault.html", sheet{Title: heading, Data: fault{heading, text}})
	}
}
