package main

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/ghtest"
	"github.com/tenon-bot/tenon/internal/testchild"
	"github.com/tenon-bot/tenon/testdata"
)

// patience is how long a test waits for something that must happen; it is only used up by a failure.
const patience = 60 * time.Second

// TestMain is the program itself when a test starts it as a process.
func TestMain(m *testing.M) {
	if os.Getenv("TENON_TEST_MAIN") != "" { //nolint:forbidigo // how the test binary is told to be the program
		testchild.Watch()
		main()
	}
	flag.Parse()
	if atATime := flag.Lookup("test.parallel"); atATime.Value.String() == atATime.DefValue {
		_ = atATime.Value.Set("6") // much of what these tests do is to wait for processes and databases
	}
	os.Exit(m.Run())
}

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

// stage is a fake GitHub with a repository and a pull request, a fake model, and tenon as a process of its own.
type stage struct {
	t      *testing.T
	github *ghtest.Server
	model  *modelServer
	repo   string
	pull   int
	data   string
	env    []string
	// unregistered is true for a server that is told of no App.
	unregistered bool
	// ahead is by how many seconds GitHub's clock is ahead, because people take their time.
	ahead *atomic.Int64

	server *exec.Cmd
	ended  chan struct{}
	log    *lineLog
}

// lineLog keeps what a process logs; it is shown when the test fails.
type lineLog struct {
	mu    sync.Mutex
	lines []string
}

var (
	stageFiles = testdata.Project("lathe")
	goodReply  = testdata.Reply("goodbye")
)

// newStage sets the stage; nothing runs yet.
func newStage(t *testing.T, replies ...string) *stage {
	t.Helper()
	s := &stage{t: t, model: newModelServer(t, replies), repo: "acme/lathe", data: t.TempDir(), log: &lineLog{},
		ahead: &atomic.Int64{}}
	github, err := ghtest.New(ghtest.Options{Dir: t.TempDir(), Key: sharedKey(), Now: s.now})
	require.NoError(t, err)
	require.NoError(t, github.Start())
	t.Cleanup(func() { _ = github.Close() })
	s.github = github
	require.NoError(t, github.AddOrg("acme", "maria"))
	require.NoError(t, github.AddUser("stranger"))
	require.NoError(t, github.AddRepo(ghtest.Repo{Name: s.repo, Files: stageFiles, Public: true}))
	_, err = github.Install(ghtest.Installation{Owner: "acme"})
	require.NoError(t, err)
	_, err = github.Push(s.repo, "speed", map[string]string{"speed.txt": "fast\n"}, "Be fast\n")
	require.NoError(t, err)
	s.pull, err = github.OpenPull(ghtest.Pull{As: "maria", Repo: s.repo, Title: "Be fast", Head: "speed"})
	require.NoError(t, err)
	return s
}

// now is the time by GitHub's clock.
func (s *stage) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load()) * time.Second) }

// start runs `tenon serve` as a process and points GitHub's webhook at it.
func (s *stage) start() {
	s.t.Helper()
	s.server = s.serve()
	pipe, err := s.server.StderrPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, s.server.Start())
	address := make(chan string, 1)
	s.ended = make(chan struct{})
	go s.read(pipe, address, s.server, s.ended)
	server, ended := s.server, s.ended
	s.t.Cleanup(func() { s.kill(server, ended) })
	select {
	case a := <-address:
		s.github.SetHookURL("http://" + a + "/webhook")
	case <-s.ended:
		require.FailNow(s.t, "the server did not start", s.log.all())
	case <-time.After(patience):
		require.FailNow(s.t, "the server does not say where it listens", s.log.all())
	}
}

// serve makes the process of `tenon serve`, which is not started.
func (s *stage) serve() *exec.Cmd {
	server := exec.Command(os.Args[0], "serve")
	server.Env = append([]string{
		"TENON_TEST_MAIN=1", "GORACE=halt_on_error=1", "PATH=" + os.Getenv("PATH"), //nolint:forbidigo // git is found there
		"TENON_LISTEN=127.0.0.1:0", "TENON_LOG_FORMAT=json", "TENON_DATA_DIR=" + s.data,
		"TENON_GITHUB_API_URL=" + s.github.APIURL(), "TENON_GITHUB_GIT_URL=" + s.github.GitURL(),
		"TENON_MODEL=model-1", "TENON_MODEL_BASE_URL=" + s.model.URL + "/v1", "TENON_MODEL_API_KEY=k",
	}, s.env...)
	if !s.unregistered {
		server.Env = append([]string{"TENON_APP_ID=" + jsonNumber(s.github.AppID()),
			"TENON_PRIVATE_KEY=" + string(s.github.PrivateKeyPEM()), "TENON_WEBHOOK_SECRET=" + s.github.WebhookSecret()},
			server.Env...)
	}
	require.NoError(s.t, testchild.Bind(server))
	return server
}

