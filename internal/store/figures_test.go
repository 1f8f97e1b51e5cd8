package store

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestErrorsOfTheDatabaseAreToldAndWhatATransactionFindsIsNot(t *testing.T) {
	t.Parallel()
	var told []error
	s, err := Open(t.Context(), Options{Dir: folder(t), Failed: func(err error) { told = append(told, err) }})
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	require.ErrorIs(t, s.Complete(t.Context(), testEvent("a")), port.ErrLeaseLost)
	require.Empty(t, told)
	broken := s.write(t.Context(), "breaking", func(tx tx) error {
		_, err := tx.ExecContext(t.Context(), "INSERT INTO nothing VALUES (1)")
		return err
	})
	require.Error(t, broken)
	require.Len(t, told, 1)
	require.True(t, isDatabaseError(context.DeadlineExceeded))
	require.False(t, isDatabaseError(errors.New("the event is odd")))
}
