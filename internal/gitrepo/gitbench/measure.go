package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

const (
	rounds    = 11
	roundTrip = 50 * time.Millisecond
)

// stage is the server, the repository and the client process.
type stage struct {
	*script
	server   *gittest.Server
	repo     *gittest.Repo
	files    []string
	next     int // of files
	tip      string
	commits  int
	orders   io.Writer
	answers  *bufio.Scanner
	delay    atomic.Int64
	received atomic.Int64
}

// figures are the times of one configuration, and the requests and bytes of its runs.
type figures struct {
	floor, warm, later, cold, clone                  []time.Duration
	requestsWarm, requestsLater, requestsCold, bytes int
}

func measure() (line string, err error) {
	s := &stage{script: &script{}}
	defer s.close()
	defer func() {
		if r := recover(); r != nil {
			err = errors.Join(err, fmt.Errorf("%v", r))
		}
	}()
	s.server = gittest.New(s)
	s.server.Wrap(s.slow)
	s.repo = s.server.Create(s, "acme/anvil")
	s.files = fill(s.script, s.repo)
	s.tip = s.repo.Ref("refs/heads/main")
	s.startClient()
	near := s.compare(true)
	s.delay.Store(int64(roundTrip))
	far := s.compare(false)
	memory, _ := strconv.Atoi(s.order("memory"))
	return fmt.Sprintf("warm_x=%.2f cold_x=%.2f warm_rtt_x=%.2f cold_rtt_x=%.2f requests_warm=%d requests_cold=%d "+
		"cold_kb=%d rss_mb=%d clone_depth1_x=%.1f warm_later_rtt_x=%.2f requests_warm_later=%d",
		ratio(near.warm, near.floor), ratio(near.cold, near.floor), ratio(far.warm, far.floor), ratio(far.cold, far.floor),
		far.requestsWarm, far.requestsCold, far.bytes>>10, memory>>10, ratio(near.clone, near.floor),
		ratio(far.later, far.floor), far.requestsLater), nil
}

// slow adds the round trip to each request, and counts the bytes of responses.
func (s *stage) slow(git http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(time.Duration(s.delay.Load()))
		git.ServeHTTP(&counter{w, &s.received}, r)
	})
}

type counter struct {
	http.ResponseWriter
	bytes *atomic.Int64
}

func (c *counter) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// compare measures floor, warm and cold in turns, so that other load affects all three.
func (s *stage) compare(clone bool) figures {
	var f figures
	for range rounds {
		f.floor = append(f.floor, s.floor())

		s.order("open\twarm\t" + s.tip)
		s.commit()
		s.server.Requests()
		f.warm = append(f.warm, s.run("named"))
		f.requestsWarm = len(s.server.Requests())

		s.commit()
		s.server.Requests()
		f.later = append(f.later, s.run("warm"))
		f.requestsLater = len(s.server.Requests())

		s.received.Store(0)
		f.cold = append(f.cold, s.run("cold"))
		f.requestsCold, f.bytes = len(s.server.Requests()), int(s.received.Load())
	}
	if clone {
		f.clone = append(f.clone, s.clone())
	}
	return f
}

// commit makes a commit on the server.
func (s *stage) commit() {
	s.commits++
	name := s.pick(1)[0]
	s.tip = s.repo.Commit("main", gittest.Files(map[string]string{name: fmt.Sprintf("// commit %d\n", s.commits)}))
}

// pick returns the next n files, none twice, from the whole tree.
func (s *stage) pick(n int) []string {
	var names []string
	for range n {
		s.next++
		names = append(names, s.files[s.next*7919%len(s.files)])
	}
	return names
}

// run makes the client edit three files and push.
func (s *stage) run(variant string) time.Duration {
	answer := s.order(strings.Join(append([]string{"run", variant, s.tip}, s.pick(3)...), "\t"))
	s.tip = s.repo.Ref("refs/heads/main")
	return s.duration(answer)
}

// floor makes a commit in a clone that shares the server's objects, and measures only its push.
func (s *stage) floor() time.Duration {
	folder := filepath.Join(s.TempDir(), "floor.git")
	s.repo.Git("clone", "--quiet", "--bare", "--shared", s.repo.Dir, folder)
	near := *s.repo
	near.Dir = folder
	files := gittest.Files(map[string]string{})
	for _, name := range s.pick(3) {
		files[name] = gittest.File{Data: "// edited\n" + near.Git("show", s.tip+":"+name)}
	}
	near.Commit("main", files)
	start := time.Now()
	near.Git("push", "--quiet", s.repo.URL, "refs/heads/main")
	took := time.Since(start)
	s.tip = s.repo.Ref("refs/heads/main")
	return took
}

func (s *stage) clone() time.Duration {
	folder := filepath.Join(s.TempDir(), "clone")
	start := time.Now()
	s.repo.Git("clone", "--quiet", "--depth=1", s.repo.URL, folder)
	return time.Since(start)
}

func (s *stage) startClient() {
	self, err := os.Executable()
	if err != nil {
		s.Fatalf("%w", err)
	}
	cmd := exec.CommandContext(context.Background(), self, "client", s.server.URL)
	cmd.Stderr = os.Stderr
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		s.Fatalf("starting the client: %w", err)
	}
	s.orders, s.answers = in, bufio.NewScanner(out)
	s.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
}

func (s *stage) order(text string) string {
	_, err := fmt.Fprintln(s.orders, text)
	if err != nil || !s.answers.Scan() {
		s.Fatalf("the client is gone: %v", errors.Join(err, s.answers.Err()))
	}
	return s.answers.Text()
}

func (s *stage) duration(answer string) time.Duration {
	n, err := strconv.ParseInt(answer, 10, 64)
	if err != nil {
		s.Fatalf("the client says: %s", answer)
	}
	return time.Duration(n)
}

func ratio(a, b []time.Duration) float64 {
	slices.Sort(a)
	slices.Sort(b)
	return float64(a[len(a)/2]) / float64(b[len(b)/2])
}
