package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/testdata"
)

// openDemo is a demo with a page, and a browser.
type openDemo struct {
	t     *testing.T
	lines <-chan string
	stop  context.CancelFunc
	code  <-chan int
	http  *http.Client
}

// openADemo begins a demo of a reply that makes a.txt.
func openADemo(t *testing.T) *openDemo {
	t.Helper()
	reply := filepath.Join(t.TempDir(), "reply.md")
	require.NoError(t, os.WriteFile(reply, []byte(testdata.Edit("a.txt", "", "<b>zwei</b>")), 0o600))
	ctx, stop := context.WithCancel(t.Context())
	out, in := io.Pipe()
	lines, code := make(chan string, 1000), make(chan int, 1)
	go func() {
		defer close(lines)
		for s := bufio.NewScanner(out); s.Scan(); {
			lines <- s.Text()
		}
	}()
	go func() {
		code <- run(ctx, []string{"demo", "--open", "--reply", reply}, strings.NewReader(""), in, io.Discard)
		_ = in.Close()
	}()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &openDemo{t: t, lines: lines, stop: stop, code: code, http: &http.Client{Jar: jar}}
}

// until returns the next line of the demo with a text, and what of it fits.
func (d *openDemo) until(fits string) []string {
	d.t.Helper()
	for line := range d.lines {
		if found := regexp.MustCompile(fits).FindStringSubmatch(line); found != nil {
			return found
		}
	}
	require.Fail(d.t, "the demo has ended", "without %s", fits)
	return nil
}

func (d *openDemo) get(address string) (status int, body string) {
	return d.ask(http.MethodGet, address, nil)
}

func (d *openDemo) post(address string, form url.Values) (status int, body string) {
	return d.ask(http.MethodPost, address, form)
}

func (d *openDemo) ask(method, address string, form url.Values) (status int, body string) {
	d.t.Helper()
	req, err := http.NewRequestWithContext(d.t.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(d.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := d.http.Do(req)
	require.NoError(d.t, err)
	defer func() { require.NoError(d.t, resp.Body.Close()) }()
	data, err := io.ReadAll(resp.Body)
	require.NoError(d.t, err)
	return resp.StatusCode, string(data)
}

func TestADemoShowsThePageOfItsRunUntilItIsStopped(t *testing.T) {
	t.Parallel()
	d := openADemo(t)
	address := d.until(`http://127\.0\.0\.1:\S+`)[0]
	u, err := url.Parse(address)
	require.NoError(t, err)
	page := "http://" + u.Host + u.Query().Get("to")
	status, _ := d.get(page)
	require.Equal(t, http.StatusForbidden, status, "without the token")
	status, body := d.get(address)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "<h1")
	d.until("Ctrl-C ends the demo")
	status, body = d.get(page)
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, body, "a.txt")
	require.Contains(t, body, "&lt;b&gt;zwei&lt;/b&gt;")
	require.NotContains(t, body, "<b>zwei")
	require.NotContains(t, strings.ReplaceAll(body, u.Host, ""), "127.0.0.1", "links to a GitHub that ended are dead")

	token := regexp.MustCompile(`name="csrf_token" value="([^"]+)"`).FindStringSubmatch(body)
	require.NotNil(t, token)
	require.Contains(t, body, strings.TrimPrefix(page, "http://"+u.Host)+"/undo")
	status, _ = d.post(page+"/undo", url.Values{})
	require.Equal(t, http.StatusForbidden, status, "without the token of the form")
	status, undo := d.post(page+"/undo", url.Values{"csrf_token": {token[1]}})
	require.Equal(t, http.StatusOK, status)
	require.Contains(t, undo, `on the page of <a href="`+strings.TrimPrefix(page, "http://"+u.Host)+`">`)
	require.Eventually(t, func() bool {
		_, body = d.get(page)
		return !strings.Contains(body, "/undo\"")
	}, patience, 20*time.Millisecond, "what is undone cannot be undone again")
	d.stop()
	require.Equal(t, exitOK, <-d.code)
	_, err = d.http.Get(page) //nolint:noctx,bodyclose // there is no response
	require.Error(t, err, "the page ends with the demo")
}
