package simhttp

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cgi"
	"os"
	"path/filepath"
	"strings"

	"github.com/gorilla/mux"

	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// maxPush bounds the body of a request, in bytes.
const maxPush = 1 << 30

// gitCall is one git request.
type gitCall struct {
	service string // "git-upload-pack" or "git-receive-pack"
	repo    *model.Repository
	token   *model.Token // nil for an anonymous reader of a public repository
	info    bool         // the advertisement of refs
	lent    []string     // of a fork: the refs that a token of its base may push to
}

// serveGit serves git over HTTP: it checks the access, runs git http-backend, and updates what depends on the refs.
func (s gitDoor) serveGit(w http.ResponseWriter, r *http.Request) {
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
	entry := s.begin(r, g.service)
	s.gate(BeforeEffect, r)
	a := s.answerGit(&g, r, body, entry)
	s.end(entry, a.status)
	s.gate(AfterEffect, r)
	for k, v := range a.header {
		w.Header()[k] = v
	}
	w.WriteHeader(a.status)
	_, _ = w.Write(a.buf.Bytes()) // the client may be gone
}

func (s gitDoor) answerGit(g *gitCall, r *http.Request, body []byte, entry *entry) *recorder {
	if f := s.nextFailure(r); f != nil {
		a := plain(f.Status, f.Message)
		for k, v := range f.Header {
			a.header[k] = v
		}
		return a
	}
	if no := s.admitGit(g, r); no != nil {
		return no
	}
	s.note(entry, g.token)
	if !s.enter() {
		return plain(http.StatusServiceUnavailable, "The server is closing.")
	}
	defer s.work.Done()
	a, reasons := s.backend(g, r, body)
	if g.service == "git-receive-pack" && !g.info {
		rewriteReport(a, reasons)
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if err := s.RefsMoved(g.repo, s.SenderOf(g.token)); err != nil {
			s.Log.Error("following a push", "error", err)
		}
	}
	return a
}

// enter registers a git process, unless the server is closing.
func (s gitDoor) enter() bool {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	if s.Ctx.Err() != nil {
		return false
	}
	s.work.Add(1)
	return true
}

// admitGit returns GitHub's errors: 401 without valid credentials, 404 for a repository that the token cannot access,
// and 403 for a missing permission.
func (s gitDoor) admitGit(g *gitCall, r *http.Request) *recorder {
	if g.service != "git-upload-pack" && g.service != "git-receive-pack" {
		return plain(http.StatusForbidden,
			"Please upgrade your git client.\nGitHub.com no longer supports git over dumb-http.")
	}
	s.Mu.Lock()
	defer s.Mu.Unlock()
	vars := mux.Vars(r)
	name := vars["owner"] + "/" + strings.TrimSuffix(vars["repo"], ".git")
	if no := s.accessGit(g, name, credentials(r)); no != nil || strings.EqualFold(g.repo.FullName(), name) {
		return no
	}
	return s.redirectGit(g.repo, r)
}

// accessGit finds the repository of a name that it has or had, for whoever has a token. The caller holds the lock.
func (s gitDoor) accessGit(g *gitCall, name, password string) *recorder {
	repo, err := s.State.Repo(name)
	if err != nil {
		repo = s.State.FormerRepo(name)
	}
	push := g.service == "git-receive-pack"
	if password == "" && (repo == nil || !repo.Public || push) {
		return unauthorized("Authentication required.")
	}
	if password != "" {
		if g.token, _ = s.CheckToken(password); g.token == nil {
			return unauthorized("Invalid username or token. Password authentication is not supported for Git operations.")
		}
	}
	if repo == nil {
		return plain(http.StatusNotFound, "Repository not found.")
	}
	g.repo = repo
	return s.refuseGit(g, push)
}

