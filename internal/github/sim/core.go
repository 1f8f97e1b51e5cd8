package sim

import (
	"github.com/tenon-bot/tenon/internal/github/sim/model"
)

// Acts are what people do, and what everybody sees.
type Acts struct {
	people
	Apps
	tokens
	repositories
	branches
	Threads
	talk
	PullRequests
	reviews
	Checks
	actions
	Pages
}

func ActsOf(c *model.Core) Acts {
	return Acts{people{c}, Apps{c}, tokens{c}, repositories{c}, branches{c}, Threads{c}, talk{c}, PullRequests{c},
		reviews{c}, Checks{c}, actions{c}, Pages{c}}
}

// People are the accounts.
type people struct{ *model.Core }

// The App with its installations.
type Apps struct{ *model.Core }

// Tokens of jobs and people, and of installations.
type tokens struct{ *model.Core }

// Repositories, with who may do what in them.
type repositories struct{ *model.Core }

// Branches, and what follows when they move.
type branches struct{ *model.Core }

// Issues and the conversations of pull requests.
type Threads struct{ *model.Core }

// What everybody reads in a conversation.
type talk struct{ *model.Core }

// Pull requests.
type PullRequests struct{ *model.Core }

// Reviews and the threads on lines.
type reviews struct{ *model.Core }

// Check runs, their suites and statuses.
type Checks struct{ *model.Core }

// Workflows of GitHub Actions with their runs and jobs.
type actions struct{ *model.Core }

// The addresses of pages.
type Pages struct{ *model.Core }
