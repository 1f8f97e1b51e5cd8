package simhttp

import (
	"context"
	"crypto/rsa"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Options configure a Server. The zero value works.
type Options struct {
	// Dir is the folder of the bare repositories and of git's configuration; empty means a temporary folder, which Close
	// removes.
	Dir string
	// Memory keeps the repositories in memory: nothing is written to the disk and no process started, but git is not
	// served over HTTP.
	Memory bool
	// Now is the server's clock, for token expiry and all timestamps; nil means time.Now. Safe for concurrent use.
	Now func() time.Time
	// Log gets internal errors of the server; nil discards them.
	Log *slog.Logger
	// URL is where a server is that does not listen, for Transport: "https://HOST". Empty means "http://127.0.0.1".
	URL string
	// Key is the App's private key; nil means a new one of 2,048 bits. Tests share one to save time.
	Key *rsa.PrivateKey
	// Permissions and Events are the App's; nil means those of app.yml.
	Permissions map[string]string
	Events      []string
	// RequestsPerHour is the primary rate limit of an installation; 0 means GitHub's 5,000. RequestsPerHourOfJobs is that
	// of the jobs of GitHub Actions in a repository; 0 means GitHub's 1,000.
	RequestsPerHour, RequestsPerHourOfJobs int
	// ContentPerMinute and ContentPerHour are the secondary limits for requests that create content; 0 means GitHub's 80
	// and 500, a negative number none.
	ContentPerMinute, ContentPerHour int
	// StaleType is the type of updateRefs' error for a beforeOid that does not match, which GitHub does not document.
	// Empty means "STALE_DATA", as of its other mutation with an expected commit.
	StaleType string
	// NoRollup removes statusCheckRollup from GraphQL, as of a server that does not know it.
	NoRollup bool
	// LastingUserTokens makes the tokens of people valid for ever, as of an App that has opted out of their expiration.
	LastingUserTokens bool
	// DeliveryTimeout is how long a webhook may take; 0 means GitHub's 10 seconds.
	DeliveryTimeout time.Duration
}

// GitHub's limits, from its documentation of rate limits and webhooks.
const (
	requestsPerHour       = 5000
	requestsPerHourOfJobs = 1000
	contentPerMinute      = 80
	contentPerHour        = 500
	deliveryTimeout       = 10 * time.Second
)

// Server is a fake GitHub. All methods are safe for concurrent use.
type Server struct {
	*model.Core
	sim.Acts
	doors

	opts    Options
	tempDir bool
	cancel  context.CancelFunc
	work    sync.WaitGroup // deliveries and git processes on their way; added to under mu while ctx lives

	// What follows is guarded by mu.
	http       *http.Server
	hook       hook
	onDispatch func(sim.WorkflowRun)
	// deliveries are those of the hook, oldest first.
	deliveries []*delivery

	manifests manifests
	oauth     oauth
	viewer    *model.User // whose browser requests pages

	logs        *http.Server // where logs are downloaded
	logBase     string       // "http://localhost:PORT"
	logRedirect string       // where requests for logs are redirected instead

	watch watch // the request log, gates and injected failures, under a lock of their own
}

var findGit = sync.OnceValues(func() (model.GitPrograms, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return model.GitPrograms{}, err
	}
	folder, err := exec.Command(git, "--exec-path").Output() //nolint:noctx // it ends at once
	return model.GitPrograms{Git: git, Backend: filepath.Join(strings.TrimSpace(string(folder)), "git-http-backend")}, err
})

