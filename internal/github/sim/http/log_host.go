package simhttp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// logLife: "This link expires after 1 minute."
const logLife = time.Minute

// logHost is where the logs of jobs are downloaded, beside the server.
type logHost struct {
	*entity.Core
	watch *traffic.Watch

	// What follows is guarded by Core.Mu.
	base     string // "http://localhost:PORT"
	redirect string // where requests for logs are redirected instead
}

// location returns the URL of a log, which is signed and valid for a minute. The caller holds the lock.
func (s *logHost) location(j *entity.Job) string {
	if s.redirect != "" {
		return s.redirect
	}
	expires := form.Time(s.Now().Add(logLife))
	q := url.Values{"rsct": {"text/plain"}, "sp": {"r"}, "se": {expires}, "sig": {s.signature(j.Check.ID, expires)}}
	return fmt.Sprintf("%s/actions-results/job-logs/%d.txt?%s", s.base, j.Check.ID, q.Encode())
}

func (s *logHost) signature(id int64, expires string) string {
	mac := hmac.New(sha256.New, []byte("logs "+s.App.Secret))
	_, _ = fmt.Fprintf(mac, "%d %s", id, expires)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// RedirectLogs makes GitHub answer requests for logs with a redirect to another URL. Empty means its own.
func (s *logHost) RedirectLogs(to string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.redirect = to
}

// serve serves a log as the storage service does: the URL alone gives access, and other credentials are refused.
func (s *logHost) serve(w http.ResponseWriter, r *http.Request) {
	entry := s.watch.Begin(r, traffic.LogRoute)
	s.watch.Pass(traffic.BeforeEffect, r)
	log, status, code := s.find(r)
	s.watch.End(entry, status)
	s.watch.Pass(traffic.AfterEffect, r)
	if code != "" {
		w.Header().Set("Content-Type", "application/xml")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `<?xml version="1.0" encoding="utf-8"?><Error><Code>%s</Code></Error>`, code)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	from := log.Open()
	if sized, is := from.(interface{ Len() int }); is {
		w.Header().Set("Content-Length", strconv.Itoa(sized.Len()))
	}
	if log.Cut == 0 {
		_, _ = io.Copy(w, from) // the client may have enough
		return
	}
	_, _ = io.CopyN(w, from, log.Cut)
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// find returns the log of a URL, or the status and the code of the error.
func (s *logHost) find(r *http.Request) (log entity.JobLog, status int, code string) {
	if f := s.watch.NextFailure(r); f != nil {
		return log, f.Status, "ServerBusy"
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	name, found := strings.CutPrefix(r.URL.Path, "/actions-results/job-logs/")
	id, err := strconv.ParseInt(strings.TrimSuffix(name, ".txt"), 10, 64)
	j := s.State.CI.Jobs[id]
	if !found || err != nil || j == nil || j.Log.Open == nil {
		return log, http.StatusNotFound, "BlobNotFound"
	}
	expires, err := time.Parse(time.RFC3339, r.URL.Query().Get("se"))
	switch {
	case r.Header.Get("Authorization") != "":
		return log, http.StatusUnauthorized, "InvalidAuthenticationInfo"
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		return log, http.StatusMethodNotAllowed, "UnsupportedHttpVerb"
	case err != nil || !s.Clock().Before(expires),
		!hmac.Equal([]byte(r.URL.Query().Get("sig")), []byte(s.signature(id, form.Time(expires)))):
		return log, http.StatusForbidden, "AuthenticationFailed"
	}
	return j.Log, http.StatusOK, ""
}
