package simhttp

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// maxBody bounds the body of a request, in bytes.
const maxBody = 64 << 20

// call is one API request; the server's lock is held.
type call struct {
	*Server
	parts
	r     *http.Request
	vars  map[string]string
	query url.Values
	body  []byte
	token *model.Token      // nil for the App itself, and for people
	user  *model.User       // whose token it is
	repo  *model.Repository // of the path, nil when it names none
}

// callOn returns a request for a repository, which is nil until it is known.
func callOn(s *Server, repo *model.Repository) *call {
	c := &call{Server: s, repo: repo}
	c.parts = partsOf(c)
	return c
}

// answer is the response to a request.
type answer struct {
	status int
	body   any // JSON, or []byte as it is; no body when nil
	header http.Header
}

func ok(body any) (*answer, error) { return &answer{status: http.StatusOK, body: body}, nil }

func created(body model.Object) (*answer, error) {
	h := http.Header{}
	if u, is := body["url"].(string); is {
		h.Set("Location", u)
	}
	return &answer{status: http.StatusCreated, body: body, header: h}, nil
}

func noContent() (*answer, error) { return &answer{status: http.StatusNoContent}, nil }

// operation handles one route: log, gate, effect, gate, response.
func operation(rt route) http.Handler {
	return on(func(s *Server, w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
		if err != nil {
			http.Error(w, "request body too large", http.StatusRequestEntityTooLarge)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		entry := s.begin(r, rt.path)
		s.gate(BeforeEffect, r)
		a := s.answer(rt, r, body, entry)
		s.end(entry, a.status)
		s.gate(AfterEffect, r)
		w.Header().Set("Date", s.Clock().UTC().Format(http.TimeFormat))
		write(w, a)
	})
}

// answer authorises a request and runs its effect.
func (s *Server) answer(rt route, r *http.Request, body []byte, entry *entry) *answer {
	if f := s.nextFailure(r); f != nil {
		return f.answer()
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	c := callOn(s, nil)
	c.r, c.vars, c.query, c.body = r, mux.Vars(r), r.URL.Query(), body
	a, err := c.run(rt, entry)
	if err != nil {
		a = s.refusal(err)
	}
	if a.header == nil {
		a.header = http.Header{}
	}
	if c.token != nil {
		c.rateHeaders(a.header)
		if rt.path == graphQLPath {
			a.header.Set("X-RateLimit-Resource", "graphql")
		}
	}
	if c.user != nil {
		c.userRateHeaders(a.header)
	}
	return a
}

func (c *call) run(rt route, entry *entry) (*answer, error) {
	if c.r.UserAgent() == "" {
		return nil, model.Refuse(http.StatusForbidden, "Request forbidden by administrative rules. Please make sure your "+
			"request has a User-Agent header (https://docs.github.com/en/rest/overview/"+
			"resources-in-the-rest-api#user-agent-required).")
	}
	if rt.path == "" {
		return nil, notFound()
	}
	if (rt.as == asInstallation || rt.as == asUser) && c.isOfUser() {
		return c.runAsUser(rt)
	}
	if err := c.authenticate(rt.as); err != nil {
		return nil, err
	}
	c.note(entry, c.token)
	if err := c.spend(rt); err != nil {
		return nil, err
	}
	if err := c.authorize(rt); err != nil {
		return nil, err
	}
	return rt.do(c)
}

func (s *Server) refusal(err error) *answer {
	var e *model.APIError
	if !errors.As(err, &e) {
		s.Log.Error("fake GitHub", "error", err)
		e = model.Refuse(http.StatusInternalServerError, "Server Error: %v", err)
	}
	return &answer{status: e.Status, body: e.Body(), header: e.Header.Clone()}
}

func write(w http.ResponseWriter, a *answer) {
	for k, v := range a.header {
		w.Header()[k] = v
	}
	w.Header().Set("X-GitHub-Request-Id", strings.ToUpper(randomHex(12)))
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

// decode decodes the JSON body: 400 for invalid JSON, 422 for a value of the wrong type. An absent body is an empty
// object.
func (c *call) decode(into any) error {
	body := bytes.TrimSpace(c.body)
	switch {
	case len(body) == 0 || bytes.Equal(body, []byte("null")):
		return nil
	case !json.Valid(body) || !utf8.Valid(body):
		return model.Refuse(http.StatusBadRequest, "Problems parsing JSON")
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil {
		return model.Refuse(http.StatusBadRequest, "Body should be a JSON object")
	}
	// Go would accept "BODY" for "body"; GitHub does not.
	maps.DeleteFunc(fields, func(name string, _ json.RawMessage) bool { return name != strings.ToLower(name) })
	body, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(body, into); errors.As(err, &wrong) {
		return model.Unprocessable("Invalid request.\n\nFor 'properties/%s', %s is not a %s.", wrong.Field, wrong.Value,
			wrong.Type)
	} else if err != nil { // a time, say, that is none
		return model.Unprocessable("Invalid request.\n\n%v", err)
	}
	return nil
}

// number returns a numeric path variable, or 404 if it is no number.
func (c *call) number(name string) (int64, error) {
	n, err := strconv.ParseInt(c.vars[name], 10, 64)
	if err != nil {
		return 0, notFound()
	}
	return n, nil
}

func (c *call) repoURL() string { return c.APIRepoURL(c.repo) }
