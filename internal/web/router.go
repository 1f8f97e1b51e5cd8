package web

import (
	"net/http"

	"github.com/tenon-bot/tenon/bot/port"
)

// New returns the handler of all pages.
func New(opts Options) http.Handler {
	p := &pages{Options: opts}
	p.rooms = p.newRooms()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", p.front)
	mux.HandleFunc("GET /signin", p.signed(p.signedIn))
	mux.HandleFunc("GET /static/{hash}/{name}", serveStatic)
	p.runRoutes(mux)
	if opts.Lists != nil {
		p.listRoutes(mux)
	}
	mux.HandleFunc("/", p.notFound)
	return secured(opts.Visitors.Handler(bounded(mux)))
}

// signedIn is where people come back to who signed in on the front page.
func (p *pages) signedIn(w http.ResponseWriter, r *http.Request, _ Visitor) error {
	http.Redirect(w, r, "/", http.StatusSeeOther)
	return nil
}

// front shows the lists to somebody who is signed in, and to others how to sign in.
func (p *pages) front(w http.ResponseWriter, r *http.Request) {
	v, ok := p.Visitors.Visitor(w, r)
	if !ok {
		p.show(w, http.StatusOK, "front.html", sheet{Title: "Sign in", Front: true})
		return
	}
	if p.Lists == nil {
		p.fail(w, r, v, port.ErrNotFound)
		return
	}
	if err := p.frontList(w, r, v); err != nil {
		p.fail(w, r, v, err)
	}
}

// notFound answers every other path as one of a run that does not exist, to those who are signed in.
func (p *pages) notFound(w http.ResponseWriter, r *http.Request) {
	v, ok := p.Visitors.Visitor(w, r)
	if !ok {
		v = Visitor{}
	}
	p.fail(w, r, v, port.ErrNotFound)
}
