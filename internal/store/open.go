package store

import (
	"cmp"
	"context"
	"log/slog"
)

// Open opens the database and creates or upgrades its schema. In a folder it releases the events that a process that
// died had leased; in PostgreSQL, where other processes may be at work, their leases expire. Its errors are sentences
// for the operator: the folder is in use by another process, cannot be written, or contains a database that is damaged,
// another program's, or a newer tenon's; the server cannot be reached, is too old, or grants too little.
func Open(ctx context.Context, opts Options) (*Store, error) {
	s := &Store{
		lease: opts.Lease, log: opts.Log, failed: opts.Failed, limits: opts.Limits, serverTokens: opts.ServerTokens,
		wake: newWakes(), observe: opts.Ended, lookups: make(chan struct{}, maxLookups),
	}
	s.submissions.maxBatch = maxBatch
	s.reports.stop = make(chan struct{})
	s.lease = cmp.Or(max(s.lease, 0), DefaultLease)
	s.follow = cmp.Or(max(opts.Follow, 0), DefaultPatience)
	if s.log == nil {
		s.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if opts.DatabaseURL != "" {
		err = openPostgres(ctx, s, opts)
	} else {
		err = openSQLite(ctx, s, opts)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}
