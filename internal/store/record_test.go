package store

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestAnEventThatCannotBeReadBecomesADeadLetter(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]string{
		"a newer version":    "version = version + 4",
		"no version":         "version = 0",
		"damaged":            "body = '{'",
		"of another thread":  "thread = '2#4'",
		"of another sender":  "installation = 77",
		"nothing but braces": "body = '{}'",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := openDir(t, folder(t))
			require.NoError(t, s.Submit(t.Context(), testEvent("a")))
			require.NoError(t, s.Submit(t.Context(), testEvent("b")))
			_, err := s.db.Exec("UPDATE events SET " + change + " WHERE delivery = 'a'")
			require.NoError(t, err)

			c, ok, err := s.Claim(t.Context()) // it does not block the others
			require.NoError(t, err)
			require.True(t, ok)
			require.Equal(t, "b", c.Event.Delivery)
			var text string
			dead := s.db.QueryRow("SELECT error FROM events WHERE delivery = 'a' AND state = 'parked'")
			require.NoError(t, dead.Scan(&text))
			require.Regexp(t, "run the version of tenon that wrote it|is damaged", text)
		})
	}
}

func TestARedeliveryReplacesWhatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	_, err := s.db.Exec("UPDATE events SET body = '?', version = 10")
	require.NoError(t, err)
	_, ok, err := s.Claim(t.Context())
	require.NoError(t, err)
	require.False(t, ok)
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	_, ok, err = s.Claim(t.Context())
	require.NoError(t, err)
	require.True(t, ok)
}

func TestTheVersionOfAStepIsKept(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	c, _, err := s.Claim(t.Context())
	require.NoError(t, err)
	run, err := s.Start(t.Context(), c.Event)
	require.NoError(t, err)
	step := port.Step{Version: 7, Data: []byte(`1`)}
	require.NoError(t, s.Record(t.Context(), c.Event, run.ID, "open", step))
	require.ErrorContains(t, s.Record(t.Context(), c.Event, run.ID, "ask.1", port.Step{Data: []byte(`1`)}), "no version")
	run, err = s.Start(t.Context(), c.Event)
	require.NoError(t, err)
	require.Equal(t, map[string]port.Step{"open": step}, run.Steps)
}

func TestTwoDeliveriesWithOneRunIDAreNotMixedUp(t *testing.T) {
	t.Parallel()
	s := openDir(t, folder(t))
	require.NoError(t, s.Submit(t.Context(), testEvent("a")))
	other, _, err := s.Claim(t.Context())
	require.NoError(t, err)
	_, err = s.Start(t.Context(), other.Event)
	require.NoError(t, err)
	require.NoError(t, s.Complete(t.Context(), other.Event))
	_, err = s.db.Exec("UPDATE runs SET id = $1", port.RunID("b"))
	require.NoError(t, err)

	require.NoError(t, s.Submit(t.Context(), testEvent("b")))
	c, _, err := s.Claim(t.Context())
	require.NoError(t, err)
	_, err = s.Start(t.Context(), c.Event)
	require.ErrorContains(t, err, "UNIQUE")
}

func TestErrorTextIsBounded(t *testing.T) {
	t.Parallel()
	text := errorText(errors.New("\x00" + strings.Repeat("é", maxError)))
	require.LessOrEqual(t, len(text), maxError)
	require.Greater(t, len(text), maxError-10)
	require.True(t, utf8.ValidString(text))
	require.NotContains(t, text, "\x00")
	require.Empty(t, errorText(nil))
}

// A stored event is read unchanged or refused for good; it is never read as the event of another row.
func FuzzDecodeEvent(f *testing.F) {
	r, err := encodeEvent(testEvent("a"))
	require.NoError(f, err)
	f.Add(r.delivery, r.thread, r.installation, r.version, r.body)
	f.Add("a", "2#3", int64(1), 2, r.body)
	f.Add("a", "2#3", int64(1), 1, `{"delivery":"b"}`)
	f.Add("a", "0#0", int64(0), 1, `{"delivery":"a","thread":null,"comment":[]}`)
	f.Fuzz(func(t *testing.T, delivery, thread string, installation int64, version int, body string) {
		r := row{delivery: delivery, thread: thread, installation: installation, version: version, body: body}
		ev, err := decodeEvent(r)
		if err != nil {
			require.True(t, isPermanent(err))
			require.Equal(t, port.Event{}, ev)
			return
		}
		require.LessOrEqual(t, version, eventVersion)
		require.Equal(t, []any{delivery, thread, installation}, []any{ev.Delivery, ev.ThreadKey(), ev.Repo.Installation})
		again, err := encodeEvent(ev)
		if err != nil {
			require.True(t, isPermanent(err)) // a body that no Submit could have written, such as an empty delivery
			return
		}
		twice, err := decodeEvent(again)
		require.NoError(t, err)
		require.Equal(t, ev, twice)
	})
}
