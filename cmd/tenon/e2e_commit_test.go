package main

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/github/sim"
	simhttp "github.com/tenon-bot/tenon/internal/github/sim/http"
)

func TestCommitsAreMadeByGitHubAndSigned(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	list, err := s.github.Commits(s.repo, "speed")
	require.NoError(t, err)
	require.True(t, list[0].Verified)
	require.Equal(t, s.github.BotLogin(), list[0].Author)
	require.Contains(t, list[0].Message, "\nCo-authored-by: maria <")
	require.Contains(t, list[0].Message, "\nTenon-Run: ")
	require.False(t, strings.HasSuffix(list[0].Message, "\n\n"))
	require.Len(t, list[0].Parents, 1)
}

// A file in an old encoding goes up byte by byte, and the executable bit stays.
func TestWhatIsNotUTF8IsCommittedByteByByte(t *testing.T) {
	t.Parallel()
	s := newStage(t, "latin.sh\n<<<<<<< SEARCH\necho hello\n=======\necho goodbye\n>>>>>>> REPLACE\n")
	_, err := s.github.PushFiles(s.repo, "speed",
		map[string]sim.File{"latin.sh": {Content: "# caf\xe9\necho hello\n", Mode: "100755"}}, "Old\n")
	require.NoError(t, err)
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `latin.sh`")), "rocket")
	require.Equal(t, "# caf\xe9\necho goodbye\n", s.file("latin.sh"))
	require.Contains(t, s.gitAt("ls-tree", "refs/heads/speed", "latin.sh"), "100755 ")
}

// The bounds of what one fix may ask of GitHub, by its API and by git, when tokens and settings are known: requests in
// all, and one after another from the acceptance to the commit. Each takes a while here, so that those at the same time
// show.
func TestAFixAsksLittleOfGitHub(t *testing.T) {
	t.Parallel()
	// The checks of the head, the state of the pull request, and the commit.
	asksLittle(t, newStage(t, someReplies()...), 3)
}

// Where an owner has not accepted what reading statuses needs, REST has the checks of the head.
func TestAFixAsksLittleOfGitHubWithoutStatuses(t *testing.T) {
	t.Parallel()
	s := newStage(t, someReplies()...)
	s.withoutLogs()
	asksLittle(t, s, 2)
}

// someReplies returns replies of which each edits what the one before wrote.
func someReplies() (replies []string) {
	words := []string{"hello", "goodbye", "farewell", "cheerio", "adieu", "ciao", "tschau"}
	for i := range words[1:] {
		replies = append(replies, strings.NewReplacer("hello", words[i], "goodbye", words[i+1]).Replace(goodReply))
	}
	return replies
}

// asksLittle requires that a run asks no more of GitHub than it needs to. On a busy machine, what is sent at the same
// time may start one after another, and a run may take so long that it tells of its progress: requests take longer then
// in the next attempt, and the best one counts.
func asksLittle(t *testing.T, s *stage, wantGraphQL int) {
	t.Helper()
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	require.LessOrEqual(t, len(simhttp.OfKind(s.github.Requests(), simhttp.KindGit)), 4,
		"the first of a repository: what the server can, the tips, the commits, the file")
	var all, git, graphQL, inTurn int
	for _, pause := range []int{100, 100, 200, 400, 800} { // milliseconds
		s.github.Gate(func(stage simhttp.Stage, _ *http.Request) {
			if stage == simhttp.BeforeEffect {
				time.Sleep(time.Duration(pause) * time.Millisecond)
			}
		})
		s.github.ForgetRequests()
		require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
		requests := s.github.Requests()
		for _, r := range requests {
			t.Log(r.Method, r.Path)
		}
		byGraphQL := simhttp.OfKind(requests, simhttp.KindGraphQL)
		moved := byGraphQL[len(byGraphQL)-1].Start
		before := slices.DeleteFunc(slices.Clone(requests), func(r simhttp.Request) bool { return r.Start.After(moved) })
		all, git = len(requests), len(simhttp.OfKind(requests, simhttp.KindGit))
		graphQL, inTurn = len(byGraphQL), simhttp.InTurn(before)
		t.Logf("requests=%d git=%d one_after_another=%d", all, git, inTurn)
		if all <= 15 && git <= 2 && graphQL == wantGraphQL && inTurn <= 5 {
			return
		}
	}
	require.LessOrEqual(t, all, 15)
	require.LessOrEqual(t, git, 2)
	require.Equal(t, wantGraphQL, graphQL)
	require.LessOrEqual(t, inTurn, 5)
}

func TestCommitsCanBePushedByGitInstead(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.env = append(s.env, "TENON_COMMITS=push")
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	list, err := s.github.Commits(s.repo, "speed")
	require.NoError(t, err)
	require.False(t, list[0].Verified)
	require.Contains(t, list[0].Message, "Tenon-Run: ")
	require.Len(t, simhttp.OfKind(s.github.Requests(), simhttp.KindGraphQL), 2, "the checks, and the state of the pull "+
		"request")
}
