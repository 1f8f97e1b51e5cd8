// Package web serves the pages on which people see runs: one run, live or past, lists of them, and what operators need.
// It renders values of package view and of its ports; it asks neither GitHub nor the database itself.
package web

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/view"
)

// Visitor is who looks at a page.
type Visitor struct {
	// ID and Login are those of GitHub.
	ID    int64
	Login string
	// Operator may see every run, and what only operators see.
	Operator bool
	// Local is whoever runs the program on their own machine, and has no account there.
	Local bool
}

// Visitors knows who sends a request. Safe for concurrent use.
type Visitors interface {
	// Visitor returns who sends a request; ok is false for somebody who is not signed in. It may set cookies.
	Visitor(w http.ResponseWriter, r *http.Request) (v Visitor, ok bool)
	// SignIn sends the browser to sign in, and back to the path of the request.
	SignIn(w http.ResponseWriter, r *http.Request)
	// FormToken returns what a form of the visitor must carry in the field "csrf_token".
	FormToken(r *http.Request) string
	// Handler serves the paths below /auth/, and refuses with 403 each POST without its token in next.
	Handler(next http.Handler) http.Handler
	// MayRead reports whether GitHub lets the visitor of a request read a repository, as it said within the last minute.
	// An error means that GitHub did not say.
	MayRead(r *http.Request, repo port.RepoRef) (bool, error)
}

// Runs reads runs. Safe for concurrent use.
type Runs interface {
	// Run returns a run; without sources of the repository if hidden. port.ErrNotFound if there is none.
	Run(ctx context.Context, id string, hidden bool) (view.Run, error)
	// Repository returns the repository of a run. port.ErrNotFound if there is no such run.
	Repository(ctx context.Context, id string) (port.RepoRef, error)
}

// Live follows runs. Safe for concurrent use.
type Live interface {
	// Watch returns when something has happened in a run since the moment after, 0 for the first call, and the moment to
	// give to the next call: at once if something has already. It returns the error of ctx when that ends.
	Watch(ctx context.Context, run string, after uint64) (now uint64, err error)
}

// Acts carries out what visitors ask for. Safe for concurrent use.
type Acts interface {
	// Act submits a command about a run in the name of a visitor, to the same queue and with the same checks as a comment.
	// blocks are the numbers of the blocks to apply. It returns the id of the run that carries it out. port.ErrNotFound if
	// there is no such run; a *port.UserError, whose text is for the visitor, if nothing can be submitted.
	Act(ctx context.Context, v Visitor, run string, act view.Act, blocks []int) (id string, err error)
}

// Filter selects runs. An empty field selects all.
type Filter struct {
	Owner, Repo, Person string
	Outcome             port.EndOutcome
	// Before is where the page before ended, 0 for the newest runs.
	Before int64
}

// Ended is a run in a list of those that have ended.
type Ended struct {
	port.Ended
	// Seq is its place among all, for Filter.Before.
	Seq int64
}

// Open is an event that is not done.
type Open struct {
	Run, Delivery string
	State         view.State
	Event         port.Event
	// Position is its place in the queue, from 1, of one that waits for a worker or for its thread; else 0.
	Position int
	// Why says in a clause what it waits for, or why the last attempt failed.
	Why      string
	Accepted time.Time
	// Until is when one that sleeps is tried again; zero if it does not sleep.
	Until time.Time
}

// Lists reads lists of runs. Safe for concurrent use.
type Lists interface {
	// Ended returns the runs that fit, newest first, at most most.
	Ended(ctx context.Context, f Filter, most int) ([]Ended, error)
	// Repositories returns the repositories of the runs that fit, as the newest of these names each, those with the newest
	// runs first, at most most.
	Repositories(ctx context.Context, f Filter, most int) ([]port.RepoRef, error)
	// Open returns the events that are not done, at most most; more counts those beside them.
	Open(ctx context.Context, most int) (list []Open, more int, err error)
	// Each calls each with the runs that ended since a time and fit, in the order of their ends, until it returns an
	// error.
	Each(ctx context.Context, f Filter, since time.Time, each func(port.Ended) error) error
}

// Operations are what operators see and do. Safe for concurrent use.
type Operations interface {
	// DeadLetters returns the dead letters, the newest first, at most most; more counts those beside them.
	DeadLetters(ctx context.Context, most int) (list []Open, more int, err error)
	// Retry makes a dead letter ready again, and Drop ends it for good. Both note who did it. A *port.UserError says why
	// that cannot be; port.ErrNotFound if there is no such event.
	Retry(ctx context.Context, v Visitor, delivery string) error
	Drop(ctx context.Context, v Visitor, delivery string) error
	// Installations returns where the App is installed, those with a problem first, at most most; more counts those beside
	// them. A *port.UserError says why GitHub does not tell.
	Installations(ctx context.Context, most int) (list []Installation, more int, err error)
}

// Installation is an account that has installed the App, and whether it works there.
type Installation struct {
	ID      int64
	Account string
	// Organization is false for a person's account.
	Organization bool
	Since        time.Time
	// Served is false if the settings leave out the account, Suspended true if GitHub delivers nothing from there.
	Served, Suspended bool
	// Problem says what is wrong, Remedy what to do about it, and Link where; empty if nothing is. Broken means that
	// nothing works there.
	Problem, Remedy, Link string
	Broken                bool
	// Writes counts the writes to GitHub of the last hour, of which GitHub allows MostWrites.
	Writes, MostWrites int
	// Requests are the requests that GitHub accepts until Reset, of Limit in an hour; Limit is 0 if that is not known.
	Requests, Limit int
	Reset           time.Time
	// Blocked is until when GitHub asks that nothing is sent; zero if it does not ask that.
	Blocked time.Time
}

// Options are what the pages are made from. All are required, except where it is said.
type Options struct {
	Visitors Visitors
	Runs     Runs
	Live     Live
	// Acts is nil if nothing can be done from the page.
	Acts Acts
	// Lists is nil if there are no lists but only pages of runs.
	Lists Lists
	// Operations is nil if there are no pages for operators; it requires Lists.
	Operations Operations
	// Now is the clock.
	Now func() time.Time
	// Colours is the work that the colours of the diffs of a page may take, in units; 0 is 15 ms of it. What comes after
	// that has none.
	Colours int
	// Log is told what the pages could not do.
	Log *slog.Logger
}
