package signin_test

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/signin"
)

const secret = "0123456789abcdef0123456789abcdef01234567"

// github is a GitHub in memory, whose tokens are "token-LOGIN-N".
type github struct {
	mu         sync.Mutex
	now        time.Time
	down       bool
	people     map[string]int64
	repos      map[string]map[string]int64 // by login, then "owner/name"
	codes      map[string]string           // the login and the challenge of each
	valid      map[string]string           // the login of each token
	refreshing map[string]string           // the login of each refresh token
	refusal    string                      // what it answers to requests for tokens instead
	life       time.Duration
	made       int
	asked      []string
	form       url.Values // of the last request for tokens
}

func newGitHub() *github {
	return &github{now: time.Unix(1_800_000_000, 0), people: map[string]int64{"maria": 1, "victor": 2},
		repos: map[string]map[string]int64{"maria": {"acme/lathe": 7}}, codes: map[string]string{},
		valid: map[string]string{}, refreshing: map[string]string{}, life: 8 * time.Hour}
}

func (g *github) clock() time.Time {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.now
}

// with changes it.
func (g *github) with(change func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	change()
}

func (g *github) forward(d time.Duration) { g.with(func() { g.now = g.now.Add(d) }) }

// requests returns what it was asked since the last call.
func (g *github) requests() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	asked := g.asked
	g.asked = nil
	return asked
}

var errDown = errors.New("no route to GitHub")

// login returns whose token it is; the lock is held.
func (g *github) login(kind, token string) (string, error) {
	g.asked = append(g.asked, kind)
	switch {
	case g.down:
		return "", errDown
	case g.valid[token] == "":
		return "", port.ErrDenied
	}
	return g.valid[token], nil
}

func (g *github) Account(_ context.Context, token string) (int64, string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	login, err := g.login("user", token)
	return g.people[login], login, err
}

func (g *github) Repository(_ context.Context, token, owner, name string) (int64, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	login, err := g.login(owner+"/"+name, token)
	if err != nil {
		return 0, err
	}
	if id := g.repos[login][owner+"/"+name]; id != 0 {
		return id, nil
	}
	return 0, port.ErrNotFound
}

func (g *github) Revoke(_ context.Context, token string) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	_, err := g.login("revoke", token)
	delete(g.valid, token)
	return err
}

// RoundTrip answers requests for tokens.
func (g *github) RoundTrip(req *http.Request) (*http.Response, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.asked = append(g.asked, "tokens")
	if g.down {
		return nil, errDown
	}
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	g.form, err = url.ParseQuery(string(body))
	if err != nil {
		return nil, err
	}
	data, err := json.Marshal(g.tokens(g.form))
	w := httptest.NewRecorder()
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(data)
	return w.Result(), err
}

func (g *github) tokens(form url.Values) map[string]any {
	sum := sha256.Sum256([]byte(form.Get("code_verifier")))
	challenge := base64.RawURLEncoding.EncodeToString(sum[:])
	login, known, _ := strings.Cut(g.codes[form.Get("code")], " ")
	delete(g.codes, form.Get("code"))
	no := "bad_verification_code"
	if form.Get("grant_type") == "refresh_token" {
		login, known, no = g.refreshing[form.Get("refresh_token")], challenge, "bad_refresh_token"
		delete(g.refreshing, form.Get("refresh_token"))
		for token, of := range g.valid {
			if of == login {
				delete(g.valid, token)
			}
		}
	}
	if g.refusal != "" {
		no, login = g.refusal, ""
	}
	if login == "" || known != challenge {
		return map[string]any{"error": no, "error_description": "with ghu_secret"}
	}
	g.made++
	token := fmt.Sprintf("token-%s-%d", login, g.made)
	g.valid[token] = login
	o := map[string]any{"access_token": token, "token_type": "bearer"}
	if g.life > 0 {
		o["expires_in"], o["refresh_token"] = int(g.life.Seconds()), "refresh-"+token
		g.refreshing["refresh-"+token] = login
	}
	return o
}

// world is a server with pages: "/who" says who visits, "/read/ID/OWNER/NAME" whether they may read a repository, and a
// POST to "/act" does something.
type world struct {
	*github
	t        *testing.T
	server   *httptest.Server
	sessions *signin.Sessions
	log      *strings.Builder
	acts     int
}

