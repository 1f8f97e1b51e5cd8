package main

import (
	"context"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/history"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/view"
	"github.com/tenon-bot/tenon/internal/gh/links"
	"github.com/tenon-bot/tenon/internal/store"
)

// pageRuns reads runs for their pages: from the store, and what is live of those of this process.
type pageRuns struct {
	store *store.Store
	live  func(run string) view.Live
	// slug returns the App's name as far as it is known.
	slug func() string
	// models are those whose prices are known.
	models []port.ModelInfo
}

// Run implements web.Runs.
func (p pageRuns) Run(ctx context.Context, id string, hidden bool) (view.Run, error) {
	live := p.live(id) // before the record: what is recorded meanwhile is in both, not in neither
	info, err := p.store.Lookup(ctx, id)
	if err != nil {
		return view.Run{}, err
	}
	s := view.Source{
		Event: info.Event, Links: links.Of(info.Event.Thread), State: stateOf(info), WaitsFor: info.WaitsFor,
		Live: live, Steps: stepsOf(info.At), Price: p.price,
	}
	if s.Record, err = record.Load(info.Run); err != nil { // another version of the program recorded it
		s.Record, s.Unreadable = record.Header(info.Run), true
	}
	if s.State == view.Ended || s.State == view.DeadLetter {
		s.Ended = info.Ended
	}
	if inv, ok := command.FromEvent(s.Event, p.slug(), s.Event.Label); ok {
		s.Verb = inv.Command.Verb
	}
	if info.State != "" && !s.Unreadable {
		run := history.Run{Record: s.Record, Event: s.Event}
		if s.Acts, s.Left, err = actsNow(ctx, p.store, p.slug(), s.State, run); err != nil {
			return view.Run{}, err
		}
	}
	r := view.Build(s)
	if hidden {
		r = r.Without()
	}
	return r, nil
}

// Repository implements web.Runs.
func (p pageRuns) Repository(ctx context.Context, id string) (port.RepoRef, error) {
	ev, err := p.store.EventOf(ctx, id)
	return ev.Repo, err
}

// price returns the price of a model, zero if it is not known.
func (p pageRuns) price(model string) port.Price {
	i := slices.IndexFunc(p.models, func(m port.ModelInfo) bool { return m.Name == model })
	if i < 0 {
		return port.Price{}
	}
	return p.models[i].Price
}

// stateOf returns where a run is.
func stateOf(info store.RunInfo) view.State {
	switch info.State {
	case store.EventRunning:
		return view.Running
	case store.EventWaiting:
		return view.Waiting
	case store.EventSleeping:
		return view.Sleeping
	case store.EventDeadLetter:
		return view.DeadLetter
	}
	return view.Ended
}

// stepsOf returns the steps that were recorded, in order.
func stepsOf(at map[string]time.Time) (steps []view.Step) {
	for name, t := range at {
		steps = append(steps, view.Step{Name: name, At: t})
	}
	slices.SortFunc(steps, func(a, b view.Step) int { return a.At.Compare(b.At) })
	return steps
}