// refuseGit returns the error for a token without the permission.
func (s gitDoor) refuseGit(g *gitCall, push bool) *recorder {
	covered := g.token != nil && g.token.Covers(g.repo)
	if push && !covered {
		g.lent = s.EditableBranches(g.repo, g.token)
	}
	switch {
	case !g.repo.Public && !covered && len(g.lent) == 0:
		return plain(http.StatusNotFound, "Repository not found.")
	case push && !covered && len(g.lent) == 0:
		return plain(http.StatusForbidden, fmt.Sprintf("Permission to %s.git denied to %s.", g.repo.FullName(),
			s.SenderOf(g.token).Login))
	case push && !s.MayWrite(g.token, g.repo, "contents"):
		return plain(http.StatusForbidden, "Write access to repository not granted.")
	case !g.repo.Public && !g.token.May("contents", "read"):
		return plain(http.StatusForbidden, "Read access to repository not granted.")
	case push && g.repo.Archived:
		return plain(http.StatusForbidden, "This repository was archived so it is read-only.")
	}
	return nil
}

// redirectGit redirects from an old name of a repository to the new one. git follows that for the advertisement.
func (s gitDoor) redirectGit(repo *model.Repository, r *http.Request) *recorder {
	a := plain(http.StatusMovedPermanently, "Moved Permanently")
	to := s.HTMLRepoURL(repo) + ".git/" + mux.Vars(r)["service"]
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	a.header.Set("Location", to)
	return a
}

// backend runs git http-backend. reasons are those of the update hook, by ref.
func (s gitDoor) backend(g *gitCall, r *http.Request, body []byte) (a *recorder, reasons map[string]string) {
	a = &recorder{status: http.StatusOK, header: http.Header{}}
	notes, err := os.CreateTemp(s.Dir, ".push-")
	if err != nil {
		return plain(http.StatusInternalServerError, err.Error()), nil
	}
	defer func() { _ = os.Remove(notes.Name()) }()
	_ = notes.Close() // it is only written by the hook
	rel, err := filepath.Rel(s.Dir, g.repo.Git.Dir())
	if err != nil {
		return plain(http.StatusInternalServerError, err.Error()), nil
	}
	inner := r.Clone(r.Context())
	inner.URL.Path = "/" + filepath.ToSlash(rel) + "/" + mux.Vars(r)["service"]
	inner.Body, inner.ContentLength, inner.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	inner.Header.Del("Authorization")
	h := cgi.Handler{Path: s.Programs.Backend, Root: "/", Dir: s.Dir, Stderr: io.Discard,
		Env: s.backendEnv(g, r, notes.Name()), Logger: slog.NewLogLogger(s.Log.Handler(), slog.LevelWarn)}
	h.ServeHTTP(a, inner)
	return a, readReasons(notes.Name())
}

func (s gitDoor) backendEnv(g *gitCall, r *http.Request, notes string) []string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	env := append(s.GitEnv(), "GIT_PROJECT_ROOT="+s.Dir, "GIT_HTTP_EXPORT_ALL=1", "GIT_HTTP_MAX_REQUEST_BUFFER=1G",
		"GIT_PROTOCOL="+r.Header.Get("Git-Protocol"), "GHTEST_REASONS="+notes,
		"GHTEST_PROTECTED="+s.Protections(g.repo),
		"GHTEST_LENT="+strings.Join(g.lent, "\n"))
	if g.token != nil {
		env = append(env, "REMOTE_USER="+s.SenderOf(g.token).Login, "GHTEST_WORKFLOWS="+g.token.Permissions["workflows"])
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

// recorder keeps a response until it can be sent.
type recorder struct {
	status int
	header http.Header
	buf    bytes.Buffer
}

func (a *recorder) Header() http.Header { return a.header }

func (a *recorder) WriteHeader(status int) { a.status = status }

func (a *recorder) Write(p []byte) (int, error) { return a.buf.Write(p) }

func plain(status int, text string) *recorder {
	a := &recorder{status: status, header: http.Header{"Content-Type": {"text/plain; charset=utf-8"}}}
	a.buf.WriteString(text + "\n")
	return a
}

func unauthorized(text string) *recorder {
	a := plain(http.StatusUnauthorized, text)
	a.header.Set("WWW-Authenticate", `Basic realm="GitHub"`)
	return a
}
