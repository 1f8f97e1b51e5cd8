package simhttp_test

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v4"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

// sharedKey is one key for all tests, as creating one is slow.
var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return key
})

// clock is a clock that a test moves.
type clock struct {
	mu sync.Mutex
	t  time.Time
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.t
}

func (c *clock) forward(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.t = c.t.Add(d)
}

// world is a server with an organisation, a private repository with a pull request, a member with write access and a
// stranger.
type world struct {
	*simhttp.Server
	t            *testing.T
	clock        *clock
	installation int64
	pull, issue  int
	token        string // of the whole installation
}

const repo = "acme/app"

// fileA has 40 lines; the pull request changes line 20.
func fileA(line20 string) string {
	var b strings.Builder
	for i := 1; i <= 40; i++ {
		if i == 20 {
			b.WriteString(line20 + "\n")
			continue
		}
		fmt.Fprintf(&b, "line %d\n", i)
	}
	return b.String()
}

// overGit is the option of a world whose repositories git reads and writes.
func overGit(o *simhttp.Options) { o.Memory = false }

func newWorld(t *testing.T, options ...func(*simhttp.Options)) *world {
	t.Helper()
	w := &world{t: t, clock: &clock{t: time.Now().Truncate(time.Second)}}
	opts := simhttp.Options{Memory: true, Now: w.clock.now, Key: sharedKey()}
	for _, o := range options {
		o(&opts)
	}
	var err error
	w.Server, err = simhttp.New(opts)
	require.NoError(t, err)
	require.NoError(t, w.Start())
	t.Cleanup(func() { require.NoError(t, w.Close()) })
	require.NoError(t, w.AddOrg("acme", "owner"))
	require.NoError(t, w.AddUser("alice"))
	require.NoError(t, w.AddUser("stranger"))
	require.NoError(t, w.AddRepo(sim.Repo{Name: repo, Files: map[string]string{"a.txt": fileA("line 20"),
		"dir/b.txt": "b\n"}}))
	require.NoError(t, w.SetRole(repo, "alice", entity.RoleWrite))
	require.NoError(t, w.Branch(repo, "feature", ""))
	_, err = w.Push(repo, "feature", map[string]string{"a.txt": fileA("changed")}, "Change line 20\n")
	require.NoError(t, err)
	w.pull, err = w.OpenPull(sim.Pull{As: "alice", Repo: repo, Title: "A change", Head: "feature"})
	require.NoError(t, err)
	w.issue, err = w.OpenIssue("alice", repo, "A bug", "It breaks.")
	require.NoError(t, err)
	w.installation, err = w.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	w.token = w.newToken(nil)
	return w
}

// reply is the response to a raw request.
type reply struct {
	status int
	header http.Header
	text   string
	json   any
}

func (r reply) object() map[string]any { o, _ := r.json.(map[string]any); return o }

func (r reply) list() []any { l, _ := r.json.([]any); return l }

// id returns the response's id, or 0.
func (r reply) id() int64 {
	n, _ := r.object()["id"].(json.Number)
	id, _ := n.Int64()
	return id
}

// call sends a raw request, and checks it and its response by GitHub's description if there is one.
func (w *world) call(method, path, token, body string) reply {
	w.t.Helper()
	req, err := http.NewRequestWithContext(w.t.Context(), method, w.APIURL()+path, strings.NewReader(body))
	require.NoError(w.t, err)
	req.Header.Set("User-Agent", "sim")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	r := w.send(req)
	describe(w.t).checkCall(w.t, req, body, r)
	return r
}

func (w *world) send(req *http.Request) reply {
	w.t.Helper()
	return w.sendBy(http.DefaultClient, req)
}

func (w *world) sendBy(client *http.Client, req *http.Request) reply {
	w.t.Helper()
	res, err := client.Do(req)
	require.NoError(w.t, err)
	defer func() { _ = res.Body.Close() }()
	data, err := io.ReadAll(res.Body)
	require.NoError(w.t, err)
	r := reply{status: res.StatusCode, header: res.Header, text: string(data)}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	_ = dec.Decode(&r.json) // not all answers are JSON
	return r
}

// as sends a request with the installation's token.
func (w *world) as(method, path, body string) reply {
	w.t.Helper()
	return w.call(method, path, w.token, body)
}

// refused requires a status, a part of the message, and the fields of every error of GitHub.
func (w *world) refused(r reply, status int, message string) {
	w.t.Helper()
	require.Equal(w.t, status, r.status, r.text)
	require.Contains(w.t, r.text, message)
	require.NotEmpty(w.t, r.object()["message"])
	require.NotEmpty(w.t, r.object()["documentation_url"])
}

func (w *world) jwt(change func(jwt.MapClaims)) string {
	now := w.clock.now()
	claims := jwt.MapClaims{"iss": strconv.FormatInt(w.AppID(), 10), "iat": now.Add(-time.Minute).Unix(),
		"exp": now.Add(9 * time.Minute).Unix()}
	if change != nil {
		change(claims)
	}
	block, _ := pem.Decode(w.PrivateKeyPEM())
	key, err := x509.ParsePKCS1PrivateKey(block.Bytes)
	require.NoError(w.t, err)
	signed, err := jwt.NewWithClaims(jwt.SigningMethodRS256, claims).SignedString(key)
	require.NoError(w.t, err)
	return signed
}

// newToken requests an installation token, restricted by the body.
func (w *world) newToken(narrow map[string]any) string {
	w.t.Helper()
	body := ""
	if narrow != nil {
		data, err := json.Marshal(narrow)
		require.NoError(w.t, err)
		body = string(data)
	}
	r := w.call("POST", fmt.Sprintf("app/installations/%d/access_tokens", w.installation), w.jwt(nil), body)
	require.Equal(w.t, 201, r.status, r.text)
	return r.object()["token"].(string)
}

func permissions(p map[string]string) map[string]any { return map[string]any{"permissions": p} }

// git runs git without the user's settings.
func git(t *testing.T, dir string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null",
		"GIT_TERMINAL_PROMPT=0", "LC_ALL=C", "GIT_AUTHOR_NAME=T", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=T",
		"GIT_COMMITTER_EMAIL=t@example.com"}
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func (w *world) remote(token, name string) string {
	if token == "" {
		return w.GitURL() + name + ".git"
	}
	return strings.Replace(w.GitURL(), "http://", "http://x-access-token:"+token+"@", 1) + name + ".git"
}

// clone clones a branch of the repository with the installation's token.
func (w *world) clone(branch string) string {
	w.t.Helper()
	dir := filepath.Join(w.t.TempDir(), "clone")
	out, err := git(w.t, w.t.TempDir(), "clone", "--quiet", "--branch", branch, w.remote(w.token, repo), dir)
	require.NoError(w.t, err, out)
	return dir
}

func commitFile(t *testing.T, dir, name, content string) {
	t.Helper()
	file := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
	require.NoError(t, os.WriteFile(file, []byte(content), 0o644))
	_, err := git(t, dir, "add", "-A")
	require.NoError(t, err)
	out, err := git(t, dir, "commit", "--quiet", "-m", "Change "+name)
	require.NoError(t, err, out)
}
