// Package form renders what GitHub knows in the JSON shapes of its REST API and of its webhooks' payloads. The comments
// of functions quote the names of the shapes in GitHub's description of the API.
package form

import (
	"github.com/tenon-bot/tenon/internal/github/sim"
	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Forms are all shapes but those of a repository's code. The caller of their methods holds the lock of the Core.
type Forms struct {
	Accounts
	Threads
	Checks
}

// New returns the shapes of what a Core knows.
func New(core *entity.Core) Forms {
	accounts := Accounts{core, sim.Pages{Core: core}, cache{}}
	return Forms{accounts, Threads{accounts}, Checks{accounts}}
}

// Accounts are the shapes of accounts, repositories, labels and the App.
type Accounts struct {
	*entity.Core
	sim.Pages
	cache cache // guarded by Core.Mu
}

// Threads are the shapes of issues, pull requests and what is said there.
type Threads struct{ Accounts }

// Checks are the shapes of check runs, statuses and GitHub Actions.
type Checks struct{ Accounts }

// Code are the shapes of the commits, refs and files of one repository.
type Code struct {
	Accounts
	repo *entity.Repository
}

// Code returns the shapes of a repository's code.
func (s Accounts) Code(r *entity.Repository) Code { return Code{s, r} }
