package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/browsertest"
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/testdata"
)

// pacedModel is a model behind HTTP whose answers are written piece by piece, as the test says.
type pacedModel struct {
	*httptest.Server
	pieces chan string
	asked  chan struct{}
}

func newPacedModel(t *testing.T) *pacedModel {
	t.Helper()
	m := &pacedModel{pieces: make(chan string), asked: make(chan struct{}, 100)}
	m.Server = httptest.NewServer(http.HandlerFunc(m.answer))
	t.Cleanup(m.CloseClientConnections)
	return m
}

func (m *pacedModel) answer(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "text/event-stream")
	m.asked <- struct{}{}
	send := func(delta map[string]any, finish any) {
		data, _ := json.Marshal(map[string]any{"model": "model-1",
			"choices": []any{map[string]any{"index": 0, "delta": delta, "finish_reason": finish}}})
		_, _ = fmt.Fprintf(w, "data: %s\n\n", data)
		w.(http.Flusher).Flush()
	}
	for {
		select {
		case <-r.Context().Done():
			return
		case piece := <-m.pieces:
			if piece == "" {
				send(map[string]any{}, "stop")
				_, _ = fmt.Fprint(w, "data: [DONE]\n\n")
				return
			}
			send(map[string]any{"content": piece}, nil)
		}
	}
}

// giveUp ends all answers from now on.
func (m *pacedModel) giveUp(ctx context.Context) {
	for {
		select {
		case m.pieces <- "":
		case <-ctx.Done():
			return
		}
	}
}

// pagesStage is a stage whose server has pages, and a browser.
type pagesStage struct {
	*stage
	b    *browsertest.Browser
	site string
}

// newPagesStage starts a server with pages, of which root is an operator.
func newPagesStage(t *testing.T, env []string, replies ...string) *pagesStage {
	t.Helper()
	b := browsertest.New(t)
	s := newStage(t, replies...)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	site := "http://" + l.Addr().String()
	require.NoError(t, l.Close())
	s.github.SetCallbackURLs(site + "/auth/callback")
	s.env = append([]string{"TENON_LISTEN=" + l.Addr().String(), "TENON_PUBLIC_URL=" + site, "TENON_OPERATORS=root",
		"TENON_CLIENT_ID=" + s.github.ClientID(), "TENON_CLIENT_SECRET=" + s.github.ClientSecret()}, env...)
	require.NoError(t, s.github.AddUser("root"))
	s.start()
	return &pagesStage{s, b, site}
}

// signIn signs somebody in who has not been here, beginning at a path.
func (s *pagesStage) signIn(login, path, sees string) {
	s.t.Helper()
	require.NoError(s.t, s.github.SignIn(login))
	s.b.Opens(s.site+path, "#authorize")
	s.b.Press("#authorize", sees)
}

// pageOf returns the path of the page that the newest answer links to.
func (s *pagesStage) pageOf() string {
	s.t.Helper()
	answers := s.answers()
	_, link, ok := strings.Cut(answers[len(answers)-1], s.site)
	require.True(s.t, ok, answers[len(answers)-1])
	path, _, _ := strings.Cut(link, ")")
	return path
}

// ownHosts requires that the browser asked nobody but the server and GitHub, and that no page broke its policy.
func (s *pagesStage) ownHosts() {
	s.t.Helper()
	for _, host := range s.b.Hosts() {
		require.True(s.t, strings.Contains(s.site, host) || strings.Contains(s.github.GitURL(), host), host)
	}
	require.Empty(s.t, s.b.Faults())
}

