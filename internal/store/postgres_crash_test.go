package store

import (
	"database/sql"
	"errors"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/store/pgtest"
)

// forgetful are the settings of a server that writes nothing to the disk before a commit.
var forgetful = []string{
	"wal_writer_delay=10s", "wal_level=minimal", "max_wal_senders=0", "bgwriter_lru_maxpages=0",
}

// beginWithID begins a transaction and returns its id.
func beginWithID(t *testing.T, conn *sql.Conn) (tx *sql.Tx, id string) {
	t.Helper()
	tx, err := conn.BeginTx(t.Context(), nil)
	require.NoError(t, err)
	require.NoError(t, tx.QueryRow("SELECT "+xactID).Scan(&id))
	return tx, id
}

func session(t *testing.T, s *Store) *sql.Conn {
	t.Helper()
	conn, err := s.db.Conn(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// A server that crashes gives the id of a transaction that it has forgotten to another one.
func TestATransactionThatACrashUndoesIsNotTakenForAnother(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		other   string // what the transaction does that has the id afterwards
		unknown bool   // else it is known that nothing was committed
	}{
		"nobody has its id":            {"", false},
		"another one was committed":    {"COMMIT", true},
		"another one was rolled back":  {"ROLLBACK", false},
		"another one is still at work": {"SET LOCAL idle_in_transaction_session_timeout = 0", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := pgtest.New(t, forgetful...)
			s := openURL(t, server.URL(t))
			conn := session(t, s)
			incarnation := incarnationOf(conn)
			tx, id := beginWithID(t, conn)
			_, err := tx.Exec("INSERT INTO pulse (id, beat) VALUES (1, 1)")
			require.NoError(t, err)
			server.Stop()
			server.Start(t)
			if c.other != "" {
				other, same := beginWithID(t, session(t, s))
				require.Equal(t, id, same)
				_, err := other.Exec(c.other)
				require.NoError(t, err)
			}
			err = s.database.(*postgresDatabase).resolve(t.Context(), id, incarnation, io.ErrUnexpectedEOF)
			require.ErrorIs(t, err, io.ErrUnexpectedEOF)
			require.Equal(t, c.unknown, errors.Is(err, errUnknown), err)
		})
	}
}
