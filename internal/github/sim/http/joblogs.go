package simhttp

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// logRoute is the route of the downloads of logs in the list of requests.
const logRoute = "job-log"

// logLife: "This link expires after 1 minute."
const logLife = time.Minute

// startLogs listens on another port for the downloads of logs, which GitHub has on a host of a storage service. The
// name of the host is another one, too: clients that compare names alone see that it is not GitHub.
func (s logHost) startLogs() error {
	ln, err := (&net.ListenConfig{}).Listen(s.Ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening for logs: %w", err)
	}
	_, port, err := net.SplitHostPort(ln.Addr().String())
	if err != nil {
		return fmt.Errorf("naming the host of the logs: %w", err)
	}
	srv := &http.Server{Handler: http.HandlerFunc(s.serveLog), ReadHeaderTimeout: 10 * time.Second}
	s.Mu.Lock()
	s.logs, s.logBase = srv, "http://localhost:"+port
	s.Mu.Unlock()
	s.serve(srv, ln)
	return nil
}

// logLocation returns the URL of a log, which is signed and valid for a minute. The caller holds the lock.
func (s logHost) logLocation(j *model.Job) string {
	if s.logRedirect != "" {
		return s.logRedirect
	}
	expires := stamp(s.Now().Add(logLife))
	q := url.Values{"rsct": {"text/plain"}, "sp": {"r"}, "se": {expires}, "sig": {s.logSignature(j.Check.ID, expires)}}
	return fmt.Sprintf("%s/actions-results/job-logs/%d.txt?%s", s.logBase, j.Check.ID, q.Encode())
}

func (s logHost) logSignature(id int64, expires string) string {
	mac := hmac.New(sha256.New, []byte("logs "+s.App.Secret))
	_, _ = fmt.Fprintf(mac, "%d %s", id, expires)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// RedirectLogs makes GitHub answer requests for logs with a redirect to another URL. Empty means its own.
func (s logHost) RedirectLogs(to string) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.logRedirect = to
}

// serveLog serves a log as the storage service does: the URL alone gives access, and other credentials are refused.
func (s logHost) serveLog(w http.ResponseWriter, r *http.Request) {
	entry := s.begin(r, logRoute)
	s.gate(BeforeEffect, r)
	log, status, code := s.findLog(r)
	s.end(entry, status)
	s.gate(AfterEffect, r)
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

// findLog returns the log of a URL, or the status and the code of the error.
func (s logHost) findLog(r *http.Request) (log model.JobLog, status int, code string) {
	if f := s.nextFailure(r); f != nil {
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
		!hmac.Equal([]byte(r.URL.Query().Get("sig")), []byte(s.logSignature(id, stamp(expires)))):
		return log, http.StatusForbidden, "AuthenticationFailed"
	}
	return j.Log, http.StatusOK, ""
}
