package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

// event is one of a stream.
type event struct {
	Name string
	Data struct {
		ID, In, HTML, Text string
		Reply, From, To    int
	}
}

// listener reads a stream.
type listener struct {
	t     *testing.T
	lines *bufio.Reader
	// at is the id of the last event.
	at string
}

// listen opens the stream of a path.
func (s *site) listen(t *testing.T, path string) *listener {
	t.Helper()
	server := httptest.NewServer(s.handler)
	ctx, cancel := context.WithCancel(t.Context())
	t.Cleanup(func() { cancel(); server.Close() })
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+path, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	t.Cleanup(func() { _ = answer.Body.Close() })
	require.Equal(t, "text/event-stream; charset=utf-8", answer.Header.Get("Content-Type"))
	return &listener{t: t, lines: bufio.NewReader(answer.Body)}
}

// next returns the next event.
func (l *listener) next() event {
	l.t.Helper()
	var e event
	for {
		line, err := l.lines.ReadString('\n')
		require.NoError(l.t, err)
		switch name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": "); name {
		case "event":
			e.Name = value
		case "id":
			l.at = value
		case "data":
			require.NoError(l.t, json.Unmarshal([]byte(value), &e.Data))
		case "":
			if e.Name != "" {
				return e
			}
		}
	}
}

var streamPath = regexp.MustCompile(`data-stream="([^"]*)"`)

// streamOf returns the path of the stream of a page.
func streamOf(t *testing.T, page string) string {
	t.Helper()
	found := streamPath.FindStringSubmatch(page)
	require.NotNil(t, found)
	return strings.ReplaceAll(found[1], "&amp;", "&")
}

// arriving is a run whose reply arrives.
func arriving(text string, blocks ...view.Block) view.Run {
	run := webtest.Mixed(ours, noon)
	run.ID, run.State, run.Outcome, run.Commit, run.Acts = "r-live", view.Running, "", nil, nil
	run.Blocks, run.Counts = blocks, view.Counts{New: len(blocks)}
	run.Replies = []view.Reply{{Call: 1, Model: "gpt-large", Text: text, Arriving: true}}
	return run
}

func TestARunThatGoesOnIsFollowed(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(arriving("I add\n"))
	page := s.get("/runs/r-live").Body.String()
	require.Contains(t, page, `<noscript><meta http-equiv="refresh" content="5"></noscript>`)
	require.Contains(t, page, `<pre data-length="6" tabindex="0" role="group" aria-label="The reply so far">I add`)

	l := s.listen(t, streamOf(t, page))
	s.runs.Put(arriving("I add\n<b>\u202eit\n"))
	s.live.Changed()
	e := l.next()
	require.Equal(t, "reply", e.Name)
	require.Equal(t, "<b>⟨U+202E⟩it\n", e.Data.Text)
	require.Equal(t, []int{1, 6, 15}, []int{e.Data.Reply, e.Data.From, e.Data.To})

	block := webtest.Mixed(ours, noon).Blocks[0]
	block.Badge = view.BadgeNew
	s.runs.Put(arriving("I add\n<b>\u202eit\n", block))
	s.live.Changed()
	changed := map[string]event{}
	for range 3 {
		e := l.next()
		changed[e.Data.ID] = e
	}
	require.Contains(t, changed["banner"].Data.HTML, "1 new")
	require.Contains(t, changed["files"].Data.HTML, "cart/total.go")
	require.Equal(t, "blocks", changed["block-1"].Data.In)
	require.Contains(t, changed["block-1"].Data.HTML, `<span class="badge new">new</span>`)

	run := webtest.Mixed(ours, noon)
	run.ID = "r-live"
	s.runs.Put(run)
	s.live.Changed()
	for e = l.next(); e.Name != "end"; e = l.next() {
		require.Equal(t, "section", e.Name)
	}
}

func TestWhoComesBackGetsWhatTheyMissed(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(arriving("one\n"))
	path := streamOf(t, s.get("/runs/r-live").Body.String())
	s.runs.Put(arriving("one\ntwo\n"))
	s.live.Changed()
	e := s.listen(t, path).next()
	require.Equal(t, "two\n", e.Data.Text)

	s.runs.Put(arriving("one\ntwo\n", webtest.Mixed(ours, noon).Blocks[0]))
	s.live.Changed()
	l := s.listen(t, "/runs/r-live/live")
	for e = l.next(); e.Data.ID != "block-1"; e = l.next() {
		require.Equal(t, "section", e.Name)
	}
	require.Contains(t, e.Data.HTML, "cart/total.go")
}

func TestAStreamIsOnlyForThoseWhoMayRead(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(arriving("one\n"))
	s.visitors.Forbid(ours.ID)
	require.Equal(t, http.StatusNotFound, s.get("/runs/r-live/live").Code)
	s.visitors.Who.Login, s.visitors.Who.ID = "", 0
	require.Equal(t, http.StatusUnauthorized, s.get("/runs/r-live/live").Code)
}

func TestAServerThatShutsDownWaitsForNoStream(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(arriving("one\n"))
	server := httptest.NewServer(s.handler)
	defer server.Close()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, server.URL+"/runs/r-live/live", nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	defer func() { _ = answer.Body.Close() }()
	require.NoError(t, server.Config.Shutdown(t.Context()))
	_, err = io.Copy(io.Discard, answer.Body)
	require.NoError(t, err)
}

func TestWhoAsksForTheHeadOfAStreamWaitsForNothing(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(arriving("one\n"))
	w := httptest.NewRecorder()
	s.handler.ServeHTTP(w, httptest.NewRequest(http.MethodHead, "/runs/r-live/live", nil))
	require.Equal(t, http.StatusOK, w.Code)
}
