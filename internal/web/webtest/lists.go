package webtest

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/web"
)

// Lists are lists in memory. Its fields must not change while it is used.
type Lists struct {
	// Runs are those that ended, the oldest first, in which their Seq is their place, from 1.
	Runs []port.Ended
	// Events are those that are not done, More counts others.
	Events []web.Open
	More   int
}

func (l *Lists) fit(f web.Filter) (list []web.Ended) {
	same := func(want, got string) bool { return want == "" || strings.EqualFold(want, got) }
	for i, e := range slices.Backward(l.Runs) {
		seq := int64(i + 1)
		if same(f.Owner, e.Owner) && same(f.Repo, e.Repo) && same(f.Person, e.Person) &&
			(f.Outcome == "" || f.Outcome == e.Outcome) && (f.Before == 0 || seq < f.Before) {
			list = append(list, web.Ended{Ended: e, Seq: seq})
		}
	}
	return list
}

// Ended implements web.Lists.
func (l *Lists) Ended(_ context.Context, f web.Filter, most int) ([]web.Ended, error) {
	list := l.fit(f)
	return list[:min(len(list), most)], nil
}

// Repositories implements web.Lists.
func (l *Lists) Repositories(_ context.Context, f web.Filter, most int) (list []port.RepoRef, err error) {
	for _, e := range l.fit(f) {
		repo := port.RepoRef{Installation: e.Installation, ID: e.Repository, Owner: e.Owner, Name: e.Repo}
		if !slices.ContainsFunc(list, func(r port.RepoRef) bool { return strings.EqualFold(r.String(), repo.String()) }) {
			list = append(list, repo)
		}
	}
	return list[:min(len(list), most)], nil
}

// Each implements web.Lists.
func (l *Lists) Each(_ context.Context, f web.Filter, since time.Time, each func(port.Ended) error) error {
	for _, e := range slices.Backward(l.fit(f)) {
		if e.At.Before(since) {
			continue
		}
		if err := each(e.Ended); err != nil {
			return err
		}
	}
	return nil
}

// Open implements web.Lists.
func (l *Lists) Open(_ context.Context, most int) (list []web.Open, more int, err error) {
	n := min(len(l.Events), most)
	return l.Events[:n], l.More + len(l.Events) - n, nil
}

// Operations are dead letters and installations in memory.
type Operations struct {
	// Events are the dead letters, Installed the installations; Fault is what every change fails with.
	Events    []web.Open
	Installed []web.Installation
	Fault     error

	mu   sync.Mutex
	done []string
}

// DeadLetters implements web.Operations.
func (o *Operations) DeadLetters(_ context.Context, most int) (list []web.Open, more int, err error) {
	n := min(len(o.Events), most)
	return o.Events[:n], len(o.Events) - n, nil
}

// Retry implements web.Operations.
func (o *Operations) Retry(_ context.Context, v web.Visitor, delivery string) error {
	return o.change("retry", v, delivery)
}

// Drop implements web.Operations.
func (o *Operations) Drop(_ context.Context, v web.Visitor, delivery string) error {
	return o.change("drop", v, delivery)
}

func (o *Operations) change(name string, v web.Visitor, delivery string) error {
	if o.Fault != nil {
		return o.Fault
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.done = append(o.done, v.Login+": "+name+" "+delivery)
	return nil
}

// Done returns the changes, each as "ann: drop DELIVERY".
func (o *Operations) Done() []string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.done
}

// Installations implements web.Operations.
func (o *Operations) Installations(_ context.Context, most int) (list []web.Installation, more int, err error) {
	n := min(len(o.Installed), most)
	return o.Installed[:n], len(o.Installed) - n, nil
}
