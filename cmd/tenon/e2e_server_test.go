package main

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/testchild"
)

// server is a running `tenon serve`.
type server struct {
	// stop ends it: the process is killed, or what runs in this process is told to stop.
	stop func()
	// ended is closed when it has ended.
	ended chan struct{}
	// cmd is its process, nil if it is in this one.
	cmd *exec.Cmd
}

// start runs `tenon serve` in this process, which is enough for all but signals, exit codes, the environment of the
// process, and what ends without notice.
func (s *stage) start() {
	s.t.Helper()
	ctx, cancel := context.WithCancel(s.t.Context())
	ended := make(chan struct{})
	log := &addressLog{next: s.log, address: make(chan string, 1)}
	env := s.variables()
	go func() {
		defer close(ended)
		if err := serve(ctx, source(env), log); err != nil {
			_, _ = log.Write([]byte("tenon: " + err.Error()))
		}
	}()
	s.started(&server{stop: cancel, ended: ended}, log.address)
}

// startProcess runs `tenon serve` as a process of its own, for what only a process shows.
func (s *stage) startProcess() {
	s.t.Helper()
	s.startCommand(program(s.t, append([]string{"GORACE=halt_on_error=1"}, s.variables()...), "serve"))
}

// startCommand starts a command that runs `tenon serve`.
func (s *stage) startCommand(cmd *exec.Cmd) {
	s.t.Helper()
	pipe, err := cmd.StderrPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, cmd.Start())
	ended := make(chan struct{})
	log := &addressLog{next: s.log, address: make(chan string, 1)}
	go func() {
		defer close(ended)
		for lines := bufio.NewScanner(pipe); lines.Scan(); {
			_, _ = log.Write(lines.Bytes())
		}
		_ = cmd.Wait()
	}()
	s.started(&server{stop: func() { _ = cmd.Process.Kill() }, ended: ended, cmd: cmd}, log.address)
}

// started waits until a server listens, and points GitHub's webhook at it.
func (s *stage) started(server *server, address <-chan string) {
	s.t.Helper()
	s.server = server
	s.t.Cleanup(func() {
		server.end()
		if s.t.Failed() {
			s.t.Log(s.log.all())
		}
	})
	select {
	case a := <-address:
		s.github.SetHookURL("http://" + a + "/webhook")
	case <-server.ended:
		require.FailNow(s.t, "the server did not start", s.log.all())
	case <-time.After(patience):
		require.FailNow(s.t, "the server does not say where it listens", s.log.all())
	}
}

// serveOnce runs a server that cannot start, in this process, with more settings. It returns what it logged and its
// error.
func (s *stage) serveOnce(env ...string) (log string, err error) {
	s.t.Helper()
	var out strings.Builder
	err = serve(s.t.Context(), source(append(s.variables(), env...)), &out)
	require.Error(s.t, err)
	return out.String(), err
}

// end ends a server and waits for its end.
func (s *server) end() {
	s.stop()
	<-s.ended
}

// stop ends the stage's server.
func (s *stage) stop() { s.server.end() }

// variables are the settings of a server; later ones go before earlier ones.
func (s *stage) variables() []string {
	env := []string{
		"TENON_LISTEN=127.0.0.1:0", "TENON_LOG_FORMAT=json", "TENON_DATA_DIR=" + s.data,
		"TENON_GITHUB_API_URL=" + s.github.APIURL(), "TENON_GITHUB_GIT_URL=" + s.github.GitURL(),
		"TENON_MODEL=model-1", "TENON_MODEL_BASE_URL=" + s.model.URL + "/v1", "TENON_MODEL_API_KEY=k",
		"GOGC=400", // or a server in the process of the test would have it collect garbage more often (collectSooner)
	}
	if !s.unregistered {
		env = append(env, "TENON_APP_ID="+jsonNumber(s.github.AppID()),
			"TENON_PRIVATE_KEY="+string(s.github.PrivateKeyPEM()), "TENON_WEBHOOK_SECRET="+s.github.WebhookSecret())
	}
	return append(env, s.env...)
}

// source returns where settings come from that are variables.
func source(env []string) config.Source {
	values := map[string]string{}
	for _, entry := range env {
		name, value, _ := strings.Cut(entry, "=")
		values[name] = value
	}
	return config.Source{Getenv: func(name string) string { return values[name] }, Environ: func() []string { return env }}
}

// program returns the program as a process, which is not started, with some variables only.
func program(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append([]string{"TENON_TEST_MAIN=1"}, env...)
	require.NoError(t, testchild.Bind(cmd))
	processes.count(t)
	return cmd
}

// processes counts the tests that start the program as a process.
var processes = &processTests{names: map[string]bool{}}

type processTests struct {
	mu    sync.Mutex
	names map[string]bool
}

func (p *processTests) count(t *testing.T) {
	name, _, _ := strings.Cut(t.Name(), "/")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.names[name] = true
}

// addressLog is a log that also tells where the server listens, when it has the line that says so.
type addressLog struct {
	next    io.Writer
	address chan string
}

func (l *addressLog) Write(data []byte) (int, error) {
	n, err := l.next.Write(data)
	var line struct{ Msg, Address string }
	if json.Unmarshal(data, &line) == nil && line.Msg == "listening" {
		select {
		case l.address <- line.Address:
		default: // of the page that sets it up, before
		}
	}
	return n, err
}

// maxProcessTests is how many tests start the program as a process, at most: a process costs as much as the rest of
// most tests. What needs none is told in the process of the test.
const maxProcessTests = 40

// list returns the names of these tests, sorted.
func (p *processTests) list() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Sorted(maps.Keys(p.names))
}
