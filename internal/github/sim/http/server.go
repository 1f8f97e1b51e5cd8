package simhttp

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	"github.com/tenon-bot/tenon/internal/github/sim/http/form"
	"github.com/tenon-bot/tenon/internal/github/sim/http/githttp"
	"github.com/tenon-bot/tenon/internal/github/sim/http/hook"
	"github.com/tenon-bot/tenon/internal/github/sim/http/signin"
	"github.com/tenon-bot/tenon/internal/github/sim/http/traffic"
)

// Server is a fake GitHub. All methods are safe for concurrent use.
type Server struct {
	*entity.Core
	sim.Acts
	*hook.Hooks
	traffic.Traffic
	signin.Visitor
	githttp.Door
	*logHost

	site    *site
	tempDir bool
	cancel  context.CancelFunc

	// What follows is guarded by Core.Mu.
	listening []*http.Server
}

var findGit = sync.OnceValues(func() (entity.GitPrograms, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return entity.GitPrograms{}, err
	}
	folder, err := exec.Command(git, "--exec-path").Output() //nolint:noctx // it ends at once
	return entity.GitPrograms{Git: git, Backend: filepath.Join(strings.TrimSpace(string(folder)), "git-http-backend")}, err
})

// New returns a server with the App and no accounts. It needs git in the PATH, unless the repositories are in memory.
func New(opts Options) (*Server, error) {
	opts.setDefaults()
	c := &entity.Core{Clock: opts.Now, Memory: opts.Memory, Log: opts.Log, Base: opts.URL}
	var err error
	if c.App, err = signin.NewApp(opts.Key, opts.Permissions, opts.Events, opts.Now()); err != nil {
		return nil, err
	}
	acts, watch, work := sim.ActsOf(c), &traffic.Watch{}, &sync.WaitGroup{}
	forms, logs := form.New(c), &logHost{Core: c, watch: watch}
	hooks := hook.New(c, forms, work, opts.DeliveryTimeout)
	if logs.base, err = logURL(opts.URL); err != nil {
		return nil, err
	}
	c.Events = hook.EventsOf(hooks, acts)
	flows := signin.New(c, acts, hook.APIOf(hooks), watch, opts.Key)
	flows.Lasting = opts.LastingUserTokens
	git := githttp.New(c, acts, watch, work)
	s := &Server{Core: c, Acts: acts, Hooks: hooks, Traffic: traffic.Of(watch), Visitor: signin.VisitorOf(flows),
		Door: git, logHost: logs, site: &site{Core: c, Acts: acts, opts: opts, form: forms, hook: hook.APIOf(hooks),
			flows: flows, git: git, logs: logs, watch: watch, work: work, usage: map[int64]*entity.Usage{}}}
	s.Ctx, s.cancel = context.WithCancel(context.Background())
	s.State.Init()
	s.MakeBot()
	if !opts.Memory {
		if err := s.makeFolder(opts.Dir); err != nil {
			return nil, errors.Join(err, s.Close())
		}
	}
	return s, nil
}

// makeFolder makes the folder of the repositories, with the configuration of git.
func (s *Server) makeFolder(dir string) (err error) {
	if s.Programs, err = findGit(); err != nil {
		return fmt.Errorf("finding git: %w", err)
	}
	if s.Dir, err = filepath.Abs(dir); err != nil {
		return fmt.Errorf("naming the folder of the repositories: %w", err)
	}
	if dir == "" {
		if s.Dir, err = os.MkdirTemp("", "tenon-sim-"); err != nil {
			return fmt.Errorf("making the folder of the repositories: %w", err)
		}
		s.tempDir = true
	}
	return githttp.WriteConfig(s.Dir, s.GitConfigFile())
}

// Start listens on a free port of 127.0.0.1, and on another one for the downloads of logs, which GitHub has on a host
// of a storage service. The name of that host is another one, too: clients that compare names alone see that it is not
// GitHub.
func (s *Server) Start() error {
	port, err := s.listen(s.Handler())
	if err != nil {
		return err
	}
	logPort, err := s.listen(http.HandlerFunc(s.site.logs.serve))
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.Base, s.site.logs.base = "http://127.0.0.1:"+port, "http://localhost:"+logPort
	return err
}

// listen serves a handler on a free port, and returns its number.
func (s *Server) listen(handler http.Handler) (port string, err error) {
	ln, err := (&net.ListenConfig{}).Listen(s.Ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("listening: %w", err)
	}
	srv := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	s.Mu.Lock()
	s.listening = append(s.listening, srv)
	s.Mu.Unlock()
	go func() {
		if err := srv.Serve(ln); !errors.Is(err, http.ErrServerClosed) {
			s.Log.Error("serving ended", "error", err)
		}
	}()
	return strconv.Itoa(ln.Addr().(*net.TCPAddr).Port), nil
}

// Close stops the server and its deliveries, and removes the folder of the repositories if New created it.
func (s *Server) Close() error {
	s.Mu.Lock()
	s.cancel()
	servers := s.listening
	s.Mu.Unlock()
	var err error
	for _, srv := range servers {
		err = errors.Join(err, srv.Close())
	}
	s.site.work.Wait()
	if s.tempDir {
		err = errors.Join(err, os.RemoveAll(s.Dir))
	}
	return err
}

// Handler returns the handler of the API, of git and of the pages for a browser.
func (s *Server) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Date", s.Clock().UTC().Format(http.TimeFormat))
		router().ServeHTTP(w, s.site.of(r))
	})
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

// OnDispatch sets a function that is called for each run of a workflow that the App starts, in a goroutine of its own:
// it may act as the run's jobs. nil removes it.
func (s *Server) OnDispatch(do func(sim.WorkflowRun)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	s.site.onDispatch = do
}

// router has the routes of all servers, because compiling them takes longer than most tests of a server.
var router = sync.OnceValue(newRouter)
