package main

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
	"github.com/tenon-bot/tenon/internal/store/storetest"
	"github.com/tenon-bot/tenon/internal/testchild"
	"github.com/tenon-bot/tenon/testdata"
)

const (
	// patience is how long a test waits for something that must happen; it is only used up by a failure. The longest wait
	// of the program in these tests is that for a lease, 25 seconds.
	patience = 5 * time.Minute
	// fromTimeToTime is how often a test looks for something that nothing tells of.
	fromTimeToTime = 50 * time.Millisecond
)

// TestMain is the program itself when a test starts it as a process.
func TestMain(m *testing.M) {
	noticeAfter, sweepAfter = time.Second, time.Second
	if os.Getenv("TENON_TEST_MAIN") != "" { //nolint:forbidigo // how the test binary is told to be the program
		testchild.Watch()
		main()
	}
	debug.SetGCPercent(gcPercent)
	flag.Parse()
	if atATime := flag.Lookup("test.parallel"); atATime.Value.String() == atATime.DefValue {
		_ = atATime.Value.Set("6") // much of what these tests do is to wait for processes and databases
	}
	code := m.Run()
	names := processes.list()
	if testing.Verbose() || len(names) > maxProcessTests {
		fmt.Printf("%d tests start the program as a process: %s\n", len(names), strings.Join(names, ", "))
	}
	if len(names) > maxProcessTests {
		fmt.Printf("at most %d may: use stage.start where stage.startProcess is not needed\n", maxProcessTests)
		code = 1
	}
	os.Exit(code)
}

var sharedKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024) // signing with 2,048 bits takes four times as long
	if err != nil {
		panic(err)
	}
	return key
})

// stage is a simulated GitHub with a repository and a pull request, a fake model, and a server, which is the whole
// program: in the process of the test, or in one of its own.
type stage struct {
	t      *testing.T
	github *simhttp.Server
	model  *modelServer
	repo   string
	pull   int
	data   string
	env    []string
	// unregistered is true for a server that is told of no App.
	unregistered bool
	// ahead is by how many seconds GitHub's clock is ahead, because people take their time.
	ahead *atomic.Int64

	server *server
	log    *lineLog
}

// lineLog keeps what a server logs; it is shown when the test fails.
type lineLog struct {
	mu    sync.Mutex
	lines []string
	more  chan struct{} // closed by the next line; nil if nobody waits for it
}

var (
	stageFiles = testdata.Project("lathe")
	goodReply  = testdata.Reply("goodbye")
)

// newStage sets the stage; nothing runs yet.
func newStage(t *testing.T, replies ...string) *stage {
	t.Helper()
	s := &stage{t: t, model: newModelServer(t, replies), repo: "acme/lathe", data: storetest.Folder(t), log: &lineLog{},
		ahead: &atomic.Int64{}}
	github, err := simhttp.New(simhttp.Options{Dir: t.TempDir(), Key: sharedKey(), Now: s.now})
	require.NoError(t, err)
	require.NoError(t, github.Start())
	t.Cleanup(func() { _ = github.Close() })
	s.github = github
	require.NoError(t, github.AddOrg("acme", "maria"))
	require.NoError(t, github.AddUser("stranger"))
	require.NoError(t, github.AddRepo(sim.Repo{Name: s.repo, Files: stageFiles, Public: true}))
	_, err = github.Install(sim.Installation{Owner: "acme"})
	require.NoError(t, err)
	_, err = github.Push(s.repo, "speed", map[string]string{"speed.txt": "fast\n"}, "Be fast\n")
	require.NoError(t, err)
	s.pull, err = github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Be fast", Head: "speed"})
	require.NoError(t, err)
	return s
}

// now is the time by GitHub's clock.
func (s *stage) now() time.Time { return time.Now().Add(time.Duration(s.ahead.Load()) * time.Second) }

// Write adds a line; loggers write one at a time.
func (l *lineLog) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, strings.TrimSuffix(string(line), "\n"))
	if l.more != nil {
		close(l.more)
		l.more = nil
	}
	return len(line), nil
}

// added returns a channel that is closed when there is one more line.
func (l *lineLog) added() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.more == nil {
		l.more = make(chan struct{})
	}
	return l.more
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
	list, err := s.github.Reactions(sim.IssueComment, id)
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

// until waits until something is the case. It looks when GitHub has answered a request, when the server has logged
// something, and from time to time, for what shows in neither.
func (s *stage) until(condition string, done func() bool) {
	s.t.Helper()
	limit := time.NewTimer(patience)
	defer limit.Stop()
	for {
		answered, logged := s.github.Answered(), s.log.added()
		if done() {
			return
		}
		select {
		case <-answered:
		case <-logged:
		case <-time.After(fromTimeToTime):
		case <-limit.C:
			require.FailNow(s.t, "waiting for "+condition)
		}
	}
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
			list = append(list, sim.Comment{User: r.User, Body: r.Body, Created: r.Submitted})
		}
	}
	slices.SortStableFunc(list, func(a, b sim.Comment) int { return a.Created.Compare(b.Created) })
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
func (s *stage) delivery(comment int64) simhttp.Delivery {
	s.t.Helper()
	for _, d := range s.github.Deliveries() {
		if d.Event == "issue_comment" && d.Subject == comment {
			return d
		}
	}
	require.FailNow(s.t, "no delivery about the comment")
	return simhttp.Delivery{}
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

// isAnswer is the making of an answer, in a conversation or as a review; isLastWord the edit that ends a run, which is
// not the only one if the run takes long.
func isAnswer(r *http.Request) bool {
	return r.Method == http.MethodPost && (strings.HasSuffix(r.URL.Path, "/comments") && strings.Contains(r.URL.Path,
		"/issues/") || strings.HasSuffix(r.URL.Path, "/reviews"))
}

func isLastWord(r *http.Request) bool {
	return r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/reviews/") && !bodyContains(r, "**Working**")
}

func isReaction(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/reactions")
}
