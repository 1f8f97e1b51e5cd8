package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
)

// ranAgo puts a finished run of so many days ago into the database.
func (s *stage) ranAgo(delivery string, days int) (run string) {
	s.t.Helper()
	at := time.Now().AddDate(0, 0, -days)
	st, err := store.Open(s.t.Context(), store.Options{Dir: s.data, Now: func() time.Time { return at }})
	require.NoError(s.t, err)
	defer func() { require.NoError(s.t, st.Close()) }()
	ev := port.Event{Delivery: delivery, Kind: port.IssueComment, Received: at,
		Repo:   port.RepoRef{Installation: 1, ID: 2, Owner: "acme", Name: "lathe"},
		Thread: port.Thread{Number: 3, Pull: true}, Comment: port.Comment{Body: "/tenon fix"}}
	require.NoError(s.t, st.Submit(s.t.Context(), ev))
	c, ok, err := st.Claim(s.t.Context())
	require.NoError(s.t, err)
	require.True(s.t, ok)
	started, err := st.Start(s.t.Context(), c.Event)
	require.NoError(s.t, err)
	for name, data := range map[string]string{
		"context": `{"request":{"system":"SYSTEM","messages":[{"role":"user","text":"QUESTION"}]},"base":"b","shown":{}}`,
		"ask.1":   `{"kind":"fix","answer":{"text":"ANSWER","model":"m","usage":{"in":7,"out":9}},"plan":null}`,
	} {
		require.NoError(s.t, st.Record(s.t.Context(), c.Event, started.ID, name, port.Step{Version: 3, Data: []byte(data)}))
	}
	require.NoError(s.t, st.Complete(s.t.Context(), c.Event))
	return started.ID
}

// replayed returns what `tenon replay` prints of a run.
func (s *stage) replayed(run string, more ...string) (code int, text string) {
	s.t.Helper()
	var out bytes.Buffer
	args := append([]string{"replay", run, "--data", s.data}, more...)
	code = runProgram(s.t, args, &out)
	return code, out.String()
}

func runProgram(t *testing.T, args []string, out *bytes.Buffer) int {
	t.Helper()
	return run(t.Context(), args, strings.NewReader(""), out, out)
}

func TestTheServerDeletesWhatItsSettingsSay(t *testing.T) {
	t.Parallel()
	s := newStage(t)
	s.env = []string{"TENON_RETENTION=60d", "TENON_RETENTION_SOURCES=10d"}
	old, middle, recent := s.ranAgo("old", 61), s.ranAgo("middle", 11), s.ranAgo("recent", 9)
	s.start()
	s.until("the first pass", func() bool { return strings.Contains(s.log.all(), "deleted expired data") })

	code, text := s.replayed(old)
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "there is no run "+old)
	code, text = s.replayed(middle)
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, "The questions, the answers and all lines of files have been deleted")
	require.Contains(t, text, "m answered (fix): 7 tokens in, 9 out")
	require.NotContains(t, text, "QUESTION")
	require.NotContains(t, text, "ANSWER")
	code, text = s.replayed(middle, "--json")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "there is nothing to play again")
	code, text = s.replayed(recent)
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, "QUESTION")
}
