package killtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/internal/testchild"
)

// process is a running `tenon serve`.
type process struct {
	name  string
	cmd   *exec.Cmd
	url   string // of its webhook
	door  *httptest.Server
	ended chan struct{}
	begun time.Time
	// last is what it logged last, for the error when it ends by itself.
	mu   sync.Mutex
	last string
}

// launcher starts processes.
type launcher struct {
	program  []string // the program and its first arguments
	env      []string
	dir      string // of the log files
	world    *world
	modelURL string
	seen     *sightings
}

// errNotListening is the cause when a process ended before it listened.
var errNotListening = errors.New("the process ended before it listened")

// start starts a process and returns when it listens. The process sees GitHub through a server of its own, so that its
// requests are known as its.
func (l *launcher) start(ctx context.Context, name string) (*process, error) {
	p := &process{name: name, ended: make(chan struct{}), begun: time.Now()}
	p.door = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		l.seen.note(orgOf(r.URL.Path), name)
		l.world.github.Handler().ServeHTTP(w, r)
	}))
	args := append(slices.Clone(l.program[1:]), "serve")
	p.cmd = exec.Command(l.program[0], args...) //nolint:noctx // it is killed
	github := l.world.github
	p.cmd.Env = append([]string{
		"PATH=" + os.Getenv("PATH"), "TENON_LISTEN=127.0.0.1:0", "TENON_LOG_FORMAT=json",
		"TENON_APP_ID=" + strconv.FormatInt(github.AppID(), 10), "TENON_PRIVATE_KEY=" + string(github.PrivateKeyPEM()),
		"TENON_WEBHOOK_SECRET=" + github.WebhookSecret(),
		"TENON_GITHUB_API_URL=" + p.door.URL + "/api/v3/", "TENON_GITHUB_GIT_URL=" + p.door.URL + "/",
		"TENON_MODEL=model-1", "TENON_MODEL_BASE_URL=" + l.modelURL + "/v1", "TENON_MODEL_API_KEY=" + name,
	}, l.env...)
	if err := testchild.Bind(p.cmd); err != nil {
		return nil, err
	}
	pipe, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	log, err := os.Create(filepath.Join(l.dir, name+".log"))
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting tenon: %w", err)
	}
	address := make(chan string, 1)
	go p.read(pipe, log, address)
	select {
	case a := <-address:
		p.url = "http://" + a + "/webhook"
		return p, nil
	case <-p.ended:
		return nil, fmt.Errorf("%w: %s", errNotListening, p.lastLine())
	case <-ctx.Done():
		p.kill()
		return nil, context.Cause(ctx)
	}
}

// read copies what the process logs to a file, and says where it listens.
func (p *process) read(pipe io.Reader, log io.WriteCloser, address chan<- string) {
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		_, _ = fmt.Fprintln(log, lines.Text())
		p.mu.Lock()
		p.last = lines.Text()
		p.mu.Unlock()
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			address <- line.Address
		}
	}
	_ = p.cmd.Wait()
	_ = log.Close()
	p.door.Close()
	close(p.ended)
}

func (p *process) lastLine() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.last
}

// kill ends the process as kill -9 does, and returns when it has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.ended
}

// stop asks the process to end, and returns when it has.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(os.Interrupt)
	select {
	case <-p.ended:
	case <-time.After(time.Minute):
		p.kill()
	}
}