func TestInABrowserARunIsSeenWhileTheModelWrites(t *testing.T) {
	t.Parallel()
	model := newPacedModel(t)
	s := newPagesStage(t, []string{"TENON_MODEL_BASE_URL=" + model.URL + "/v1"})
	s.comment("maria", "/tenon fix `main.go` and `greet.go`")
	<-model.asked
	s.until("an answer", func() bool { return len(s.answers()) == 1 })
	path := s.pageOf()
	s.signIn("maria", path, "#banner")
	require.Equal(t, s.site+path, s.b.Address(), "sign-in leads back to the page")
	require.Contains(t, s.b.Text("#banner"), "running")

	first := testdata.Edit("main.go", "\tprintln(\"hello\")", "\tprintln(\"goodbye\")")
	model.pieces <- "I change two files.\n\n" + first[:len(first)/2]
	s.b.Until(`document.querySelector("#reply-1").textContent.includes("I change two files.")`)
	require.False(t, browsertest.Says[bool](s.b, `document.querySelector("#block-1") !== null`), "it is not whole")
	model.pieces <- first[len(first)/2:]
	s.b.Until(`document.querySelector("#block-1.applied") !== null`)
	s.b.Until(`document.querySelector("#banner").textContent.includes("1 applied")`)
	model.pieces <- testdata.Edit("greet.go", testdata.BadGreet, testdata.BetterGreet)
	s.b.Until(`document.querySelector("#block-2.failed") !== null`)
	require.Empty(t, s.commits(), "nothing is committed yet")
	s.b.Picture("run-live")
	model.pieces <- ""
	<-model.asked // for a correction
	model.pieces <- "I cannot do better.\n"
	s.b.Until(`document.querySelector("#reply-2").textContent.includes("I cannot do better.")`)
	go model.giveUp(t.Context())
	s.b.Until(`document.querySelector("#banner").textContent.includes("committed")`)
	require.Contains(t, s.b.Text("#banner"), "1 applied · 1 failed")
	s.b.IsAccessible("the page of a run")
	s.b.Picture("run")

	// The click table.
	require.Regexp(t, `/acme/lathe/blob/[0-9a-f]{40}/main\.go#L\d`,
		browsertest.Says[string](s.b, `document.querySelector("#block-1 a.badge.applied").href`))
	s.b.Do(chromedp.Click("#block-2 a.badge.failed"))
	s.b.Until(`document.querySelector("#block-2-searched").open`)
	s.b.Do(chromedp.Click(`#files a[data-opens="block-1-diff"]`))
	s.b.Until(`location.hash === "#block-1-diff" && document.querySelector("#block-1-diff").open`)
	s.b.Do(chromedp.Click(`#banner a[href="#block-2"]`))
	s.b.Until(`document.activeElement.id === "block-2"`)
	s.b.Opens(s.site+path+"?diff=split", "#block-1-diff")
	s.b.Picture("run-split")
	s.b.IsAccessible("the page of a run, side by side")

	// Undo, in the thread as well.
	s.b.Opens(s.site+path, `button[formaction$="/undo"]`)
	s.b.Do(chromedp.Click(`button[formaction$="/undo"]`))
	s.until("an undo", func() bool { return len(s.commits()) == 2 })
	s.until("an answer to the undo", func() bool {
		answers := s.answers()
		return len(answers) == 2 && strings.Contains(answers[1], "on the page of")
	})
	s.ownHosts()
}

func TestInABrowserACancelledRunShowsNoEditsThatWereOnlyTried(t *testing.T) {
	t.Parallel()
	model := newPacedModel(t)
	s := newPagesStage(t, []string{"TENON_MODEL_BASE_URL=" + model.URL + "/v1"})
	s.comment("maria", "/tenon fix `main.go` and `greet.go`")
	<-model.asked
	s.until("an answer", func() bool { return len(s.answers()) == 1 })
	s.signIn("maria", s.pageOf(), "#banner")
	model.pieces <- testdata.Edit("main.go", "\tprintln(\"hello\")", "\tprintln(\"goodbye\")")
	s.b.Until(`document.querySelector("#block-1.applied") !== null`)
	s.b.Sees(`button[formaction$="/cancel"]`)
	require.Contains(t, s.b.Text("#acts"), "all commands of this thread")
	s.b.Until(`fetch(document.querySelector('button[formaction$="/cancel"]').formAction, {method: "POST",
		body: new URLSearchParams(new FormData(document.querySelector("#act")))}) instanceof Promise`)
	s.b.Until(`document.querySelector("#banner").textContent.includes("cancelled")`)
	s.b.Until(`document.querySelector("#block-1") === null`)
}

