package web_test

import (
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/web"
	"github.com/tenon-bot/tenon/internal/web/webtest"
)

func TestThePageOfARunShowsAllOfIt(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	w := s.get("/runs/r-mixed")
	require.Equal(t, http.StatusOK, w.Code)
	body := w.Body.String()
	for _, want := range []string{
		// The banner leads to the first failure.
		`3 applied · <a href="#block-4">1 failed</a> · <a href="#block-5">1 skipped</a>`,
		// A file leads to its diff, applied to the lines on GitHub, failed to what was searched.
		`<a href="#block-1" data-opens="block-1-diff">cart/total.go</a>`,
		`<a class="badge applied" href="https://github.com/acme/shop/blob/c0ffee/cart/total.go#L3-L5"`,
		`<a class="badge failed" href="/runs/r-mixed/blocks/4#block-4-searched" data-opens="block-4-searched"`,
		`<details id="block-4-searched">`,
		`Line 9 differs. Expected: <code>	return a</code>. In the file: <code>	return b</code>.`,
		// A suggestion can be copied.
		`<pre id="suggestion-0">go test ./...</pre><button type="button" class="quiet" data-copy="suggestion-0"`,
		`the edit did not match`, `>exact</span>`, `<mark>`, `<span class=k>func</span>`,
		"gpt-large", "$0.0123", "12,345", "14.0 s", "main.go", "mentioned in the issue", "asked the model",
		`alert(&#34;hi&#34;)`,
		`formaction="/runs/r-mixed/undo"`, `name="block" value="4"`, `Undo the commit`,
		`<strong>ann</strong> asked`, `https://github.com/acme/shop/pull/12#issuecomment-1`,
	} {
		require.Contains(t, body, want)
	}
	require.NotContains(t, body, "data-stream", "it has ended")
	require.NotContains(t, body, "http-equiv")
}

func TestThePageOfAHundredBlocksIsSmallAndTheRestIsLoaded(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Many(ours, noon, 100))
	body := s.get("/runs/r-many").Body.String()
	require.Less(t, len(body), 200_000)
	require.Equal(t, 100, strings.Count(body, "<article class=\"card block"))
	require.Contains(t, body, `<details id="block-1-diff" open>`)
	require.Contains(t, body, `<details id="block-100-diff" data-load="/runs/r-many/blocks/100">`)
	require.Contains(t, body, `<p class="load"><a href="/runs/r-many/blocks/100">Show the diff</a></p>`)

	page := s.get("/runs/r-many/blocks/100").Body.String()
	require.Contains(t, page, "<!doctype html>")
	require.Contains(t, page, `<details id="block-100-diff" open>`)
	fragment := s.fragment("/runs/r-many/blocks/100")
	require.True(t, strings.HasPrefix(fragment, `<article class="card block applied" id="block-100"`), fragment)
	for _, path := range []string{"/runs/r-many/blocks/101", "/runs/r-many/blocks/0", "/runs/r-many/blocks/x"} {
		require.Equal(t, http.StatusNotFound, s.get(path).Code)
	}
}

func TestDiffsAreSideBySideWhereTheyAreAskedForSo(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Many(ours, noon, 100))
	body := s.get("/runs/r-many?diff=split").Body.String()
	require.Contains(t, body, `<div class="diff split"`)
	require.Contains(t, body, `data-load="/runs/r-many/blocks/100?diff=split"`)
	require.Contains(t, s.get("/runs/r-many/blocks/100?diff=split").Body.String(), `<div class="diff split"`)
}

func TestALongReplyIsLoadedWhenItIsOpened(t *testing.T) {
	t.Parallel()
	s := newSite()
	run := webtest.Mixed(ours, noon)
	run.Replies[0].Text = strings.Repeat("A long reply.\n", 10_000)
	s.runs.Put(run)
	body := s.get("/runs/r-mixed").Body.String()
	require.NotContains(t, body, "A long reply.")
	require.Contains(t, body, `data-load="/runs/r-mixed/replies/1"`)
	require.Equal(t, 10_000, strings.Count(s.fragment("/runs/r-mixed/replies/1"), "A long reply."))
}

