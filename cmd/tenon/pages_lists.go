package main

import (
	"context"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/store"
	"github.com/tenon-bot/tenon/internal/text"
	"github.com/tenon-bot/tenon/internal/web"
)

// pageLists reads lists of runs for pages. It implements web.Lists.
type pageLists struct{ store *store.Store }

// filterOf returns a filter of the pages as one of the store.
func filterOf(f web.Filter) store.RunFilter {
	return store.RunFilter{Owner: f.Owner, Repo: f.Repo, Person: f.Person, Outcome: f.Outcome, Before: f.Before}
}

// Ended implements web.Lists.
func (p pageLists) Ended(ctx context.Context, f web.Filter, most int) (list []web.Ended, err error) {
	runs, err := p.store.Recent(ctx, filterOf(f), most)
	for _, r := range runs {
		list = append(list, web.Ended{Ended: r.Ended, Seq: r.Seq})
	}
	return list, err
}

// Repositories implements web.Lists.
func (p pageLists) Repositories(ctx context.Context, f web.Filter, most int) (list []port.RepoRef, err error) {
	runs, err := p.store.RecentRepositories(ctx, filterOf(f), most)
	for _, r := range runs {
		list = append(list, port.RepoRef{Installation: r.Installation, ID: r.Repository, Owner: r.Owner, Name: r.Repo})
	}
	return list, err
}

// Each implements web.Lists.
func (p pageLists) Each(ctx context.Context, f web.Filter, since time.Time, each func(port.Ended) error) error {
	of := filterOf(f)
	of.Since = since
	return p.store.EachRecent(ctx, of, each)
}

// Open implements web.Lists.
func (p pageLists) Open(ctx context.Context, most int) ([]web.Open, int, error) {
	list, left, err := p.store.Operator().Events(ctx, most, false)
	return openEvents(list), left.Events, err
}

// openEvents says of events that are not done what they wait for. The events are in the order of store.Operator.Events.
func openEvents(list []store.EventInfo) (out []web.Open) {
	first := map[string]string{} // by thread: the run that comes first
	waiting := 0
	for _, e := range list {
		o := openEvent(e)
		queued := !e.Event.Immediate && e.State != store.EventDeadLetter && e.Event.Repo.ID != 0
		before := first[e.Event.ThreadKey()]
		if queued && before == "" {
			first[e.Event.ThreadKey()] = o.Run
		}
		switch e.State {
		case store.EventWaiting:
			o.Why = "it waits for a worker"
			if queued && before != "" {
				o.Why = "run " + before + " of the same thread comes first"
			}
			if queued {
				waiting++
				o.Position = waiting
			}
		case store.EventSleeping:
			if o.Why = string(e.WaitsFor); e.WaitsFor == "" {
				o.Why = "an attempt failed"
			}
		case store.EventDeadLetter:
			o.Why = "it failed for good; its answer says why"
		}
		out = append(out, o)
	}
	return out
}

// openEvent returns an event as pages list it, without its place in the queue.
func openEvent(e store.EventInfo) web.Open {
	return web.Open{Run: port.RunID(e.Event.Delivery), Delivery: e.Event.Delivery, State: view.State(e.State),
		Event: e.Event, Why: text.OneLine(e.Error), Accepted: e.Accepted, Until: e.Until}
}