func (s *stage) read(pipe io.Reader, address chan<- string, server *exec.Cmd, ended chan<- struct{}) {
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		s.log.add(lines.Text())
		var line struct{ Msg, Address string }
		if json.Unmarshal(lines.Bytes(), &line) == nil && line.Msg == "listening" {
			address <- line.Address
		}
	}
	_ = server.Wait()
	close(ended)
}

// stop ends the server.
func (s *stage) stop() { s.kill(s.server, s.ended) }

// kill ends a server, at the end of the test at the latest.
func (s *stage) kill(server *exec.Cmd, ended <-chan struct{}) {
	_ = server.Process.Kill()
	<-ended
	if s.t.Failed() {
		s.t.Log(s.log.all())
	}
}

func (l *lineLog) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
}

func (l *lineLog) all() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.lines, "\n")
}

func jsonNumber(n int64) string {
	data, _ := json.Marshal(n)
	return string(data)
}

// comment has somebody comment on the pull request.
func (s *stage) comment(as, body string) int64 {
	s.t.Helper()
	id, err := s.github.Comment(as, s.repo, s.pull, body)
	require.NoError(s.t, err)
	return id
}

// reactions are those of the app on a comment of the conversation.
func (s *stage) reactions(id int64) []string {
	s.t.Helper()
	list, err := s.github.Reactions(ghtest.IssueComment, id)
	require.NoError(s.t, err)
	var out []string
	for _, r := range list {
		require.Equal(s.t, s.github.BotLogin(), r.User)
		out = append(out, r.Content)
	}
	return out
}

// settled waits until the app has said by a reaction how it went, and returns its reactions.
func (s *stage) settled(id int64) []string {
	s.t.Helper()
	s.until("a last reaction", func() bool {
		r := s.reactions(id)
		return len(r) > 0 && r[len(r)-1] != string(port.ReactionEyes)
	})
	return s.reactions(id)
}

func (s *stage) until(what string, done func() bool) {
	s.t.Helper()
	require.Eventually(s.t, done, patience, 5*time.Millisecond, "waiting for %s", what)
}

// answers are what the app said in the conversation, in comments and in reviews, oldest first.
func (s *stage) answers() []string {
	s.t.Helper()
	return s.answersIn(s.pull)
}

func (s *stage) answersIn(number int) []string {
	s.t.Helper()
	list, err := s.github.Comments(s.repo, number)
	require.NoError(s.t, err)
	if number == s.pull {
		reviews, err := s.github.Reviews(s.repo, number)
		require.NoError(s.t, err)
		for _, r := range reviews {
			list = append(list, ghtest.Comment{User: r.User, Body: r.Body, Created: r.Submitted})
		}
	}
	slices.SortStableFunc(list, func(a, b ghtest.Comment) int { return a.Created.Compare(b.Created) })
	var out []string
	for _, c := range list {
		if c.User == s.github.BotLogin() && c.Body != "" {
			out = append(out, c.Body)
		}
	}
	return out
}

// commits are the messages of the app's commits on the branch.
func (s *stage) commits() []string {
	s.t.Helper()
	list, err := s.github.Commits(s.repo, "speed")
	require.NoError(s.t, err)
	var out []string
	for _, c := range list {
		if strings.Contains(c.Message, "Tenon-Run: ") {
			out = append(out, c.Message)
		}
	}
	return out
}

func (s *stage) file(name string) string {
	s.t.Helper()
	data, err := s.github.File(s.repo, "speed", name)
	require.NoError(s.t, err)
	return string(data)
}

// delivery is the first delivery about a comment.
func (s *stage) delivery(comment int64) ghtest.Delivery {
	s.t.Helper()
	for _, d := range s.github.Deliveries() {
		if d.Event == "issue_comment" && d.Subject == comment {
			return d
		}
	}
	require.FailNow(s.t, "no delivery about the comment")
	return ghtest.Delivery{}
}

// isPush and its like tell outside writes apart, for gates. A branch is moved by git or, with verified commits, by
// GraphQL.
func isPush(r *http.Request) bool {
	return strings.HasSuffix(r.URL.Path, "/git-receive-pack") ||
		strings.HasSuffix(r.URL.Path, "/graphql") && bodyContains(r, "createCommitOnBranch")
}

// bodyContains reports whether the body of a request has a text. The body can be read again.
func bodyContains(r *http.Request, text string) bool {
	body, err := io.ReadAll(r.Body)
	r.Body = io.NopCloser(bytes.NewReader(body))
	return err == nil && bytes.Contains(body, []byte(text))
}

// isAnswer is the making of an answer, in a conversation or as a review; isLastWord the edit that ends a run.
func isAnswer(r *http.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/comments") && strings.Contains(r.URL.Path,
		"/issues/") || strings.HasSuffix(r.URL.Path, "/reviews"))
}

func isLastWord(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/reviews/")
}

func isReaction(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reactions")
}
