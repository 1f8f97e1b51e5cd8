package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// deadLetterFolder returns the data folder of a server with a dead letter and one that waits.
func deadLetterFolder(t *testing.T) (dir string) {
	t.Helper()
	dir = storetest.Folder(t)
	st, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, st.Close()) }()
	const coloured = "/tenon fix \x1b[31mthe colours\tof `main.go` and of all others\nplease"
	for i, body := range []string{coloured, "/tenon ask why?"} {
		require.NoError(t, st.Submit(t.Context(), port.Event{
			Delivery: []string{"dead-1", "waiting-2"}[i], Kind: port.IssueComment, Sender: port.User{ID: 3, Login: "maria"},
			Repo:   port.RepoRef{Installation: 1, ID: 2, Owner: "acme", Name: "lathe"},
			Thread: port.Thread{Number: 12 + i, Pull: true}, Comment: port.Comment{Body: body},
		}))
	}
	c, ok, err := st.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
	_, err = st.Start(t.Context(), c.Event)
	require.NoError(t, err)
	require.NoError(t, st.DeadLetter(t.Context(), c.Event, errors.New("reading pull request 12:\n\x1b]0;no use")))
	return dir
}

// printed runs a command line, and returns its exit code and all that it printed.
func printed(t *testing.T, args ...string) (code int, text string) {
	t.Helper()
	var out bytes.Buffer
	code = runProgram(t, args, &out)
	return code, out.String()
}

func TestTheEventsThatAreNotDoneAreListed(t *testing.T) {
	t.Parallel()
	dir := deadLetterFolder(t)
	code, text := printed(t, "events", "--data", dir)
	require.Equal(t, exitOK, code, text)
	require.Regexp(t, `(?m)^STATE +ACCEPTED +WHERE +WHO +COMMAND +ATTEMPTS +ID$`, text)
	require.Regexp(t, `(?m)^waiting +now +acme/lathe#13 +maria +/tenon ask why\? +0 +waiting-2$`, text)
	require.Regexp(t, `(?m)^dead letter +now +acme/lathe#12 +maria +/tenon fix .*… +1 +dead-1$`, text)
	require.Regexp(t, `(?m)^dead-1: the last attempt: reading pull request 12: .*no use$`, text)
	require.NotContains(t, text, "\x1b", "what a terminal would obey is not printed")
	code, text = printed(t, "events", "--data", dir, "--limit", "1")
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, "and 1 event more; --limit lists more")

	code, text = printed(t, "events", "--data", dir, "--json")
	require.Equal(t, exitOK, code, text)
	dec := json.NewDecoder(bytes.NewBufferString(text))
	var waiting, dead listedEvent
	require.NoError(t, dec.Decode(&waiting))
	require.NoError(t, dec.Decode(&dead))
	require.Equal(t, store.EventWaiting, waiting.State)
	require.Equal(t, port.RunID("dead-1"), dead.Run)
	require.Equal(t, "acme/lathe", dead.Repository)
	require.Contains(t, dead.Error, "no use")

	code, text = printed(t, "events", "--data", dir, "--limit", "0")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "--limit is 0; it must be at least 1")
	code, text = printed(t, "events", "--data", t.TempDir())
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "looking for the database of a server")
}

func TestCommitsThatAreFollowedAreNoCommandsThatWait(t *testing.T) {
	t.Parallel()
	dir := storetest.Folder(t)
	st, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	require.NoError(t, st.Follow(t.Context(), port.Event{
		Delivery: "follow-1", Kind: port.Following, Sender: port.User{ID: 3, Login: "maria"},
		Repo:   port.RepoRef{Installation: 1, ID: 2, Owner: "acme", Name: "lathe"},
		Thread: port.Thread{Number: 12, Pull: true}, Comment: port.Comment{Body: "/tenon fix the colours"},
		Followed: &port.Followed{Commit: "c0ffee00112233445566778899aabbccddeeff00", Branch: "main"},
	}))
	require.NoError(t, st.Close())
	code, text := printed(t, "events", "--data", dir)
	require.Equal(t, exitOK, code, text)
	require.Equal(t, "Everything is done.\n\nCI is followed for 1 commit; --followed lists them\n", text)
	code, text = printed(t, "events", "--data", dir, "--followed")
	require.Equal(t, exitOK, code, text)
	require.Regexp(t, `(?m)^sleeping +now +acme/lathe#12 +maria +CI of c0ffee0 +0 +follow-1$`, text)
	require.Contains(t, text, "follow-1: CI has not finished; "+
		"next attempt when CI reports, or else 59 minutes from now")
	require.NotContains(t, text, "--followed")
	_, text = printed(t, "events", "--data", dir, "--followed", "--json")
	var event listedEvent
	require.NoError(t, json.Unmarshal([]byte(text), &event))
	require.Equal(t, port.Following, event.Kind)
	require.Equal(t, "c0ffee00112233445566778899aabbccddeeff00", event.Commit)
	require.Empty(t, event.Command)
}

func TestDeadLettersAreRetriedAndDropped(t *testing.T) {
	t.Parallel()
	dir := deadLetterFolder(t)
	code, text := printed(t, "events", "retry", "--data", dir, "waiting-2")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "event waiting-2 is waiting, and only dead letters can be retried or dropped")
	code, text = printed(t, "events", "drop", "--data", dir, "nowhere")
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "there is no event nowhere")
	code, text = printed(t, "events", "retry", "--data", dir, port.RunID("dead-1"))
	require.Equal(t, exitOK, code, text)
	require.Contains(t, text, port.RunID("dead-1")+" will be retried")
	code, text = printed(t, "events", "retry", "--data", dir)
	require.Equal(t, exitUsage, code, text)

	dir = deadLetterFolder(t)
	code, text = printed(t, "events", "drop", "--data", dir, "dead-1")
	require.Equal(t, exitOK, code, text)
	_, text = printed(t, "events", "--data", dir)
	require.NotContains(t, text, "dead")
}

func TestABackupIsAServersDatabase(t *testing.T) {
	t.Parallel()
	dir, restored := deadLetterFolder(t), t.TempDir()
	running, err := store.Open(t.Context(), store.Options{Dir: dir})
	require.NoError(t, err)
	defer func() { require.NoError(t, running.Close()) }()
	file := filepath.Join(restored, "tenon.db")
	code, text := printed(t, "backup", file, "--data", dir)
	require.Equal(t, exitOK, code, text)
	require.Regexp(t, `tenon\.db: \d+ KiB`, text)
	_, text = printed(t, "events", "--data", restored)
	require.Contains(t, text, "dead-1")
	code, text = printed(t, "backup", file, "--data", dir)
	require.Equal(t, exitUsage, code)
	require.Contains(t, text, "exists already")
	_, err = os.Stat(file)
	require.NoError(t, err)
}
