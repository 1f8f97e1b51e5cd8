// Package gittest serves real repositories by `git http-backend`, for tests and benchmarks of git clients.
package gittest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
)

// T is the part of testing.TB that a server uses; a program can implement it.
type T interface {
	Helper()
	Fatalf(format string, args ...any)
	TempDir() string
	Cleanup(func())
}

// Server serves all repositories below Root, as <URL>owner/name.git, to everybody. Safe for concurrent use.
type Server struct {
	// URL ends with a slash.
	URL  string
	Root string

	mu       sync.Mutex
	requests []string
	wrap     func(http.Handler) http.Handler
}

// New starts a server, which stops with the test.
func New(tb T) *Server {
	tb.Helper()
	s := &Server{Root: tb.TempDir()}
	web := httptest.NewServer(s)
	tb.Cleanup(web.Close)
	s.URL = web.URL + "/"
	return s
}

// Wrap sets middleware, to inspect requests or to answer them; nil removes it.
func (s *Server) Wrap(wrap func(git http.Handler) http.Handler) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrap = wrap
}

// Requests returns the requests since the last call, as "POST /owner/name.git/git-upload-pack".
func (s *Server) Requests() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	requests := s.requests
	s.requests = nil
	return requests
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, r.Method+" "+r.URL.RequestURI())
	wrap := s.wrap
	s.mu.Unlock()
	handler := http.Handler(http.HandlerFunc(s.backend))
	if wrap != nil {
		handler = wrap(handler)
	}
	handler.ServeHTTP(w, r)
}

// backend runs git http-backend. CGI needs the length of a body, so a chunked one is read first.
func (s *Server) backend(w http.ResponseWriter, r *http.Request) {
	if r.ContentLength < 0 {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	}
	path, err := backendPath()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	backend := cgi.Handler{
		Path: path, Dir: s.Root, Stderr: io.Discard, Logger: log.New(io.Discard, "", 0),
		Env: append(Environ(),
			"GIT_PROJECT_ROOT="+s.Root, "GIT_HTTP_EXPORT_ALL=1", "REMOTE_USER=tester",
			"GIT_PROTOCOL="+r.Header.Get("Git-Protocol")),
	}
	backend.ServeHTTP(w, r)
}

// backendPath returns the path of git http-backend, which git would start as one more process.
var backendPath = sync.OnceValues(func() (string, error) {
	folder, err := exec.Command("git", "--exec-path").Output() //nolint:noctx // it ends at once
	return filepath.Join(strings.TrimSpace(string(folder)), "git-http-backend"), err
})

// Environ returns an environment in which git reads only the configuration of the repository, and uses fixed dates.
func Environ() []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=/nonexistent", "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.com", "GIT_AUTHOR_DATE=1700000000 +0000",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.com", "GIT_COMMITTER_DATE=1700000000 +0000",
	}
}

// Repo is a bare repository on a server.
type Repo struct {
	tb   T
	Dir  string
	URL  string
	Name string // "owner/name"
}

// settings are those of a repository that accepts pushes and is served as by GitHub. None of its commands starts
// another one to look for garbage.
const settings = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
[http]
	receivepack = true
[uploadpack]
	allowFilter = true
	allowAnySHA1InWant = true
[fastimport]
	unpackLimit = 1
[receive]
	autogc = false
[gc]
	auto = 0
[maintenance]
	auto = false
`

// Loose are the settings of a repository in which a commit adds loose objects, instead of a pack.
const Loose = `[fastimport]
	unpackLimit = 100
`

// SHA256 are the settings of a repository whose ids are of SHA-256.
const SHA256 = `[core]
	repositoryformatversion = 1
[extensions]
	objectformat = sha256
`

// Create makes an empty repository owner/name that accepts pushes, filters and any id. more are added to its settings.
func (s *Server) Create(tb T, name string, more ...string) *Repo {
	tb.Helper()
	r := &Repo{tb: tb, Dir: filepath.Join(s.Root, name+".git"), URL: s.URL + name + ".git", Name: name}
	var err error
	for _, folder := range []string{"hooks", "objects/info", "objects/pack", "refs/heads", "refs/tags"} {
		err = errors.Join(err, os.MkdirAll(filepath.Join(r.Dir, folder), 0o700))
	}
	for file, text := range map[string]string{
		"HEAD": "ref: refs/heads/main\n", "config": settings + strings.Join(more, ""),
	} {
		err = errors.Join(err, os.WriteFile(filepath.Join(r.Dir, file), []byte(text), 0o600))
	}
	if err != nil {
		tb.Fatalf("making %s: %v", r.Dir, err)
	}
	return r
}

// Git runs git in the repository and returns its output without the last newline.
func (r *Repo) Git(args ...string) string {
	r.tb.Helper()
	return r.GitIn(nil, args...)
}

// GitIn is Git with standard input.
func (r *Repo) GitIn(input []byte, args ...string) string {
	r.tb.Helper()
	cmd := exec.CommandContext(context.Background(), "git", args...)
	cmd.Dir = r.Dir
	cmd.Env, cmd.Stdin = Environ(), bytes.NewReader(input)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		r.tb.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return strings.TrimSuffix(out.String(), "\n")
}