func newWorld(t *testing.T, change ...func(*signin.Options)) *world {
	t.Helper()
	w := &world{github: newGitHub(), t: t, log: &strings.Builder{}}
	w.server = httptest.NewUnstartedServer(nil)
	public := "http://" + w.server.Listener.Addr().String()
	opts := signin.Options{PublicURL: public, SiteURL: "https://github.example/", ClientID: "Iv1", ClientSecret: secret,
		Operators: []string{"Maria"}, GitHub: w.github, Transport: w.github,
		Fault: func(w http.ResponseWriter, _ *http.Request, status int, heading, text string) {
			http.Error(w, heading+": "+text, status)
		}, Now: w.clock, Log: slog.New(slog.NewTextHandler(w.log, nil))}
	for _, c := range change {
		c(&opts)
	}
	var err error
	w.sessions, err = signin.New(opts)
	require.NoError(t, err)
	mux := http.NewServeMux()
	mux.HandleFunc("GET /who", w.who)
	mux.HandleFunc("GET /read/{id}/{owner}/{name}", w.read)
	mux.HandleFunc("/act", func(http.ResponseWriter, *http.Request) { w.acts++ })
	w.server.Config.Handler = w.sessions.Handler(mux)
	w.server.Start()
	t.Cleanup(w.server.Close)
	return w
}

func (w *world) who(rw http.ResponseWriter, r *http.Request) {
	v, ok := w.sessions.Visitor(rw, r)
	if !ok {
		w.sessions.SignIn(rw, r)
		return
	}
	_, _ = fmt.Fprintf(rw, "%d %s operator=%t form=%s", v.ID, v.Login, v.Operator, w.sessions.FormToken(r))
}

func (w *world) read(rw http.ResponseWriter, r *http.Request) {
	if _, ok := w.sessions.Visitor(rw, r); !ok {
		http.Error(rw, "nobody", http.StatusUnauthorized)
		return
	}
	var id int64
	_, _ = fmt.Sscan(r.PathValue("id"), &id)
	may, err := w.sessions.MayRead(r, port.RepoRef{ID: id, Owner: r.PathValue("owner"), Name: r.PathValue("name")})
	if err != nil {
		http.Error(rw, err.Error(), http.StatusBadGateway)
		return
	}
	_, _ = fmt.Fprint(rw, may)
}

// browser is a browser with its cookies, which follows redirects on the server only.
type browser struct {
	w   *world
	jar http.CookieJar
	// last is where the last redirect led that was not followed.
	last *url.URL
}

func (w *world) browser() *browser {
	jar, err := cookiejar.New(nil)
	require.NoError(w.t, err)
	return &browser{w: w, jar: jar}
}

// send sends a request, and returns the status and the text of the last answer.
func (b *browser) send(method, target string, form url.Values, header ...string) (int, string) {
	b.w.t.Helper()
	if strings.HasPrefix(target, "/") {
		target = b.w.server.URL + target
	}
	req, err := http.NewRequestWithContext(b.w.t.Context(), method, target, strings.NewReader(form.Encode()))
	require.NoError(b.w.t, err)
	if form != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	for i := 0; i+1 < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	b.last = nil
	client := http.Client{Jar: b.jar, CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		if !strings.HasPrefix(to.URL.String(), b.w.server.URL+"/") {
			b.last = to.URL
			return http.ErrUseLastResponse
		}
		return nil
	}}
	resp, err := client.Do(req)
	require.NoError(b.w.t, err)
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	require.NoError(b.w.t, err)
	return resp.StatusCode, string(data)
}

func (b *browser) get(path string, header ...string) (int, string) {
	b.w.t.Helper()
	return b.send(http.MethodGet, path, nil, header...)
}

// begin opens a page and returns the callback to which GitHub sends somebody who signs in there.
func (b *browser) begin(login, path string) string {
	b.w.t.Helper()
	_, _ = b.get(path)
	require.NotNil(b.w.t, b.last, "GitHub is asked")
	q := b.last.Query()
	require.Equal(b.w.t, "https://github.example/login/oauth/authorize", b.last.Scheme+"://"+b.last.Host+b.last.Path)
	require.Equal(b.w.t, "S256", q.Get("code_challenge_method"))
	code := "code-" + q.Get("state")
	b.w.with(func() { b.w.codes[code] = login + " " + q.Get("code_challenge") })
	return q.Get("redirect_uri") + "?" + url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
}

// signedIn returns a browser in which somebody has signed in.
func (w *world) signedIn(login string) *browser {
	w.t.Helper()
	b := w.browser()
	status, text := b.get(b.begin(login, "/who"))
	require.Equal(w.t, http.StatusOK, status, text)
	require.Contains(w.t, text, " "+login+" ")
	return b
}

// cookies returns the cookies of the browser by their names.
func (b *browser) cookies() map[string]string {
	at, err := url.Parse(b.w.server.URL)
	require.NoError(b.w.t, err)
	all := map[string]string{}
	for _, c := range b.jar.Cookies(at) {
		all[c.Name] = c.Value
	}
	return all
}

// formToken returns the token of the browser's forms.
func (b *browser) formToken() string {
	b.w.t.Helper()
	_, text := b.get("/who")
	_, token, _ := strings.Cut(text, "form=")
	require.NotEmpty(b.w.t, token)
	return token
}
