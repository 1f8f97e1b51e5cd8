package store_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/store/storetest"
)

// notedSlot notes what becomes of the slot of a run.
type notedSlot struct{ notes []string }

func (s *notedSlot) Enter() { s.notes = append(s.notes, "enter") }

func (s *notedSlot) Leave() { s.notes = append(s.notes, "leave") }

// A disk, or a server of a database, takes its time.
func TestARunWaitsForTheDatabaseWithoutItsSlot(t *testing.T) {
	t.Parallel()
	s := open(t, store.Options{Dir: storetest.Folder(t)})
	slot := &notedSlot{}
	require.NoError(t, s.Pace().Block(port.WithSlot(t.Context(), slot), 1, 0))
	require.Equal(t, []string{"leave", "enter"}, slot.notes)
}
