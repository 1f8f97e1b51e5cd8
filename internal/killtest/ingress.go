package killtest

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// IngressOptions say how deliveries are sent to one process.
type IngressOptions struct {
	Program, Env []string
	// Dir is an empty folder for everything that is written.
	Dir string
	// Burst is how many deliveries are sent, Clients from how many connections, Payload how many bytes each has.
	Burst, Clients, Payload int
	// Stored counts the events in the database after the process was killed.
	Stored func(ctx context.Context) (int, error)
}

// Ingress are the figures of a burst of deliveries.
type Ingress struct {
	// PerSecond counts durable accepts, P99 is the time within which 99 of 100 were answered.
	PerSecond float64
	P99       time.Duration
	// CPU is the time that the process computed. On a machine that does nothing else, the process accepts Burst events in
	// that time, divided by its CPUs.
	CPU time.Duration
	// Burst counts deliveries, Refused those that were not accepted, and Lost those that were accepted and are not in the
	// database after kill -9.
	Burst, Refused, Lost int
}

// String returns the figures in one line.
func (i Ingress) String() string {
	return fmt.Sprintf("accepts_per_s=%.0f p99_ms=%.0f burst=%d lost=%d refused=%d server_cpu_s=%.1f",
		i.PerSecond, float64(i.P99.Microseconds())/1000, i.Burst, i.Lost, i.Refused, i.CPU.Seconds())
}

// Accept sends a burst of signed deliveries to a process, kills it after the last answer, and counts what it has kept.
// GitHub does not answer the process meanwhile, so that no event is done before it is counted.
func Accept(ctx context.Context, opts IngressOptions) (Ingress, error) {
	if err := folders(opts.Dir); err != nil {
		return Ingress{}, err
	}
	w, err := newWorld(filepath.Join(opts.Dir, "repositories"), 1, 1, simhttp.Options{})
	if err != nil {
		return Ingress{}, err
	}
	defer func() { _ = w.close() }()
	sample, err := w.sample()
	if err != nil {
		return Ingress{}, err
	}
	silent := make(chan struct{})
	answer := sync.OnceFunc(func() { close(silent) })
	defer answer()
	w.github.Gate(func(_ simhttp.Stage, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/app") {
			<-silent
		}
	})
	l := &launcher{program: opts.Program, dir: filepath.Join(opts.Dir, "logs"), world: w, seen: newSightings(),
		env: append(limitless("TENON_DATA_DIR="+DataDir(opts.Dir)), opts.Env...), modelURL: w.github.GitURL()}
	p, err := l.start(ctx, "process")
	if err != nil {
		return Ingress{}, err
	}
	figures, err := burst(ctx, p.url, w.github.WebhookSecret(), sample, opts)
	_ = p.cmd.Process.Kill()
	answer() // nobody reads it
	<-p.ended
	if err != nil {
		return Ingress{}, err
	}
	figures.CPU = p.cmd.ProcessState.UserTime() + p.cmd.ProcessState.SystemTime()
	stored, err := opts.Stored(ctx)
	figures.Lost = figures.Burst - figures.Refused - stored
	return figures, err
}

// sample returns the payload of a delivery about a command.
func (w *world) sample() (payload map[string]any, err error) {
	got := make(chan []byte, 1)
	hook := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.Header.Get("X-GitHub-Event") == "issue_comment" {
			body, _ := io.ReadAll(r.Body)
			got <- body
		}
		rw.WriteHeader(http.StatusAccepted)
	}))
	defer hook.Close()
	w.github.SetHookURL(hook.URL)
	defer w.github.SetHookURL("")
	if err := w.post(w.commands[0]); err != nil {
		return nil, err
	}
	return payload, json.Unmarshal(<-got, &payload)
}

// burst sends the deliveries and measures the answers.
func burst(ctx context.Context, url, secret string, sample map[string]any, opts IngressOptions) (Ingress, error) {
	bodies, err := payloads(sample, opts.Burst, opts.Payload)
	if err != nil {
		return Ingress{}, err
	}
	signatures := make([]string, len(bodies)) // signed before, as GitHub has machines of its own
	for i, body := range bodies {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write(body)
		signatures[i] = "sha256=" + hex.EncodeToString(mac.Sum(nil))
	}
	client := http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: opts.Clients}, Timeout: 10 * time.Second}
	defer client.CloseIdleConnections()
	took := make([]time.Duration, len(bodies))
	var next, refused atomic.Int64
	var clients sync.WaitGroup
	begun := time.Now()
	for range opts.Clients {
		clients.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(bodies); i = int(next.Add(1)) - 1 {
				at := time.Now()
				if !deliver(ctx, &client, url, fmt.Sprintf("00000000-0000-4000-8000-%012d", i), signatures[i], bodies[i]) {
					refused.Add(1)
				}
				took[i] = time.Since(at)
			}
		})
	}
	clients.Wait()
	all := time.Since(begun)
	slices.Sort(took)
	return Ingress{PerSecond: float64(len(bodies)) / all.Seconds(), P99: took[len(took)*99/100],
		Burst: len(bodies), Refused: int(refused.Load())}, nil
}

// payloads returns deliveries of comments of their own, in a hundred threads, padded with a field that is not read.
func payloads(sample map[string]any, n, size int) ([][]byte, error) {
	comment, _ := sample["comment"].(map[string]any)
	issue, _ := sample["issue"].(map[string]any)
	if comment == nil || issue == nil {
		return nil, fmt.Errorf("the delivery of a comment has fields %v", sample)
	}
	list := make([][]byte, n)
	for i := range list {
		comment["id"], issue["number"] = 1_000_000+i, 1+i%100
		sample["padding"] = ""
		data, err := json.Marshal(sample)
		if err != nil {
			return nil, err
		}
		sample["padding"] = strings.Repeat("x", max(size-len(data), 0))
		if list[i], err = json.Marshal(sample); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// deliver sends one delivery and reports whether it was accepted.
func deliver(ctx context.Context, client *http.Client, url, guid, signature string, body []byte) bool {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return false
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("X-GitHub-Event", "issue_comment")
	req.Header.Set("X-GitHub-Delivery", guid)
	req.Header.Set("X-Hub-Signature-256", signature)
	res, err := client.Do(req)
	if err != nil {
		return false
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	return res.StatusCode == http.StatusAccepted
}
