package localrepo_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// words are what the sources of the benchmark are made of.
var words = []string{"reader", "writer", "buffer", "request", "answer", "token", "parse", "encode", "cache", "index",
	"server", "client", "header", "stream", "session", "policy", "record", "branch", "commit", "merge"}

// largeTree makes a repository with so many files of Go.
func largeTree(b *testing.B, files int) string {
	b.Helper()
	dir, random := b.TempDir(), rand.New(rand.NewPCG(1, 2))
	word := func() string { return words[random.IntN(len(words))] }
	for i := range files {
		top, sub := i/400, i/10%40 // ten files in each folder
		folder := filepath.Join(dir, fmt.Sprintf("%s%d", words[top%20], top), fmt.Sprintf("%s%d", words[sub%20], sub))
		require.NoError(b, os.MkdirAll(folder, 0o755))
		var text bytes.Buffer
		text.WriteString("package x\n")
		for n := range 10 + random.IntN(40) {
			fmt.Fprintf(&text, "\n// %s %s the %s%d of a %s.\nfunc %s%s%d(%s int) int { return %s * %d }\n", word(), word(),
				word(), random.IntN(5000), word(), word(), word(), i*100+n, word(), word(), n)
		}
		name := filepath.Join(folder, fmt.Sprintf("%s_%d.go", word(), i))
		require.NoError(b, os.WriteFile(name, text.Bytes(), 0o600))
	}
	write(b, dir, "main.txt", "hello\n")
	committed(b, dir)
	return dir
}

// BenchmarkFirstRequest prints how long it takes from the start of tenon fix until it asks the model, in a work tree of
// 20,000 files, beside a bare request that sends the same prompt to the endpoint, in milliseconds. cold is the first
// command in a work tree. cpu is the time of all processors for one warm command, git's included.
func BenchmarkFirstRequest(b *testing.B) {
	dir := largeTree(b, 20_000)
	program := filepath.Join(b.TempDir(), "tenon")
	out, err := exec.Command("go", "build", "-o", program, "github.com/tenon-bot/tenon/cmd/tenon").CombinedOutput()
	require.NoError(b, err, string(out))
	var asked time.Time
	var question []byte
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = time.Now()
		question, _ = io.ReadAll(r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"No.\"},"+
			"\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer endpoint.Close()
	once := func() time.Duration {
		cmd := exec.Command(program, "ask", "where is it said that the session's token is not in the cache?")
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "TENON_MODEL=model-1", "TENON_MODEL_BASE_URL="+endpoint.URL)
		start := time.Now()
		out, err := cmd.CombinedOutput()
		require.NoError(b, err, string(out))
		return asked.Sub(start)
	}
	bare := func() time.Duration {
		start := time.Now()
		resp, err := http.Post(endpoint.URL, "application/json", bytes.NewReader(question)) //nolint:noctx // a benchmark
		require.NoError(b, err)
		require.NoError(b, resp.Body.Close())
		return asked.Sub(start)
	}
	for b.Loop() {
		cold := once()
		once() // the first one keeps the index
		warm, floor := []time.Duration{}, []time.Duration{}
		used := processors(b)
		for range 9 {
			warm = append(warm, once())
		}
		used = (processors(b) - used) / 9
		for range 9 {
			floor = append(floor, bare())
		}
		slices.Sort(warm)
		slices.Sort(floor)
		ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
		fmt.Printf("local_ms cold=%.0f warm=%.1f floor=%.1f cpu=%.0f files=20000 request_bytes=%d\n", ms(cold), ms(warm[4]),
			ms(floor[4]), ms(used), len(question))
	}
}

// processors returns the time of processors that the processes that were started have used.
func processors(b *testing.B) time.Duration {
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_CHILDREN, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
