package store

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// onBoth runs a test on each engine. What claims choose by is right when it has ended.
func onBoth(t *testing.T, test func(t *testing.T, s *Store)) {
	t.Helper()
	for name, open := range map[string]func(t *testing.T) *Store{
		"SQLite":     func(t *testing.T) *Store { return openDir(t, folder(t)) },
		"PostgreSQL": func(t *testing.T) *Store { return openURL(t, Schema.URL(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			test(t, s)
			CheckPlaces(t, s)
		})
	}
}

// commandIn makes an event of a thread of an installation.
func commandIn(installation int64, thread int, delivery string) port.Event {
	return port.Event{Delivery: delivery, Repo: port.RepoRef{Installation: installation, ID: 7},
		Thread: port.Thread{Number: thread}}
}

func submitAll(t *testing.T, s *Store, all ...port.Event) {
	t.Helper()
	for _, ev := range all {
		require.NoError(t, s.Submit(t.Context(), ev))
	}
}

// nameOf returns the delivery of an event; "" if there is none.
func nameOf(ev *port.Event) string {
	if ev == nil {
		return ""
	}
	return ev.Delivery
}

// What claims choose by says which event may be next. Whether it is, its claim finds out.
func TestAClaimFindsOutThatItWasWrongAboutAnEvent(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "a"), commandIn(1, 1, "b"), commandIn(2, 2, "sleeps"), commandIn(3, 3, "gone"),
			commandIn(3, 4, "d"))
		placeAll(t, s)
		for _, wrong := range []string{
			"UPDATE events SET claimable = 1",
			"UPDATE turns SET first = (SELECT seq FROM events WHERE delivery = 'b') WHERE installation = 1",
			"UPDATE events SET not_before = 9000000000000 WHERE delivery = 'sleeps'",
			"DELETE FROM events WHERE delivery = 'gone'",
		} {
			_, err := s.db.Exec(wrong)
			require.NoError(t, err)
		}
		a, d := next(t, s), next(t, s)
		require.ElementsMatch(t, []string{"a", "d"}, []string{a.Delivery, d.Delivery})
		require.Nil(t, next(t, s))
		require.NoError(t, s.Complete(t.Context(), *a))
		require.Equal(t, "b", next(t, s).Delivery)
	})
}

// However many commands an installation gives, the next free worker is another's.
func TestABurstDelaysAnotherInstallationByOneClaim(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		fill(t, s, queue{waiting: 1000, installations: 1, threads: 1000, text: 10})
		var leased []port.Event
		for range 8 { // workers
			leased = append(leased, *next(t, s))
		}
		submitAll(t, s, commandIn(2, 5000, "another's"))
		require.NoError(t, s.Complete(t.Context(), leased[0]))
		require.Equal(t, "another's", next(t, s).Delivery)
	})
}

// What belongs to two installations is one thread: the App was installed again.
func TestAThreadGoesOnWhenTheAppIsInstalledAgain(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "a"), commandIn(2, 1, "b"), commandIn(3, 1, "c"), commandIn(1, 1, "d"))
		for _, delivery := range []string{"a", "b", "c", "d"} {
			ev := next(t, s)
			require.Equal(t, delivery, ev.Delivery)
			require.Nil(t, next(t, s))
			require.NoError(t, s.Complete(t.Context(), *ev))
		}
	})
}

// The App was removed from the account of the first of two installations that gave commands in a thread.
func TestAThreadGoesOnWhenAnInstallationIsForgotten(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		for _, started := range []bool{false, true} {
			thread := toInt(started)
			submitAll(t, s, commandIn(1, thread, fmt.Sprint("forgotten", thread)))
			if started {
				ev := next(t, s)
				_, err := s.Start(t.Context(), *ev)
				require.NoError(t, err)
				require.NoError(t, s.Retry(t.Context(), *ev, errors.New("later"), 0))
			}
			submitAll(t, s, commandIn(2, thread, fmt.Sprint("goes-on", thread)))
			placeAll(t, s)
			require.NoError(t, s.Uninstalled(t.Context(), 1))
			_, err := (&Keeper{Store: s}).deleteUninstalled(t.Context())
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint("goes-on", thread), nameOf(next(t, s)))
		}
	})
}

// It is a dead letter, which others do not wait for.
func TestAThreadGoesOnAfterAnEventThatCannotBeRead(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "unreadable"), commandIn(1, 1, "goes-on"))
		_, err := s.db.ExecContext(t.Context(), "UPDATE events SET body = 'x' WHERE delivery = 'unreadable'")
		require.NoError(t, err)
		require.Equal(t, "goes-on", nameOf(next(t, s)))
	})
}

