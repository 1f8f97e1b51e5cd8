package pgtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// Server is a private PostgreSQL server. It ends with the test, or with the process, however that ends.
type Server struct {
	dir      string    // its data, its socket and its log
	keep     bool      // the directory stays when the server ends
	settings []string  // of the server, as name=value
	alive    io.Closer // the server ends when this is closed, which the system does for a process that ends
	ended    <-chan error

	free pool // of empty databases
}

// New starts a server for one test that stops and restarts it, or wants settings such as "fsync=on". Use URL wherever
// the server is not what is tested.
func New(t testing.TB, settings ...string) *Server {
	t.Helper()
	skipWithoutPostgres(t)
	s, err := startServer(true, settings...)
	if err != nil {
		t.Fatalf("starting PostgreSQL: %v", err)
	}
	t.Cleanup(func() {
		s.Stop()
		_ = os.RemoveAll(s.dir)
	})
	return s
}

// URL returns the URL of an empty database of the server, which must be running. Nobody else uses it until the test has
// ended; then it is emptied for another one, which is quicker than creating one.
func (s *Server) URL(t testing.TB) string {
	t.Helper()
	u, ok := s.free.take()
	if !ok {
		var err error
		if u, _, err = create(s.url("postgres")); err != nil {
			t.Fatalf("creating a database: %v", err)
		}
	}
	t.Cleanup(func() {
		if err := run(u, empty...); err == nil {
			s.free.give(u)
		}
	})
	return u
}

const (
	endOthers = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`
	resetSettings = "DO $$ BEGIN EXECUTE 'ALTER DATABASE ' || current_database() || ' RESET ALL'; END $$"
)

// empty are the statements that empty a database and its settings.
var empty = []string{
	endOthers,
	"DROP SCHEMA public CASCADE",
	"CREATE SCHEMA public",
	"GRANT USAGE ON SCHEMA public TO PUBLIC", // as in a new database
	resetSettings,
}

// pool is databases, by their URLs, that no test uses. The zero value has none.
type pool struct {
	mu   sync.Mutex
	urls []string
}

func (p *pool) take() (databaseURL string, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	last := len(p.urls) - 1
	if last < 0 {
		return "", false
	}
	databaseURL = p.urls[last]
	p.urls = p.urls[:last]
	return databaseURL, true
}

func (p *pool) give(databaseURL string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.urls = append(p.urls, databaseURL)
}

// Stop ends the server without letting anybody finish, as a crash does. It may be called again.
func (s *Server) Stop() {
	if s.alive != nil {
		_ = s.alive.Close()
		<-s.ended //nolint:errcheck // it was killed
		s.alive = nil
	}
}

// Start starts the server again, and returns when it accepts connections.
func (s *Server) Start(t testing.TB) {
	t.Helper()
	if err := s.start(); err != nil {
		t.Fatalf("starting PostgreSQL: %v", err)
	}
}

// startServer creates a server in a new directory.
func startServer(keep bool, settings ...string) (*Server, error) {
	bin, err := programs()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "tenon-pg-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, keep: keep, settings: settings}
	if err := giveAway(dir); err != nil {
		return nil, err
	}
	// What a test stores may be lost with the machine, but not with the server.
	initdb := exec.CommandContext(context.Background(), filepath.Join(bin, "initdb"), "--no-sync", "--no-instructions",
		"--auth=trust", "--username=tenon", "--encoding=UTF8", "--locale=C", "--pgdata="+filepath.Join(dir, "data"))
	asOther(initdb)
	if out, err := initdb.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return s, s.start()
}

// keeper starts a server, and ends it when its own input ends.
const keeper = `
bin=$1 dir=$2 keep=$3
shift 3
"$bin/postgres" -D "$dir/data" -k "$dir" -c listen_addresses= -c max_connections=200 -c shared_buffers=16MB \
	-c fsync=off -c full_page_writes=off -c autovacuum=off "$@" >>"$dir/log" 2>&1 &
cat >/dev/null
kill -QUIT $! && wait $!
[ "$keep" = keep ] || rm -rf "$dir"`

func (s *Server) start() error {
	bin, err := programs()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.Background(), "/bin/sh", "-c", keeper, "sh", bin, s.dir)
	cmd.Args = append(cmd.Args, map[bool]string{true: "keep", false: "remove"}[s.keep])
	for _, setting := range s.settings {
		cmd.Args = append(cmd.Args, "-c", setting)
	}
	asOther(cmd)
	alive, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait(); close(ended) }()
	s.alive, s.ended = alive, ended
	return s.wait()
}

// wait returns when the server accepts connections.
func (s *Server) wait() error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		conn, err := pgx.Connect(ctx, s.url("postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
			return fmt.Errorf("%w: %s", err, log)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// url returns the URL of a database of the server, through its socket.
func (s *Server) url(database string) string {
	u := url.URL{Scheme: "postgres", User: url.User("tenon"), Path: "/" + database,
		RawQuery: url.Values{"host": {s.dir}, "sslmode": {"disable"}}.Encode()}
	return u.String()
}

// programs returns the folder of PostgreSQL's programs: that of initdb in PATH, or the newest of Debian's.
func programs() (string, error) {
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil || len(found) == 0 {
		return "", errors.New("postgres is not installed")
	}
	// 9 is older than what is supported, so that the order of the names is that of the versions.
	return filepath.Dir(slices.Max(found)), nil
}
