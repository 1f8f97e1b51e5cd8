// Package contract is what the queue and the repositories of the bot have to do, as stories: the world of package
// bottest plays them in its own tests, and each adapter in those of the adapter.
package contract

import "testing"

// Queue plays the contracts of port.Runs, port.ThreadQueue and port.Budget.
func Queue(t *testing.T, open func(t *testing.T) QueueStage) {
	run(t, open, queueStories)
	run(t, open, sleepStories)
	run(t, open, runStories)
	run(t, open, listStories)
	run(t, open, cancelStories)
	run(t, open, budgetStories)
}

// Watches plays the contract of port.Watches.
func Watches(t *testing.T, open func(t *testing.T) WatchStage) {
	run(t, open, watchStories)
}

// Repos plays the contract of repo.Repos, repo.Checkout and repo.Staged.
func Repos(t *testing.T, open func(t *testing.T) ReposStage) {
	run(t, open, openStories)
	run(t, open, sourceStories)
	run(t, open, stagedStories)
	run(t, open, pushStories)
	run(t, open, acrossStories)
}
