package githttp

import (
	"bytes"
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// maxPush bounds the body of a request, in bytes.
const maxPush = 1 << 30

// ServeGit serves git over HTTP: it checks the access, runs git http-backend, and updates what depends on the refs.
func (s Door) ServeGit(w http.ResponseWriter, r *http.Request) {
	if s.Memory {
		http.Error(w, "The repositories are in memory, where git is not served.", http.StatusNotImplemented)
		return
	}
	g := gitCall{service: mux.Vars(r)["service"]}
	if g.service == "info/refs" {
		g.info, g.service = true, r.URL.Query().Get("service")
	}
	// net/http/cgi refuses chunked bodies, which git sends. The body is read here, so that its length is known.
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxPush))
	if err != nil {
		http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
		return
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	entry := s.watch.Begin(r, g.service)
	s.watch.Pass(traffic.BeforeEffect, r)
	a := s.answerGit(&g, r, body, entry)
	s.watch.End(entry, a.Status)
	s.watch.Pass(traffic.AfterEffect, r)
	for k, v := range a.Header() {
		w.Header()[k] = v
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body.Bytes()) // the client may be gone
}

func (s Door) answerGit(g *gitCall, r *http.Request, body []byte, entry *traffic.Request) *transport.Recorder {
	if f := s.watch.NextFailure(r); f != nil {
		a := plain(f.Status, f.Message)
		for k, v := range f.Header {
			a.Header()[k] = v
		}
		return a
	}
	if no := s.admitGit(g, r); no != nil {
		return no
	}
	s.watch.Note(entry, g.token)
	if !s.enter() {
		return plain(http.StatusServiceUnavailable, "The server is closing.")
	}
	defer s.work.Done()
	a, reasons := s.backend(g, r, body)
	if g.service == "git-receive-pack" && !g.info {
		rewriteReport(a, reasons)
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if err := s.acts.RefsMoved(g.repo, s.acts.SenderOf(g.token)); err != nil {
			s.Log.Error("following a push", "error", err)
		}
	}
	return a
}

// enter registers a git process, unless the server is closing.
func (s Door) enter() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Ctx.Err() != nil {
		return false
	}
	s.work.Add(1)
	return true
}
