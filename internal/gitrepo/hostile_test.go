package gitrepo_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/gitrepo"
	"github.com/tenon-bot/tenon/internal/gitrepo/gittest"
)

// answering returns a client of a server that answers all requests by one handler.
func answering(t *testing.T, answer http.HandlerFunc) *gitrepo.Repos {
	t.Helper()
	server := httptest.NewServer(answer)
	t.Cleanup(server.Close)
	return gitrepo.New(gitrepo.Options{BaseURL: server.URL, Limits: gitrepo.Limits{RefBytes: 1 << 20}})
}

func TestAServerThatIsNotGits(t *testing.T) {
	t.Parallel()
	git := func(text string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
			_, _ = w.Write([]byte(text))
		}
	}
	for name, c := range map[string]struct {
		answer http.HandlerFunc
		says   string
		is     error
	}{
		"HTML": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>hello")) },
			`it is "text/html; charset=utf-8"`, nil},
		"a redirection": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://elsewhere.example/x", http.StatusMovedPermanently)
		},
			"to https://elsewhere.example/x; the repository has moved", port.ErrNotFound},
		"401": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(401) }, "401", port.ErrDenied},
		"403": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(403) }, "403", port.ErrDenied},
		"404": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(404) }, "404",
			port.ErrNotFound},
		"nothing":               {git(""), "it ends too early", nil},
		"half a packet":         {git("00ff# serv"), "it ends too early", nil},
		"no length":             {git("zzzz"), `"zzzz" is not the length`, nil},
		"an impossible length":  {git("0003"), `"0003" is not the length`, nil},
		"a length over all":     {git("ffff"), `"ffff" is not the length`, nil},
		"its own error":         {git("000fERR go away"), "the git server says: go away", nil},
		"a ref that is no hash": {git("0014hello refs/x\x00cap0000"), `"hello" is not an object's name`, nil},
		"no end of refs": {func(w http.ResponseWriter, r *http.Request) {
			git("")(w, r)
			for line := []byte("00441234567890123456789012345678901234567890 refs/heads/some/branch\n"); ; {
				if _, err := w.Write(line); err != nil {
					return
				}
			}
		}, "too large", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := answering(t, c.answer).Open(t.Context(), acme, "refs/heads/main", "")
			require.ErrorContains(t, err, c.says)
			if c.is != nil {
				require.ErrorIs(t, err, c.is)
			}
		})
	}
}

// stalled is a server that sends the beginning of an answer, if that is not empty, and nothing more.
type stalled string

func (s stalled) RoundTrip(r *http.Request) (*http.Response, error) {
	rest := silence{r.Context()}
	if s == "" {
		_, err := rest.Read(nil)
		return nil, err
	}
	body := io.NopCloser(io.MultiReader(strings.NewReader(string(s)), rest))
	return &http.Response{StatusCode: http.StatusOK, Body: body,
		Header: http.Header{"Content-Type": {"application/x-git-upload-pack-advertisement"}}}, nil
}

// direct is a connection to a server in the same process, so that a bubble's clock waits for nothing but the program.
// rest is what is read of an answer; nil for all of it.
type direct struct {
	server http.Handler
	rest   func(r *http.Request, answer io.Reader) io.Reader
}

func (d direct) RoundTrip(r *http.Request) (*http.Response, error) {
	recorder := httptest.NewRecorder()
	d.server.ServeHTTP(recorder, r)
	answer := recorder.Result()
	if d.rest != nil {
		answer.Body = io.NopCloser(d.rest(r, answer.Body))
	}
	return answer, nil
}

// silence is what is read of a connection on which nothing comes.
type silence struct{ ctx context.Context }

func (s silence) Read([]byte) (int, error) {
	<-s.ctx.Done()
	return 0, s.ctx.Err()
}

func TestAnAnswerThatDoesNotEndIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	for _, begins := range []stalled{"", "00"} {
		synctest.Test(t, func(t *testing.T) {
			repos := gitrepo.New(gitrepo.Options{HTTP: &http.Client{Transport: begins},
				Limits: gitrepo.Limits{RequestTime: 3 * time.Second}})
			begun := time.Now()
			_, err := repos.Open(t.Context(), acme, "refs/heads/main", "")
			require.ErrorContains(t, err, "did not finish its answer in time")
			require.Equal(t, 3*time.Second, time.Since(begun))
		})
	}
}

func TestRunsBehindAServerThatIsSilentDoNotWaitOneAfterAnother(t *testing.T) {
	t.Parallel()
	for _, begins := range []stalled{"", "00"} {
		synctest.Test(t, func(t *testing.T) {
			repos := gitrepo.New(gitrepo.Options{HTTP: &http.Client{Transport: begins},
				Limits: gitrepo.Limits{RequestTime: 3 * time.Second}})
			begun := time.Now()
			short, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var runs sync.WaitGroup
			runs.Go(func() {
				_, err := repos.Open(short, acme, "refs/heads/main", strings.Repeat("12", 20))
				require.ErrorIs(t, err, context.DeadlineExceeded)
			})
			synctest.Wait()
			for i := range 10 {
				runs.Go(func() {
					_, err := repos.Open(t.Context(), acme, "refs/heads/main", fmt.Sprintf("%040d", i))
					require.ErrorContains(t, err, "did not finish its answer in time")
				})
			}
			runs.Wait()
			require.Equal(t, 4*time.Second, time.Since(begun), "the first had less time, which says nothing to the others")
		})
	}
}

