// Package port declares what the bot needs of the world: the events that it handles, and interfaces for GitHub,
// repositories, models, the queue, the records of runs and budgets. Adapters implement the interfaces. The package also
// has what both sides must do alike: the keys of threads, runs and deliveries, prices, permissions, the texts of
// errors, and what a context carries: the lease, the meter, the observer and the slot of a run.
//
// An error that a later attempt may not meet says so by RetryAfter() time.Duration, and one that every attempt would
// meet by Permanent() bool.
package port
