package redeliver

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

const (
	// overlap is how far a sweep looks back behind the newest attempt that the last one saw: attempts are listed when they
	// have ended, and one that GitHub was asked for may have been forgotten there.
	overlap = 2 * Every
	// maxPages bounds the pages of one sweep: 100,000 attempts, those to tell what CI says among them. An App may make
	// 5,000 requests an hour.
	maxPages = 1000
	// maxMissing bounds the deliveries that one sweep asks for. The others come in the next one.
	maxMissing = 1000
	// giveUpAfter is how long after the first time a delivery is asked for again. GitHub keeps it for three days, but each
	// new attempt for another three.
	giveUpAfter = 3 * 24 * time.Hour
)

// found is what a sweep found.
type found struct {
	// missing are the newest attempts of the deliveries to ask for, oldest first; repeated are those of them that were
	// asked for before. If there are too many, the others come first.
	missing  []port.Attempt
	repeated map[string]bool
	// repositories are those about whose commits CI reported in attempts that failed.
	repositories map[int64]bool
	// newest is the time of the newest attempt; zero if there is none.
	newest time.Time
	// pages is how many requests it took.
	pages int
	// again is the time until something that is still missing then can be asked for again; Every if nothing is missing.
	again time.Duration
}

// sort brings what is missing, which was found newest first, into its order.
func (f *found) sort() {
	slices.Reverse(f.missing)
	if len(f.missing) > maxMissing {
		slices.SortStableFunc(f.missing, func(a, b port.Attempt) int {
			return toInt(f.repeated[a.Delivery]) - toInt(f.repeated[b.Delivery])
		})
	}
}

func toInt(b bool) int {
	if b {
		return 1
	}
	return 0
}

// list looks through the attempts, newest first, down to those that a sweep saw whose newest is given; if that is zero,
// through all.
func (s *Sweeper) list(ctx context.Context, lease port.Sweep, seen time.Time) (f found, err error) {
	defer f.sort()
	f.repositories, f.repeated, f.again = map[int64]bool{}, map[string]bool{}, Every
	judged := map[string]bool{} // deliveries that arrived, or were looked at already
	since, reportsSince := seen.Add(-overlap), seen.Add(-listLag)
	cursor := ""
	for n := 1; ; n++ {
		f.pages = n
		page, next, err := s.GitHub.Attempts(ctx, cursor)
		if err != nil {
			return f, err
		}
		if n == 1 && len(page) > 0 {
			f.newest = page[0].At
		}
		if err := s.addMissing(ctx, lease, &f, s.failures(page, since, judged)); err != nil {
			return f, err
		}
		for _, a := range page {
			if s.Reports(a.Event, a.Action) && !a.Succeeded() && !a.At.Before(reportsSince) && a.Repository != 0 {
				f.repositories[a.Repository] = true
			}
		}
		switch {
		case next == "" || next == cursor || len(page) == 0 || page[len(page)-1].At.Before(since):
			return f, nil
		case n == maxPages:
			s.Log.WarnContext(ctx, "too many delivery attempts; older ones were not checked",
				"attempts", n*len(page), "oldest", page[len(page)-1].At)
			return f, nil
		}
		cursor = next
	}
}

// failures returns the newest attempt of each delivery of a page that the App needs and that no attempt brought to it.
// A newer attempt is on the same page or an earlier one.
func (s *Sweeper) failures(page []port.Attempt, since time.Time, judged map[string]bool) []port.Attempt {
	for _, a := range page {
		if a.Succeeded() {
			judged[a.Delivery] = true
		}
	}
	var failed []port.Attempt
	for _, a := range page {
		if judged[a.Delivery] || a.At.Before(since) || !s.Needs(a.Event, a.Action) {
			continue
		}
		judged[a.Delivery] = true
		if !refusedForGood(a.Status) {
			failed = append(failed, a)
		}
	}
	return failed
}

// refusedForGood reports whether tenon itself refused a delivery because of what is in it, or because its sender has
// given far too many commands.
func refusedForGood(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusRequestEntityTooLarge ||
		status == http.StatusTooManyRequests
}

// addMissing adds the attempts whose delivery the queue does not have, and that can be asked for now.
func (s *Sweeper) addMissing(ctx context.Context, lease port.Sweep, f *found, failed []port.Attempt) error {
	names := make([]string, len(failed))
	for i, a := range failed {
		names[i] = a.Delivery
	}
	missing, err := s.Queue.Missing(ctx, lease, names)
	if err != nil {
		return err
	}
	ask := map[string]bool{}
	for _, m := range missing {
		wait := gap(m.First-m.Last) - m.Last
		switch {
		case m.First >= giveUpAfter:
			continue
		case m.Asked && wait > 0:
		default:
			ask[m.Delivery], wait = true, gap(m.First)
		}
		f.again, f.repeated[m.Delivery] = min(f.again, wait), m.Asked
	}
	for _, a := range failed {
		if ask[a.Delivery] {
			f.missing = append(f.missing, a)
		}
	}
	return nil
}

// look has the commits of some repositories looked at that something follows.
func (s *Sweeper) look(ctx context.Context, repositories map[int64]bool) error {
	for _, id := range slices.Sorted(maps.Keys(repositories)) {
		if err := s.Queue.Missed(ctx, id); err != nil {
			return err
		}
	}
	return nil
}
