// Package store keeps everything that must last: the queue of accepted events and the records of runs.
//
// It is one SQLite database in one folder, which one process holds at a time. What differs between databases is in
// sqlite.go and in the schema; the statements are the same for PostgreSQL, and storetest is the suite that every
// database has to pass.
//
// An event is ready, working, done or parked:
//
//	            Submit                    Complete
//	(nothing) ─────────► ready ─► working ─────────► done
//	                       ▲  Claim  │ │
//	                       └─────────┘ └───────────► parked ──► ready
//	             Retry, GiveBack,           Park        Submit of the same delivery
//	             lease over, restart
//
// Of one thread (an issue or a pull request) at most one event is working, and they are taken in the order in which
// they were accepted; but for events aside, which wait for no other, and no other for them. Whoever works on an event holds a
// lease; each claim has a token of its own, and everything that is written about the event carries it, so that a worker
// that stalled and comes back can write nothing.
//
// Cancel makes what is ready done. What is working, or was, it marks: the handler's context ends, and after that the event is
// handled to tell people of its end, but never again to work on it.
package store
