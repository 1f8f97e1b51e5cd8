package store

import (
	"context"
	"errors"
)

// database is what differs between databases. It is safe for concurrent use.
type database interface {
	// transact runs fn in a transaction. When it returns nil, what fn wrote is on the disk; after an error, nothing of it
	// is. It may run fn more than once, each time in a new transaction after the previous one was rolled back, so that fn
	// must set what it returns to its caller each time.
	transact(ctx context.Context, fn func(tx) error) error
	// claim is transact for claims, which wait for one another. It wraps errBusy if a claim needs an event that another
	// transaction changes for too long.
	claim(ctx context.Context, fn func(tx) error) error
	// skipLocked returns what a SELECT ends with that locks its rows without waiting for those of other transactions.
	skipLocked() string
	// tell tells the other processes that use the database of news, without waiting for that.
	tell(n news)
	// explain adds to an error of the database what a person can do about it.
	explain(err error) error
	// Close closes the database.
	Close() error
}

// errBusy is the error of a claim that needs an event that another transaction is changing. That one may wait for an
// event that the claim has.
var errBusy = errors.New("an event is being changed")
