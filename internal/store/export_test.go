package store

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// Deaf returns opts for a store that is not told the news of other processes. Listening is waiting for the network,
// which keeps the time of a synctest bubble from passing.
func Deaf(opts Options) Options {
	opts.deaf = true
	return opts
}

// Schema gives tests PostgreSQL databases of the present schema.
var Schema = pgtest.Schema{Prepare: func(databaseURL string) error {
	s, err := Open(context.Background(), Deaf(Options{DatabaseURL: databaseURL}))
	if err != nil {
		return err
	}
	return s.Close()
}}

// Within bounds how long a test waits for what happens at once: ten times as long as a process may take to be told of
// it. Only a failure uses it up.
const Within = 10 * (connectTimeout + maxReconnect)

// Patient returns opts for a store whose transactions are tried again for longer than a server takes to restart.
func Patient(opts Options) Options {
	opts.gone = 10 * goneTimeout
	return opts
}

// Occupy takes a connection of the database until its result is called.
func Occupy(t *testing.T, s *Store) (release func()) {
	t.Helper()
	tx, err := s.db.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	return func() { require.NoError(t, tx.Rollback()) }
}

// Waiting returns how many statements and transactions have waited for a connection.
func Waiting(s *Store) int64 { return s.db.Stats().WaitCount }