func TestABusyServerSaysWhenToComeBack(t *testing.T) {
	t.Parallel()
	for _, status := range []int{403, 429, 503} {
		repos := answering(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "17")
			w.WriteHeader(status)
		})
		_, err := repos.Open(t.Context(), acme, "refs/heads/main", "")
		var later interface{ RetryAfter() time.Duration }
		require.ErrorAs(t, err, &later)
		require.Equal(t, 17*time.Second, later.RetryAfter())
	}
}

// cut returns middleware that cuts off the responses to fetches after so many bytes.
func cut(after int) func(http.Handler) http.Handler {
	return func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				git.ServeHTTP(w, r)
				return
			}
			answer := httptest.NewRecorder()
			git.ServeHTTP(answer, r)
			w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
			body := answer.Body.Bytes()
			_, _ = w.Write(body[:min(after, len(body))])
		})
	}
}

func TestAStreamThatIsCutAnywhereIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	for after := 0; after < 600; after += 47 {
		w.server.Wrap(cut(after))
		_, err := gitrepo.New(gitrepo.Options{BaseURL: w.server.URL}).Open(t.Context(), acme, "refs/heads/main", w.tip)
		require.ErrorContains(t, err, "ends too early", after)
	}
}

func TestAStreamThatWasCutOnceIsAskedForAgain(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.open(t)
	w.tip = w.repo.Commit("main", gittest.Files(map[string]string{"y": "y"}))
	cuts := 0
	w.server.Wrap(func(git http.Handler) http.Handler {
		return http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			if cuts++; cuts == 1 {
				git = cut(100)(git)
			}
			git.ServeHTTP(rw, r)
		})
	})
	w.open(t)
}

func TestLimitsAreNamed(t *testing.T) {
	t.Parallel()
	for says, limits := range map[string]gitrepo.Limits{
		"the git server sends more":             {PackBytes: 300},
		"has 6 objects; the limit is 3":         {Objects: 3},
		"unpacks to more than 500 bytes":        {InflatedBytes: 500},
		"a tree of 241 bytes; the limit is 230": {ObjectBytes: 230},
		"more than 5 files and folders":         {Entries: 5},
		"are nested more than 2 deep":           {TreeDepth: 2},
		"a path of more than 10 bytes":          {PathBytes: 10},
		"have more than 40 bytes":               {AllPathsBytes: 40},
	} {
		w := newWorld(t, gitrepo.Options{Limits: limits})
		_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
		var user *port.UserError
		require.ErrorAs(t, err, &user, says)
		require.Contains(t, user.Text, says)
	}
}

// rawTree writes a tree that git itself would refuse, with all its entries naming one blob, and a commit of it.
func (w *world) rawTree(t *testing.T, entries ...string) {
	t.Helper()
	blob := []byte{}
	for i := 0; i < 40; i += 2 {
		var b byte
		_, err := fmt.Sscanf(w.repo.Git("rev-parse", "main:README.md")[i:i+2], "%02x", &b)
		require.NoError(t, err)
		blob = append(blob, b)
	}
	var data []byte
	for _, e := range entries {
		data = append(append(append(data, e...), 0), blob...)
	}
	tree := w.repo.GitIn(data, "hash-object", "-t", "tree", "-w", "--stdin", "--literally")
	w.tip = w.repo.GitIn([]byte("tree "+tree+"\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nbad\n"),
		"hash-object", "-t", "commit", "-w", "--stdin")
	w.repo.Git("update-ref", "refs/heads/main", w.tip)
}

func TestATreeThatGitWouldNotWriteIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.rawTree(t, "100644 ..")
	_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	var user *port.UserError
	require.ErrorAs(t, err, &user)
	require.Contains(t, user.Text, "leads out of its folder")
}

func TestModesOfOldToolsAreReadAndKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	w.rawTree(t, "100664 a", "0100644 b")
	c := w.open(t)
	files, err := c.Files()
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b"}, files)
}

// The 41 small trees have about 2^40 paths.
func TestATreeOfTreesIsNotWalkedForever(t *testing.T) {
	t.Parallel()
	w := newWorld(t, gitrepo.Options{})
	tree := w.repo.Git("rev-parse", "main^{tree}")
	for range 40 {
		tree = w.repo.GitIn([]byte("040000 tree "+tree+"\ta\n040000 tree "+tree+"\tb\n"), "mktree")
	}
	w.tip = w.repo.Git("commit-tree", "-m", "bomb", tree)
	w.repo.Git("update-ref", "refs/heads/main", w.tip)
	_, err := w.repos.Open(t.Context(), acme, "refs/heads/main", w.tip)
	require.ErrorContains(t, err, "more than 1000000 files and folders")
}

func TestMain(m *testing.M) {
	if _, err := exec.LookPath("git"); err != nil {
		fmt.Fprintln(os.Stderr, "these tests need git")
		os.Exit(1)
	}
	os.Exit(m.Run())
}
