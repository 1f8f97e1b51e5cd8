package simhttp

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// operation handles one route: log, gate, effect, gate, response.
func operation(rt route) http.Handler {
	return on(func(s *site, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		entry := s.watch.Begin(r, rt.path)
		s.watch.Pass(traffic.BeforeEffect, r)
		a := s.answer(rt, r, body, entry)
		s.watch.End(entry, a.status)
		s.watch.Pass(traffic.AfterEffect, r)
		w.Header().Set("Date", s.Clock().UTC().Format(http.TimeFormat))
		respond(w, a)
	})
}

// answer authorises a request and runs its effect.
func (s *site) answer(rt route, r *http.Request, body []byte, entry *traffic.Request) *answer {
	if f := s.watch.NextFailure(r); f != nil {
		return failed(f)
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	c := &call{site: s, form: s.form, r: r, vars: mux.Vars(r), query: r.URL.Query(), body: body}
	a, err := c.run(rt, entry)
	if err != nil {
		a = s.refusal(err)
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	if c.token != nil {
		rateHeaders(c, a.header)
		if rt.path == traffic.GraphQLPath {
			a.header.Set("X-RateLimit-Resource", "graphql")
		}
	}
	if c.user != nil {
		userRateHeaders(c, a.header)
	}
	return a
}

func (c *call) run(rt route, entry *traffic.Request) (*answer, error) {
	if c.r.UserAgent() == "" {
		return nil, entity.Refuse(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your "+
			"request has a User-Agent header (https://docs.github.com/en/rest/overview/"+
			"resources-in-the-rest-api#user-agent-required).")
	}
	if rt.path == "" {
		return nil, notFound()
	}
	if (rt.as == asInstallation || rt.as == asUser) && isOfUser(c) {
		return runAsUser(c, rt)
	}
	if err := authenticate(c, rt.as); err != nil {
		return nil, err
	}
	c.watch.Note(entry, c.token)
	if err := spend(c, rt); err != nil {
		return nil, err
	}
	if err := authorize(c, rt); err != nil {
		return nil, err
	}
	return rt.do(c)
}

func (s *site) refusal(err error) *answer {
	var e *entity.APIError
	if !errors.As(err, &e) {
		s.Log.Error("fake GitHub", "error", err)
		e = entity.Refuse(http.StatusInternalServerError, "Server Error: %v", err)
	}
	return &answer{status: e.Status, body: e.Body(), header: e.Header.Clone()}
}

// failed returns the response of a failure.
func failed(f *traffic.Failure) *answer {
	e := entity.Refuse(f.Status, "%s", f.Message)
	return &answer{status: f.Status, body: e.Body(), header: f.Header.Clone()}
}

// respond sends an answer.
func respond(w http.ResponseWriter, a *answer) {
	for k, v := range a.header {
		w.Header()[k] = v
	}
	w.Header().Set("X-GitHub-Request-Id", fmt.Sprintf("%X", rand.Text()[:12]))
	w.Header().Set("X-GitHub-Media-Type", "github.v3; format=json")
	if a.body == nil {
		w.WriteHeader(a.status)
		return
	}
	data, isRaw := a.body.([]byte)
	if !isRaw {
		var err error
		if data, err = json.Marshal(a.body); err != nil { // a fault of this package
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
	}
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(data) // the client may be gone
}