func TestInABrowserOthersSeeNothingAndOperatorsNoSources(t *testing.T) {
	t.Parallel()
	s := newPagesStage(t, nil, goodReply)
	require.NoError(t, s.github.AddRepo(sim.Repo{Name: "acme/vault", Files: stageFiles}))
	_, err := s.github.Push("acme/vault", "speed", map[string]string{"speed.txt": "fast\n"}, "Be fast\n")
	require.NoError(t, err)
	s.repo = "acme/vault"
	s.pull, err = s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Plan of the merger", Head: "speed"})
	require.NoError(t, err)
	s.settled(s.comment("maria", "/tenon fix `main.go`"))
	path := s.pageOf()

	s.signIn("stranger", path, "#main")
	status := fmt.Sprintf(`fetch(%q).then(r => r.status)`, path)
	require.Equal(t, 404, browsertest.Says[int](s.b, status))
	missing := strings.Replace(path, path[len("/runs/"):], "aaaabbbbcccc", 1)
	texts := func(p string) string {
		return browsertest.Says[string](s.b, fmt.Sprintf(`fetch(%q).then(r => r.text())`, p))
	}
	require.Equal(t, texts(missing), texts(path), "as if there were no such run")
	s.b.IsAccessible("404")
	s.b.Picture("missing")
	s.b.Opens(s.site+"/", "h1")
	require.NotContains(t, s.b.Text("body"), "vault")
	require.Equal(t, 404, browsertest.Says[int](s.b, `fetch("/dead-letters").then(r => r.status)`))
	s.b.Press("form.who button", `a[href="/signin"]`)

	s.signIn("root", path, "#banner")
	body := s.b.Text("body")
	require.Contains(t, body, "1 applied")
	for _, hidden := range []string{"Plan of the merger", "println", "/tenon fix `main.go`"} {
		require.NotContains(t, body, hidden)
	}
	for _, page := range []string{"/", "/queue", "/repos/acme/vault", "/orgs/acme", "/dead-letters", "/installations"} {
		s.b.Opens(s.site+page, "h1")
		s.b.IsAccessible(page)
		s.b.Picture("list" + strings.ReplaceAll(page, "/", "-"))
	}
	s.ownHosts()
}

// hostileText is what a model or a person may write to change a page.
const hostileText = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">" +
	"</pre></details><style>*{display:none}</style>\u202e\u0007javascript:alert(1)\n"

func TestInABrowserAHostileReplyOf500BlocksIsText(t *testing.T) {
	t.Parallel()
	var reply strings.Builder
	reply.WriteString(hostileText)
	reply.WriteString(strings.Repeat("x", 1<<20) + "\n")
	for i := range 500 {
		reply.WriteString(testdata.Edit(fmt.Sprintf("<img src=x onerror=alert(%d)>.txt", i), hostileText, hostileText+"!"))
	}
	s := newPagesStage(t, nil, reply.String(), "I cannot do better.\n")
	s.settled(s.comment("maria", "/tenon fix `main.go` "+hostileText))
	s.signIn("maria", s.pageOf(), "#banner")
	s.b.Until(`document.readyState === "complete"`)
	require.NotContains(t, browsertest.Says[string](s.b, "document.title"), "owned")
	require.Zero(t, browsertest.Says[int](s.b, `document.querySelectorAll("main script, main img, main style").length`))
	s.b.Looks(browsertest.Phone, "light")
	require.LessOrEqual(t, browsertest.Says[int](s.b, "document.documentElement.scrollWidth"), browsertest.Phone)
	s.ownHosts()
}
