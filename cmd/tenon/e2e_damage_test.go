package main

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// What a server refuses because of its database it asks for by itself as soon as it can accept it, without a restart.
func TestWhatTheServerRefusedItAsksForByItself(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.startProcess()
	storetest.Execute(t, s.data, "ALTER TABLE events RENAME TO gone")
	var refused []int64
	for range 3 {
		id := s.comment("maria", "/tenon help")
		require.Equal(t, http.StatusServiceUnavailable, s.delivery(id).Status)
		refused = append(refused, id)
	}
	status, text := s.get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "not ready: deliveries cannot be stored; the error is in tenon's log\n", text)
	storetest.Execute(t, s.data, "ALTER TABLE gone RENAME TO events")
	s.until("the answers to all", func() bool { return len(s.answers()) == len(refused) })
	status, _ = s.get("/readyz")
	require.Equal(t, http.StatusOK, status)
}

// A database that is damaged while the server runs makes it not ready, with the reason; and it is not started again.
func TestADamagedDatabaseIsNotReadyAndNotStarted(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	s.startProcess()
	s.comment("maria", "/tenon help")
	s.until("the help", func() bool { return len(s.answers()) == 1 })
	status, _ := s.get("/readyz")
	require.Equal(t, http.StatusOK, status)
	storetest.Damage(t, s.data, "sqlite_autoindex_events_1")

	refused := s.comment("maria", "/tenon help")
	require.Equal(t, http.StatusServiceUnavailable, s.delivery(refused).Status)
	status, text := s.get("/readyz")
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "not ready: the database in the data folder is damaged: restore it from a backup, or start with an "+
		"empty data folder if there is none; the error is in tenon's log\n", text)
	s.stop()
	_, err := s.serveOnce()
	require.ErrorContains(t, err, "tenon.db: the database in "+s.data+" is damaged: restore it from a backup")
	require.NotContains(t, err.Error(), "\n")
}
