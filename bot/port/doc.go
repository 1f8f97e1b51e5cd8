// Package port declares what the bot needs of the world: the events that it handles, and interfaces for GitHub,
// repositories, models, the queue, the records of runs and budgets. Adapters implement the interfaces; this package has
// no behaviour of its own.
//
// An error that a later attempt may not meet says so by RetryAfter() time.Duration, and one that every attempt would
// meet by Permanent() bool.
package port
