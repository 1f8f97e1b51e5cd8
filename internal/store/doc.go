// Package store is the durable part of tenon: the queue of accepted events, the records of runs and the budgets.
//
// It is an SQLite database in one folder, used by one process at a time, or a PostgreSQL database, used by any number
// of them. What differs is behind the interface database, in sqlite.go and postgres*.go; the statements and migrations
// are the same, and both have to pass the stories of story_*_test.go.
//
// An event is ready, leased, done or a dead letter:
//
//	            Submit                   Complete
//	(nothing) ─────────► ready ─► leased ─────────► done
//	                       ▲  Claim  │ │
//	                       └─────────┘ └──────────► dead letter ──► ready
//	           Retry, Release, lease    DeadLetter       Submit of the same delivery
//	           expired, restart
//
// The events of one thread (an issue or a pull request) form a queue: at most one of them is leased, and they are
// claimed in the order in which they were accepted. Immediate events (port.Event.Immediate) are outside of that queue:
// they wait for no other event, and no other waits for them. Each claim has a lease with a token of its own. Every
// write about the event carries the token, so that a worker that stalled and resumes after its lease expired can write
// nothing. A process claims no event whose handler still runs in it, and the handler's port.Guard confirms the lease
// before each write to the outside.
//
// Events that follow a commit (port.Following) are apart too, and have workers of their own. They and the runs that
// await a workflow sleep until CI reports about a commit: Reported makes them due, or notes that it happened while they
// were leased, or for what begins to follow the commit within an hour. As long as a commit is followed, a report makes
// its event ready again after it was done.
//
// Cancel completes the events that are ready. It marks those that are leased, or were: the handler's context ends, and
// the event is handled once more to report its end, but no more work is done for it.
//
// The database calls a leased event 'working', a dead letter 'parked', a lane aside and a reservation a booking. These
// words do not change: on PostgreSQL, processes of the previous version may run beside those of this one during an
// upgrade. With another word for a leased event, they would lease a second one of its thread.
package store