// The server was stopped when an event had ended, and is started when that is not kept any more.
func TestAThreadGoesOnWhenTheEventBeforeIsNotKeptAnyMore(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "ended"), commandIn(1, 1, "goes-on"))
		require.NoError(t, s.Complete(t.Context(), *next(t, s)))
		_, err := s.db.ExecContext(t.Context(), "UPDATE events SET changed = 1, accepted = 1 WHERE delivery = 'ended'")
		require.NoError(t, err)
		d, err := (&Keeper{Store: s}).Pass(t.Context())
		require.NoError(t, err)
		require.Equal(t, int64(1), d.Events)
		require.Equal(t, "goes-on", nameOf(next(t, s)))
	})
}

// An event that became ready again comes before the one that is handled meanwhile, and that is tried again.
func TestARetryLetsAnEarlierEventOfAnotherInstallationGoFirst(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "earlier"), commandIn(2, 1, "later"))
		require.NoError(t, s.DeadLetter(t.Context(), *next(t, s), errors.New("no")))
		later := next(t, s)
		require.Equal(t, "later", later.Delivery)
		submitAll(t, s, commandIn(1, 1, "earlier"))
		require.Nil(t, next(t, s))
		require.NoError(t, s.Retry(t.Context(), *later, errors.New("later"), 0))
		require.Equal(t, "earlier", nameOf(next(t, s)))
	})
}

// More events are placed than one transaction does.
func TestABurstIsPlacedInParts(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		var batch []*submission
		for i := range 2*maxPlaced + 1 {
			r, err := encodeEvent(commandIn(int64(1+i/(2*maxPlaced)), i, fmt.Sprint("x", i)))
			require.NoError(t, err)
			batch = append(batch, &submission{row: r})
		}
		require.NoError(t, s.accept(t.Context(), batch))
		require.Equal(t, "x0", next(t, s).Delivery)
		require.Equal(t, fmt.Sprint("x", 2*maxPlaced), next(t, s).Delivery, "the other installation's")
	})
}

// counted is a database that counts the transactions of claims, and the others.
type counted struct {
	database
	claims, others int
}

func (d *counted) transact(ctx context.Context, fn func(tx) error) error {
	d.others++
	return d.database.transact(ctx, fn)
}

func (d *counted) claim(ctx context.Context, fn func(tx) error) error {
	d.claims++
	return d.database.claim(ctx, fn)
}

// As when GitHub is back after an outage, or after an upgrade.
func TestAClaimIsMadeBeforeAllThatBecameDueIsPlaced(t *testing.T) {
	t.Parallel()
	for name, placeAt := range map[string]int{"they slept": 9, "they waited before an upgrade": 1} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			onBoth(t, func(t *testing.T, s *Store) {
				const waiting = 1000
				fill(t, s, queue{waiting: waiting, installations: 1, threads: waiting, text: 10})
				_, err := s.db.ExecContext(t.Context(), "UPDATE events SET claimable = NULL, place_at = $1", placeAt)
				require.NoError(t, err)
				submitAll(t, s, commandIn(99, waiting, "another's"))
				d := &counted{database: s.database}
				s.database = d
				claimed := []string{nameOf(next(t, s)), nameOf(next(t, s))}
				require.Contains(t, claimed, "another's")
				require.LessOrEqual(t, d.claims, 2*(maxRounds+1))
			})
		})
	}
}

// All but the last of those that are to be placed are behind another one.
func TestAClaimFindsWhatIsPlacedLast(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		const waiting = (maxRounds + 3) * maxPlaced
		fill(t, s, queue{waiting: waiting, installations: 1, threads: 1, text: 10})
		next(t, s)
		submitAll(t, s, commandIn(1, 1, "last"))
		const again = "UPDATE events SET place_at = 9 + seq, claimable = NULL WHERE state = 'ready'"
		_, err := s.db.ExecContext(t.Context(), again)
		require.NoError(t, err)
		require.Equal(t, "last", nameOf(next(t, s)))
	})
}

// However many events waited before the upgrade.
func TestWhatComesAfterAnUpgradeIsPlacedFirst(t *testing.T) {
	t.Parallel()
	s := olderSQLite(t)
	submitAll(t, s, commandIn(9, 9, "later"))
	var after int
	require.NoError(t, s.db.QueryRow("SELECT count(*) FROM events WHERE place_at > "+
		"(SELECT place_at FROM events WHERE delivery = 'later')").Scan(&after))
	require.Equal(t, 1, after)
}

// In the transaction of a claim, before it ends.
func TestNothingWaitsForAClaimNorAClaimForWhatIsNotCommitted(t *testing.T) {
	t.Parallel()
	s := openURL(t, Schema.URL(t))
	submitAll(t, s, commandIn(1, 1, "renewed"), commandIn(1, 1, "behind"), commandIn(1, 2, "a"), commandIn(1, 3, "other"))
	renewed := next(t, s)
	require.Equal(t, "renewed", renewed.Delivery)
	require.NoError(t, s.database.claim(t.Context(), func(tx tx) error {
		c, _, err := s.claimOrRefuse(t.Context(), tx, claimant{}, "token")
		require.Equal(t, "a", c.Event.Delivery)
		submitAll(t, s, commandIn(1, 1, "accepted"), commandIn(1, 4, "accepted-too"))
		_, renewErr := s.Renew(t.Context(), *renewed)
		require.NoError(t, renewErr)
		require.NoError(t, s.Complete(t.Context(), *renewed))
		return err
	}))
	d := s.database.(*postgresDatabase)
	require.NoError(t, d.transact(t.Context(), func(tx tx) error {
		_, err := tx.Exec("UPDATE events SET error = 'being changed' WHERE delivery = 'accepted-too'")
		require.NoError(t, err)
		require.Equal(t, "behind", next(t, s).Delivery)
		require.Equal(t, "other", next(t, s).Delivery)
		require.Nil(t, next(t, s), "the one that is being changed is placed when that is over")
		return err
	}))
	require.Equal(t, "accepted-too", next(t, s).Delivery)
	CheckPlaces(t, s)
}

