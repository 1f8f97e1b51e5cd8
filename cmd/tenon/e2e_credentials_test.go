package main

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// otherKey is a key that is not the App's.
var otherKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		panic(err)
	}
	return key
})

// fingerprintOf returns the fingerprint of a key as GitHub lists it.
func fingerprintOf(key *rsa.PrivateKey) string {
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		panic(err)
	}
	sum := sha256.Sum256(der)
	return "SHA256:" + base64.StdEncoding.EncodeToString(sum[:])
}

// commands are commands that were given, each on a pull request of its own.
type commands struct {
	*stage
	pulls map[int]string // branches
	given []int64
}

// newCommands sets the stage for n commands.
func newCommands(t *testing.T, n int) *commands {
	t.Helper()
	s := &commands{newStage(t, goodReply), map[int]string{}, nil}
	for i := range n {
		branch := fmt.Sprint("fix-", i)
		_, err := s.github.Push(s.repo, branch, map[string]string{branch: "fast\n"}, "Be fast\n")
		require.NoError(t, err)
		number, err := s.github.OpenPull(sim.Pull{As: "maria", Repo: s.repo, Title: "Be fast", Head: branch})
		require.NoError(t, err)
		s.pulls[number] = branch
	}
	return s
}

// give has maria give a command on each pull request.
func (s *commands) give() {
	s.t.Helper()
	for number := range s.pulls {
		id, err := s.github.Comment("maria", s.repo, number, "/tenon fix `main.go`")
		require.NoError(s.t, err)
		s.given = append(s.given, id)
	}
}

// done waits until each command is carried out, and checks that each has one commit and one answer, and that none was
// given up.
func (s *commands) done() {
	s.t.Helper()
	for number, branch := range s.pulls {
		s.pull = number
		s.until("the end of a command", func() bool {
			return strings.Contains(strings.Join(s.answers(), ""), " · 1 edit committed")
		})
		require.Len(s.t, s.answers(), 1)
		list, err := s.github.Commits(s.repo, branch)
		require.NoError(s.t, err)
		own := slices.DeleteFunc(list, func(c sim.Commit) bool { return !strings.Contains(c.Message, "Tenon-Run: ") })
		require.Len(s.t, own, 1)
	}
	require.Len(s.t, s.model.questions(), len(s.given))
	for _, silent := range []string{"dead letter", "nobody could be told", "an event failed"} {
		require.NotContains(s.t, s.log.all(), silent)
	}
}

// refusedAsApp counts the requests that GitHub refused the App.
func (s *commands) refusedAsApp() (n int) {
	for _, r := range s.github.Requests() {
		if r.Status == http.StatusUnauthorized && strings.Contains(r.Path, "/api/v3/app") {
			n++
		}
	}
	return n
}

// A process whose clock is an hour off GitHub's, which is strict about that: nobody notices but the operators.
func TestAProcessWhoseClockIsAnHourOff(t *testing.T) {
	t.Parallel()
	for name, ahead := range map[string]int64{"behind": 3600, "ahead of": -3600} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newCommands(t, 4)
			s.ahead.Store(ahead)
			s.startProcess()
			s.give()
			s.done()
			require.LessOrEqual(t, s.refusedAsApp(), 2, "the server's client, and that of its checks at the start")
			status, text := s.get("/readyz")
			require.Equal(t, http.StatusOK, status)
			require.Regexp(t, `^ready: this machine's clock is (1h0m[01]s|59m59s) `+name+` GitHub's, which is corrected`, text)
			require.Contains(t, s.log.all(), "this machine's clock is wrong; GitHub's time is used")
		})
	}
}

// The clock jumps while the server runs, there and back: all tokens are refused, and the App too.
func TestAClockThatJumps(t *testing.T) {
	t.Parallel()
	s := newCommands(t, 2)
	s.start()
	for _, ahead := range []int64{0, 7200, 20000, 3600} {
		s.ahead.Store(ahead)
		id := s.comment("maria", "/tenon help")
		s.until("the answer", func() bool { return slices.Contains(s.reactions(id), "rocket") || len(s.answers()) > 0 })
		status, text := s.get("/readyz")
		require.Equal(t, http.StatusOK, status)
		require.True(t, strings.HasPrefix(text, "ready"), text)
	}
	s.give()
	s.done()
}

// The key is wrong for a while: nothing is given up, and all is done when it is right.
func TestAKeyThatIsWrongForAWhile(t *testing.T) {
	t.Parallel()
	s := newCommands(t, 4)
	s.start()
	s.github.SetPrivateKey(otherKey())
	s.give()
	s.until("the refusal", func() bool { return strings.Contains(s.log.all(), "GitHub refuses the App: deliveries are") })
	status, text := s.get("/readyz")
	require.Equal(t, http.StatusOK, status, "deliveries must come here")
	require.Contains(t, text, "ready: deliveries are accepted, but GitHub refuses the App, so commands wait")
	require.Contains(t, text, "the key with the fingerprint "+fingerprintOf(sharedKey()))
	require.Contains(t, text, fmt.Sprint("the App with this id, ", s.github.AppID()))
	for _, id := range s.given {
		require.Empty(t, s.reactions(id))
	}
	s.github.SetPrivateKey(sharedKey())
	begun := time.Now()
	s.done()
	t.Logf("done_after_s=%.1f refused=%d", time.Since(begun).Seconds(), s.refusedAsApp())
	require.Contains(t, s.log.all(), "the key with the fingerprint "+fingerprintOf(sharedKey()), "it is no secret")
	require.Contains(t, s.log.all(), "GitHub accepts the App again")
	_, text = s.get("/readyz")
	require.Equal(t, "ready\n", text)
}

// A server with a wrong key does not start; with the right one it does what was waiting.
func TestAKeyThatIsPutRightByARestart(t *testing.T) {
	t.Parallel()
	s := newCommands(t, 2)
	s.start()
	old := string(s.github.PrivateKeyPEM())
	s.github.SetPrivateKey(otherKey())
	s.give()
	s.until("the refusal", func() bool { return strings.Contains(s.log.all(), "GitHub refuses the App") })
	s.stop()
	_, err := s.serveOnce("TENON_PRIVATE_KEY=" + old)
	require.ErrorContains(t, err, "TENON_APP_ID and the private key do not belong together")
	s.start() // with GitHub's new key
	begun := time.Now()
	s.done()
	t.Logf("done_after_s=%.1f", time.Since(begun).Seconds())
}

// One of two replicas has a key that was deleted: the other one does all, and the first uses up no attempt.
func TestAReplicaWithAWrongKeyLeavesTheCommandsToTheOther(t *testing.T) {
	t.Parallel()
	s := newCommands(t, 6)
	s.env = append(s.env, "TENON_DATABASE_URL="+pgtest.URL(t))
	s.start()
	s.github.SetPrivateKey(otherKey())
	s.start() // which GitHub's deliveries go to
	s.give()
	begun := time.Now()
	s.done()
	t.Logf("done_after_s=%.1f refused=%d", time.Since(begun).Seconds(), s.refusedAsApp())
}