func TestAnOperatorWhoMayNotReadARepositorySeesNoSource(t *testing.T) {
	t.Parallel()
	s := newSite()
	run := webtest.Mixed(ours, noon)
	s.runs.Put(run)
	s.visitors.Forbid(ours.ID)
	require.Equal(t, http.StatusNotFound, s.get("/runs/r-mixed").Code)
	s.visitors.Who.Operator = true
	body := s.get("/runs/r-mixed").Body.String()
	require.Contains(t, body, "You see this run because you operate this server.")
	for _, secret := range []string{"the total of the cart", "sum(items)", "go test ./...", `id="act"`} {
		require.NotContains(t, body, secret)
	}
	require.Equal(t, http.StatusNotFound, s.post("/runs/r-mixed/undo", nil).Code)
	require.Empty(t, s.acts.Done())
}

func TestAButtonIsACommandInTheNameOfTheVisitor(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	w := s.post("/runs/r-mixed/undo", nil)
	require.Equal(t, http.StatusSeeOther, w.Code)
	require.Equal(t, "/runs/r-new", w.Header().Get("Location"))
	s.post("/runs/r-mixed/apply", url.Values{"block": {"5", "4", "5"}})
	require.Equal(t, "/runs/r-mixed", s.post("/runs/r-mixed/cancel", nil).Header().Get("Location"))
	require.Equal(t, []webtest.Act{{Login: "ann", Run: "r-mixed", Act: view.ActUndo},
		{Login: "ann", Run: "r-mixed", Act: view.ActApply, Blocks: []int{4, 5}},
		{Login: "ann", Run: "r-mixed", Act: view.ActCancel}}, s.acts.Done())
}

func TestAFormThatChoosesNothingPossibleIsRefusedWithAWord(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.runs.Put(webtest.Mixed(ours, noon))
	for _, block := range [][]string{nil, {"x"}, {"0"}, {"-1"}, slices.Repeat([]string{"1"}, 501)} {
		w := s.post("/runs/r-mixed/apply", url.Values{"block": block})
		require.Equal(t, http.StatusBadRequest, w.Code)
		require.Contains(t, w.Body.String(), "chosen")
	}
	require.Equal(t, http.StatusNotFound, s.post("/runs/r-mixed/explode", nil).Code)
	s.acts.Fault = &port.UserError{Text: "There have been too many commands."}
	w := s.post("/runs/r-mixed/retry", nil)
	require.Equal(t, http.StatusBadRequest, w.Code)
	require.Contains(t, w.Body.String(), "There have been too many commands.")
	require.Empty(t, s.acts.Done())
}

func TestNothingHostileIsOnAPage(t *testing.T) {
	t.Parallel()
	s := newSite()
	evil := "\"'><script>alert(1)</script>\u202egnp.exe\x00\x1b[2J\xff" + strings.Repeat("long", 1<<18)
	s.runs.Put(webtest.Hostile(ours, noon, evil))
	for _, path := range []string{"/runs/r-hostile", "/runs/r-hostile/blocks/1", "/runs/r-hostile/replies/1",
		"/runs/r-hostile?diff=split"} {
		body := s.get(path).Body.String()
		require.True(t, utf8.ValidString(body))
		require.NotContains(t, body, "<script>alert", path)
		require.NotContains(t, body, "javascript:alert", path)
		require.NotContains(t, body, "\u202e", path)
		require.NotContains(t, body, "\x1b", path)
	}
	require.Less(t, s.get("/runs/r-hostile").Body.Len(), 300_000)
}

func TestAPageIsNotLateForItsColours(t *testing.T) {
	t.Parallel()
	s := newSite()
	s.handler = web.New(web.Options{Visitors: s.visitors, Runs: s.runs, Live: s.live, Acts: s.acts, Colours: 1,
		Now: func() time.Time { return noon }, Log: slog.New(slog.DiscardHandler)})
	s.runs.Put(webtest.Mixed(ours, noon))
	body := s.get("/runs/r-mixed").Body.String()
	require.Contains(t, body, `func total`)
	require.NotContains(t, body, `<span class=k>`)
}