// Processes of two versions run side by side for as long as an upgrade takes. The statements are those of the old one.
func TestEventsThatAProcessOfThePreviousVersionHandlesArePlaced(t *testing.T) {
	t.Parallel()
	s := openURL(t, Schema.URL(t))
	submitAll(t, s, commandIn(1, 1, "a"), commandIn(1, 1, "b"))
	placeAll(t, s)
	exec := func(statement string, args ...any) {
		t.Helper()
		_, err := s.db.ExecContext(t.Context(), statement, args...)
		require.NoError(t, err)
	}
	exec(`INSERT INTO events (delivery, thread, installation, version, body, state,
		attempts, not_before, lease_token, lease_until, error, accepted, changed, aside, origin)
		SELECT 'c', '7#2', installation, version, replace(replace(body, '"a"', '"c"'), '"number":1', '"number":2'), 'ready',
			0, 0, '', 0, '', accepted, changed, 0, '' FROM events WHERE delivery = 'a'`)
	exec(`UPDATE events SET state = 'working', attempts = attempts + 1, lease_token = 'old', lease_until = $1,
		changed = $2, held = 0 WHERE delivery = 'a'`, time.Now().Add(time.Hour).UnixMilli(), time.Now().UnixMilli())
	require.Equal(t, "c", next(t, s).Delivery)
	require.Nil(t, next(t, s))
	CheckPlaces(t, s)
	exec(`UPDATE events SET state = 'done', lease_token = '', lease_until = 0, changed = $1 WHERE delivery = 'a'`,
		time.Now().UnixMilli())
	require.Equal(t, "b", next(t, s).Delivery)
	CheckPlaces(t, s)
}

// The statement is that of the old version.
func TestAThreadGoesOnWhenAProcessOfThePreviousVersionDeletesItsEvents(t *testing.T) {
	t.Parallel()
	s := openURL(t, Schema.URL(t))
	for i := range 3 {
		submitAll(t, s, commandIn(1, i, fmt.Sprint("removed", i)), commandIn(2, i, fmt.Sprint("goes-on", i)))
	}
	placeAll(t, s)
	_, err := s.db.ExecContext(t.Context(), `DELETE FROM events WHERE state <> 'working'
		AND seq IN (SELECT seq FROM events WHERE installation = $1 AND state <> 'working' LIMIT $2)`, 1, 50)
	require.NoError(t, err)
	for i := range 3 {
		require.Equal(t, fmt.Sprint("goes-on", i), nameOf(next(t, s)))
	}
	CheckPlaces(t, s)
}

// A lease that is renewed is looked at when it would have been over, and no sooner.
func TestARenewalLeavesTheEventInItsPlace(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *Store) {
		submitAll(t, s, commandIn(1, 1, "a"))
		ev := next(t, s)
		_, err := s.Renew(t.Context(), *ev)
		require.NoError(t, err)
		var pending int
		require.NoError(t, s.db.QueryRowContext(t.Context(),
			"SELECT count(*) FROM events WHERE place_at <= $1", time.Now().Add(s.lease/2).UnixMilli()).Scan(&pending))
		require.Zero(t, pending)
	})
}

// Each process has workers for newcomers, and none knows what the others accepted or began.
func TestTheWorkersForNewcomersServeThoseThatAnotherProcessAccepted(t *testing.T) {
	t.Parallel()
	databaseURL := Schema.URL(t)
	accepts, works := openURL(t, databaseURL), openURL(t, databaseURL)
	newcomer := func(s *Store) string {
		c, _, err := s.claimNext(t.Context(), claimant{newcomers: true})
		require.NoError(t, err)
		return c.Event.Delivery
	}
	submitAll(t, accepts, commandIn(1, 1, "first"), commandIn(1, 2, "second"), commandIn(2, 3, "of-another"))
	require.Equal(t, []string{"first", "of-another", ""}, []string{newcomer(works), newcomer(works), newcomer(works)})
	submitAll(t, accepts, commandIn(2, 4, "its-second"), commandIn(3, 5, "of-a-third"))
	require.Equal(t, []string{"of-a-third", ""}, []string{newcomer(accepts), newcomer(accepts)})
	require.Equal(t, "second", nameOf(next(t, works)), "for everybody")
}
