package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/testdata"
)

var pagesFull = flag.Bool("pages.full", false, "measure the pages, as make bench-page does")

const (
	figureBlocks   = 100
	figureWatchers = 200
	// betweenBlocks is how long the model takes for a block.
	betweenBlocks = 50 * time.Millisecond
)

// pageFigures are those of one run of 100 blocks that people watch.
type pageFigures struct {
	// reply is how long the model took to write, and took how long the run went on afterwards.
	reply, took time.Duration
	// peak is the most memory that the server had, in bytes.
	peak int64
	// late is how long after its last token each block was on the page of a browser.
	late []time.Duration
	// first is how long each opening of the page took until its first byte; bytes is its size.
	first []time.Duration
	bytes int
}

// What watchers cost is compared with the same run in other processes that nobody watches, and one person: the first
// page takes memory of which the others need no more.
func TestWhatPagesCost(t *testing.T) {
	if !*pagesFull {
		t.Skip("it measures for half a minute; -pages.full runs this")
	}
	floor, one := figuresOfPages(t, 0), figuresOfPages(t, 1)
	with := figuresOfPages(t, figureWatchers)
	_, _ = fmt.Fprintf(os.Stdout, "page_blocks=%d page_bytes=%d first_byte_ms_p50=%.1f first_byte_ms_max=%.1f "+
		"block_late_ms_p50=%.0f block_late_ms_max=%.0f\n", figureBlocks, with.bytes, ms(middle(with.first)),
		ms(slices.Max(with.first)), ms(middle(with.late)), ms(slices.Max(with.late)))
	_, _ = fmt.Fprintf(os.Stdout, "page_watchers=%d reply_s=%.2f reply_floor_s=%.2f after_s=%.2f after_floor_s=%.2f "+
		"peak_mb=%.1f peak_one_mb=%.1f peak_floor_mb=%.1f\n", figureWatchers, with.reply.Seconds(), floor.reply.Seconds(),
		with.took.Seconds(), floor.took.Seconds(), mb(with.peak), mb(one.peak), mb(floor.peak))
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func mb(n int64) float64 { return float64(n) / (1 << 20) }

func middle(all []time.Duration) time.Duration {
	return slices.Sorted(slices.Values(all))[len(all)/2]
}

// figuresOfPages measures a run beside so many watchers, of which one is a browser; with none, nobody opens its page.
func figuresOfPages(t *testing.T, watchers int) (f pageFigures) {
	t.Helper()
	model := newPacedModel(t)
	s := newStage(t)
	pages := s.withPagesBy(s.startProcess, "TENON_MODEL_BASE_URL="+model.URL+"/v1")
	id := s.comment("maria", "/tenon fix `main.go`")
	<-model.asked
	s.until("an answer", func() bool { return len(s.answers()) == 1 })
	path := regexp.MustCompile(`/runs/\w+`).FindString(s.answers()[0])
	var b *browsertest.Browser
	maria := s.guest(pages)
	if watchers > 0 {
		maria.as("maria", path)
		maria.watch(path, watchers-1)
		b = browsertest.New(t)
		b.Opens(pages+path, "#banner") // maria is signed in at GitHub
		require.True(t, browsertest.Says[bool](b, noteBlocks))
	}

	start, last := time.Now(), make([]time.Time, 0, figureBlocks)
	for n := range figureBlocks {
		time.Sleep(betweenBlocks)
		model.pieces <- testdata.Block(fmt.Sprintf("part%d/total.go", n), "",
			"package part\n\nfunc total() {\n"+strings.Repeat("\tprintln(\"hello\")\n", 24)+"}\n")
		last = append(last, time.Now())
	}
	if b != nil {
		b.Sees(fmt.Sprintf("#block-%d", figureBlocks))
		for n, at := range browsertest.Says[[]float64](b, "seen") {
			f.late = append(f.late, time.UnixMilli(int64(at)).Sub(last[n]))
		}
	}
	f.reply = time.Since(start)
	end := time.Now()
	go model.giveUp(t.Context())
	s.settled(id)
	require.Len(t, s.commits(), 1, s.answers())
	f.took, f.peak = time.Since(end), s.memory("VmHWM")
	if watchers == 0 {
		maria.as("maria", path)
	}
	for range 20 {
		took, size := maria.firstByte(path)
		f.first, f.bytes = append(f.first, took), size
	}
	return f
}

// noteBlocks is a script that notes in seen when each block was on the page, in milliseconds since 1970.
const noteBlocks = `window.seen = [];
	new MutationObserver(() => {
		while (document.getElementById("block-" + (seen.length + 1))) seen.push(Date.now());
	}).observe(document.body, {childList: true, subtree: true}), true`

// watch has so many people watch the run of a page until the test ends. It returns when all have the page so far.
func (g *guest) watch(path string, watchers int) {
	g.s.t.Helper()
	ctx, cancel := context.WithCancel(g.s.t.Context())
	var all, connected sync.WaitGroup
	g.s.t.Cleanup(func() { cancel(); all.Wait() })
	for range watchers {
		connected.Add(1)
		all.Go(func() {
			said := sync.OnceFunc(connected.Done)
			defer said()
			req, _ := http.NewRequestWithContext(ctx, http.MethodGet, g.pages+path+"/live", nil)
			resp, err := (&http.Client{Jar: g.jar}).Do(req)
			if err != nil {
				return
			}
			defer func() { _ = resp.Body.Close() }()
			lines := bufio.NewScanner(resp.Body)
			for lines.Buffer(nil, 16<<20); lines.Scan(); {
				if resp.StatusCode == http.StatusOK && strings.HasPrefix(lines.Text(), "event: ") {
					said()
				}
			}
		})
	}
	connected.Wait()
}

// firstByte returns how long a page takes until its first byte, and its size.
func (g *guest) firstByte(path string) (took time.Duration, size int) {
	g.s.t.Helper()
	var first time.Time
	trace := &httptrace.ClientTrace{GotFirstResponseByte: func() { first = time.Now() }}
	ctx := httptrace.WithClientTrace(g.s.t.Context(), trace)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.pages+path, nil)
	require.NoError(g.s.t, err)
	start := time.Now()
	resp, err := (&http.Client{Jar: g.jar}).Do(req)
	require.NoError(g.s.t, err)
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	require.NoError(g.s.t, err)
	require.Contains(g.s.t, string(body), `id="block-100"`)
	return first.Sub(start), len(body)
}
