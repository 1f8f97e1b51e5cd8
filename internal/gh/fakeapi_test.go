package gh_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gh"
)

var (
	joint = port.RepoRef{Installation: 55, ID: 700, NodeID: "R_700", Owner: "octo-org", Name: "hello-joint",
		DefaultBranch: "main"}
	other = port.RepoRef{Installation: 66, ID: 800, Owner: "else-org", Name: "other"}
)

// conversation returns the place of a thread's comments, inThreadOf that of replies to a review comment.
func conversation(number int) port.Place { return port.Place{Number: number, Kind: port.IssueComment} }

func inThreadOf(number int, c *port.Comment) port.Place {
	return port.Place{Number: number, Kind: port.ReviewComment, To: c}
}

const mintPath = "POST /app/installations/55/access_tokens"

// appKey is one key for all tests, as creating one takes time.
var appKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return key
})

func pemOf(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func keyPEM() []byte { return pemOf("RSA PRIVATE KEY", x509.MarshalPKCS1PrivateKey(appKey())) }

// clock is a clock that only Sleep and advance move.
type clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) Sleep(ctx context.Context, d time.Duration) error {
	c.advance(d)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.slept = append(c.slept, d)
	return ctx.Err()
}

func (c *clock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// response is one scripted response of a fakeAPI.
type response struct {
	status int
	header http.Header
	body   string
}

func ok(body string) response { return response{status: 200, body: body} }

func refusal(status int, message string, header ...string) response {
	a := response{status: status, header: http.Header{}, body: fmt.Sprintf(`{"message":%q}`, message)}
	for i := 0; i < len(header); i += 2 {
		a.header.Set(header[i], header[i+1])
	}
	return a
}

// request is one request that a fakeAPI received.
type request struct{ call, query, auth, body string }

// fakeAPI is a server with scripted responses for each "METHOD /path", in order; the last one is repeated. It creates
// tokens, unless these are scripted too.
type fakeAPI struct {
	*clock
	server *httptest.Server
	prefix string
	log    bytes.Buffer

	mu     sync.Mutex
	script map[string][]response
	got    []request
	minted int
}

func newFakeAPI(t *testing.T) *fakeAPI {
	t.Helper()
	d := &fakeAPI{clock: &clock{now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)}, script: map[string][]response{}}
	d.server = httptest.NewServer(d)
	t.Cleanup(d.server.Close)
	return d
}

func (d *fakeAPI) on(call string, responses ...response) { d.script[call] = responses }

func (d *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	call := r.Method + " " + strings.TrimPrefix(r.URL.EscapedPath(), d.prefix)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.got = append(d.got, request{call, r.URL.RawQuery, r.Header.Get("Authorization"), string(body)})
	a := response{status: 404, body: `{"message":"Not Found"}`}
	if list := d.script[call]; len(list) > 0 {
		a = list[0]
		if len(list) > 1 {
			d.script[call] = list[1:]
		}
	} else if strings.HasSuffix(call, "/access_tokens") {
		d.minted++
		a = response{status: 201, body: fmt.Sprintf(`{"token":"ghs_secret%d","expires_at":%q}`, d.minted,
			d.Now().Add(time.Hour).Format(time.RFC3339))}
	}
	if a.status == 0 { // the connection breaks
		panic(http.ErrAbortHandler)
	}
	w.Header().Set("Date", d.Now().UTC().Format(http.TimeFormat))
	for k := range a.header {
		w.Header().Set(k, a.header.Get(k))
	}
	w.WriteHeader(a.status)
	_, _ = io.WriteString(w, a.body)
}

// calls returns the requests of a kind that the fakeAPI received.
// inMemory is a transport to a fakeAPI without a network, for a bubble of testing/synctest.
type inMemory struct{ *fakeAPI }

func (m inMemory) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	r = r.Clone(r.Context())
	if r.Body == nil {
		r.Body = http.NoBody
	}
	m.ServeHTTP(w, r)
	return w.Result(), nil
}

func (d *fakeAPI) calls(call string) []request {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []request
	for _, s := range d.got {
		if s.call == call {
			out = append(out, s)
		}
	}
	return out
}

// client returns a client of the fakeAPI.
func (d *fakeAPI) client(t *testing.T, change ...func(*gh.Options)) *gh.Client {
	t.Helper()
	opts := gh.Options{AppID: 4711, PrivateKey: keyPEM(), APIURL: d.server.URL + d.prefix, Slug: "tenon",
		Now: d.Now, Sleep: d.Sleep, Log: slog.New(slog.NewTextHandler(&d.log, nil))}
	for _, f := range change {
		f(&opts)
	}
	c, err := gh.New(opts)
	require.NoError(t, err)
	return c
}

// noSecrets checks that neither the log nor the error contains a secret.
func (d *fakeAPI) noSecrets(t *testing.T, err error) {
	t.Helper()
	text := d.log.String()
	if err != nil {
		text += err.Error()
	}
	require.NotContains(t, text, "ghs_secret")
	require.NotContains(t, text, "eyJ", "a JSON web token")
	require.NotContains(t, text, "PRIVATE KEY-----\n")
}

// bodyOf returns a request's body, which can still be read.
func bodyOf(r *http.Request) string {
	data, _ := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(data))
	return string(data)
}

type permanent interface{ Permanent() bool }

func asPermanent(err error) bool {
	var p permanent
	return errors.As(err, &p) && p.Permanent()
}

type timed interface{ RetryAfter() time.Duration }
