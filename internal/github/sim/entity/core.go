// Package entity is what the simulated GitHub knows: accounts, repositories, issues and pull requests with what is said
// there, checks, workflows, the App and its tokens. Entities know their own limits and rules; who may do what, and what
// follows, is in package sim, and how it is shown on the wire in package simhttp.
package entity

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Core is one GitHub: its state, its clock and its lock, without how it is asked and told.
type Core struct {
	Clock    func() time.Time
	Memory   bool // the repositories are in memory
	Log      *slog.Logger
	Dir      string // of the repositories, unless they are in memory
	Programs GitPrograms
	Ctx      context.Context // ends with Close; git processes and deliveries run under it
	Events   Listener

	Mu         Guard  // guards everything below and all that is reachable from it
	Base       string // what all addresses begin with, such as "http://127.0.0.1:8080"
	State      Records
	App        *App  // the one that was registered last
	Registered int64 // how many Apps were registered by a manifest
}

// Now returns the time in GitHub's precision, whole seconds of UTC.
func (c *Core) Now() time.Time { return c.Clock().UTC().Truncate(time.Second) }

// GitConfigFile returns the path of the only configuration file that git reads.
func (c *Core) GitConfigFile() string { return filepath.Join(c.Dir, ".gitconfig") }

// GitEnv returns git's whole environment, without any settings of the user.
func (c *Core) GitEnv() []string {
	return []string{"PATH=" + os.Getenv("PATH"), "HOME=" + c.Dir, "LC_ALL=C", "TZ=UTC", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CONFIG_GLOBAL=" + c.GitConfigFile(), "GIT_TERMINAL_PROMPT=0"}
}

// GitPrograms are the paths of git and of git http-backend, which git would start as one more process.
type GitPrograms struct{ Git, Backend string }

// Guard is a lock with deferred work: whoever holds it adds to After what has to happen without it, and Unlock
// does that before it returns.
type Guard struct {
	sync.Mutex
	After []func()
}

// Unlock unlocks the guard, and then does what was added to After, in that order.
func (g *Guard) Unlock() {
	after := g.After
	g.After = nil
	g.Mutex.Unlock()
	for _, do := range after {
		do()
	}
}
