package githttp

import (
	"bytes"
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/cgi"
	"os"
	"path/filepath"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/http/transport"
)

// backend runs git http-backend. reasons are those of the update hook, by ref.
func (s Door) backend(g *gitCall, r *http.Request, body []byte) (a *transport.Recorder, reasons map[string]string) {
	a = transport.NewRecorder(http.StatusOK)
	dir, err := g.repo.Git.Dir()
	if err != nil {
		return plain(http.StatusInternalServerError, err.Error()), nil
	}
	rel, err := filepath.Rel(s.Dir, dir)
	if err != nil {
		return plain(http.StatusInternalServerError, err.Error()), nil
	}
	notes := filepath.Join(s.Dir, ".push-"+rand.Text()) // which only the hook makes
	defer func() { _ = os.Remove(notes) }()
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + filepath.ToSlash(rel) + "/" + mux.Vars(r)["service"]
	inner.Body, inner.ContentLength, inner.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	inner.Header.Del("Authorization")
	h := cgi.Handler{Path: s.Programs.Backend, Root: "/", Dir: s.Dir, Stderr: io.Discard,
		Env: s.backendEnv(g, r, notes), Logger: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)}
	h.ServeHTTP(a, inner)
	return a, readReasons(notes)
}

func (s Door) backendEnv(g *gitCall, r *http.Request, notes string) []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	env := append(s.GitEnv(), "GIT_PROJECT_ROOT="+s.Dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_HTTP_MAX_REQUEST_BUFFER=1G",
		"GIT_PROTOCOL="+r.Header.Get("Git-Protocol"), "SIM_REASONS="+notes,
		"SIM_PROTECTED="+s.acts.Protections(g.repo),
		"SIM_LENT="+strings.Join(g.lent, "\n"))
	if g.token != nil {
		env = append(env, "REMOTE_USER="+s.acts.SenderOf(g.token).Login, "SIM_WORKFLOWS="+g.token.Permissions["workflows"])
	}
	return env
}

func readReasons(name string) map[string]string {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil
	}
	reasons := map[string]string{}
	for line := range strings.Lines(string(data)) {
		ref, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		reasons[ref] = reason
	}
	return reasons
}
