package bottest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/tenon-bot/tenon/bot/port"
)

// Committing keeps that a run is about to commit.
func (q *Queue) Committing(ctx context.Context, ev port.Event, e port.Ended) error {
	return changeLocked(ctx, q, Call{Op: "Committing", Text: ev.Delivery, Write: true}, func() error {
		if _, err := q.held(ev); err != nil {
			return err
		}
		known := func(old port.Ended) bool { return old.Run == e.Run && old.Outcome == port.EndCommitting }
		if !slices.ContainsFunc(q.audit, known) {
			e.Outcome, e.At = port.EndCommitting, q.clock.Now()
			q.audit = append(q.audit, e)
		}
		return nil
	})
}

// Ended says what a run came to, should its event end now.
func (q *Queue) Ended(ev port.Event, e port.Ended) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if i := q.find(ev.Delivery); i != nil && i.lease == ev.Lease {
		if i.told != nil {
			e.Permission = cmp.Or(e.Permission, i.told.Permission)
		}
		i.told = &e
	}
}

// keepEnd keeps what a run came to, if its event ends.
func (q *Queue) keepEnd(i *item, to eventState) {
	if i.told != nil && (to == finished || to == deadLetter) {
		i.told.At = q.clock.Now()
		q.audit = append(q.audit, *i.told)
	}
	i.told = nil
}

// FormatsOf returns the counts of a model's edits.
func (q *Queue) FormatsOf(_ context.Context, model string) (counts []port.FormatCount, _ error) {
	since := q.clock.Now().AddDate(0, 0, -port.FormatDays)
	for _, e := range q.Audit() {
		for _, f := range e.Formats {
			if f.Model != model || e.Outcome == port.EndFailed || e.At.Before(since) {
				continue
			}
			i := slices.IndexFunc(counts, func(o port.FormatCount) bool { return o.Format == f.Format })
			if i < 0 {
				i, counts = len(counts), append(counts, port.FormatCount{Model: model, Format: f.Format})
			}
			counts[i].Blocks, counts[i].Applied = counts[i].Blocks+f.Blocks, counts[i].Applied+f.Applied
		}
	}
	slices.SortFunc(counts, func(a, b port.FormatCount) int { return cmp.Compare(a.Format, b.Format) })
	return counts, nil
}

// Audit returns what was kept of runs that were about to commit or ended, the oldest first.
func (q *Queue) Audit() []port.Ended {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.Clone(q.audit)
}

// checkAudit fails if there is a commit that nothing is kept of: before it was made, and when its run ended.
func (q *Queue) checkAudit(t testing.TB) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.audit) == 0 { // the story has no audit
		return
	}
	for _, i := range q.items {
		var made struct{ SHA string }
		if err := json.Unmarshal(i.steps["commit"].Data, &made); err != nil || made.SHA == "" {
			continue
		}
		has := func(what func(port.Ended) bool) bool {
			return slices.ContainsFunc(q.audit, func(e port.Ended) bool {
				return e.Delivery == i.event.Delivery && what(e)
			})
		}
		if !has(func(e port.Ended) bool { return e.Outcome == port.EndCommitting }) {
			t.Errorf("commit %s of delivery %s was not announced to the audit", made.SHA, i.event.Delivery)
		}
		ended := i.state == finished || i.state == deadLetter
		if ended && !has(func(e port.Ended) bool {
			return slices.ContainsFunc(e.Commits, func(c port.MadeCommit) bool { return c.SHA == made.SHA })
		}) {
			t.Errorf("the audit does not have commit %s of delivery %s", made.SHA, i.event.Delivery)
		}
	}
}