// New returns a server with the App and no accounts. It needs git in the PATH, unless the repositories are in memory.
func New(opts Options) (*Server, error) {
	opts.setDefaults()
	c := &model.Core{Clock: opts.Now, Memory: opts.Memory, Log: opts.Log, Base: opts.URL}
	s := &Server{Core: c, Acts: sim.ActsOf(c), opts: opts}
	s.doors = doorsOf(s)
	c.Events = s
	var err error
	if s.logBase, err = logURL(opts.URL); err != nil {
		return nil, err
	}
	if s.App, err = newApp(opts); err != nil {
		return nil, err
	}
	s.Ctx, s.cancel = context.WithCancel(context.Background())
	s.State.Init()
	s.manifests = manifests{pages: map[string]*registering{}, codes: map[string]*registering{}}
	s.oauth = newOAuth()
	s.MakeBot()
	if !opts.Memory {
		if err := s.makeFolder(); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// makeFolder makes the folder of the repositories, with the configuration of git.
func (s *Server) makeFolder() (err error) {
	if s.Programs, err = findGit(); err != nil {
		return fmt.Errorf("finding git: %w", err)
	}
	if s.Dir, err = filepath.Abs(s.opts.Dir); err != nil {
		return fmt.Errorf("naming the folder of the repositories: %w", err)
	}
	if s.opts.Dir == "" {
		if s.Dir, err = os.MkdirTemp("", "ghtest-"); err != nil {
			return fmt.Errorf("making the folder of the repositories: %w", err)
		}
		s.tempDir = true
	}
	return s.writeGitConfig()
}

func (o *Options) setDefaults() {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	o.URL = model.OrElse(o.URL, "http://127.0.0.1")
	if o.Permissions == nil {
		o.Permissions = appPermissions()
	}
	if o.Events == nil {
		o.Events = appEvents()
	}
	o.RequestsPerHour = model.OrElse(o.RequestsPerHour, requestsPerHour)
	o.RequestsPerHourOfJobs = model.OrElse(o.RequestsPerHourOfJobs, requestsPerHourOfJobs)
	o.ContentPerMinute = model.OrElse(o.ContentPerMinute, contentPerMinute)
	o.ContentPerHour = model.OrElse(o.ContentPerHour, contentPerHour)
	o.StaleType = model.OrElse(o.StaleType, "STALE_DATA")
	o.DeliveryTimeout = model.OrElse(o.DeliveryTimeout, deliveryTimeout)
}

// Start listens on a free port of 127.0.0.1, and on another one for the downloads of logs.
func (s *Server) Start() error {
	ln, err := (&net.ListenConfig{}).Listen(s.Ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	srv := &http.Server{Handler: s.Handler(), ReadHeaderTimeout: 10 * time.Second}
	s.Mu.Lock()
	s.Base, s.http = "http://"+ln.Addr().String(), srv
	s.Mu.Unlock()
	s.serve(srv, ln)
	return s.startLogs()
}

func (s *Server) serve(srv *http.Server, ln net.Listener) {
	go func() {
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.Log.Error("serving ended", "error", err)
		}
	}()
}

// Close stops the server and its deliveries, and removes the folder of the repositories if New created it.
func (s *Server) Close() error {
	s.Mu.Lock()
	s.cancel()
	servers := []*http.Server{s.http, s.logs}
	s.Mu.Unlock()
	var err error
	for _, srv := range servers {
		if srv != nil {
			err = errors.Join(err, srv.Close())
		}
	}
	s.work.Wait()
	if s.tempDir {
		err = errors.Join(err, os.RemoveAll(s.Dir))
	}
	return err
}

// Handler returns the handler of the API, of git and of the pages for a browser.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.Clock().UTC().Format(http.TimeFormat))
		router().ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), serverKey{}, s)))
	})
}

// router has the routes of all servers, because compiling them takes longer than most tests of a server.
var router = sync.OnceValue(newRouter)

// serverKey is where the context of a request has its *Server.
type serverKey struct{}

// on returns a handler of the requests to any server.
func on(handle func(s *Server, w http.ResponseWriter, r *http.Request)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		handle(r.Context().Value(serverKey{}).(*Server), w, r)
	}
}

// APIURL returns the base URL of the REST API, with a slash at its end.
func (s *Server) APIURL() string { return s.root() + "/api/v3/" }

// GitURL returns the prefix of the repositories' URLs, GitURL() + "owner/name.git".
func (s *Server) GitURL() string { return s.root() + "/" }

func (s *Server) root() string {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	return s.Base
}
