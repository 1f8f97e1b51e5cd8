// Package sim is the rules and acts of a simulated GitHub: what people and continuous integration do there, what
// follows from it, and what everybody can read of it. What it knows is in package entity; programs reach it through the
// door of package simhttp.
//
// Methods that take names act as whom they name, or as an admin: they take the lock, and check what the user may do.
// Those that return an id or a number do so after the responses to the deliveries that they cause. Methods that take
// entities are the steps of which such acts and the door's requests consist: the caller holds the lock and has checked
// the permissions.
package sim

import "github.com/tenon-bot/tenon/internal/github/sim/entity"

// Acts are what people do on a GitHub, and what everybody sees there.
type Acts struct {
	people
	Apps
	tokens
	repositories
	branches
	Threads
	conversations
	PullRequests
	reviewLines
	reviews
	suites
	Checks
	actions
	Pages
}

// ActsOf returns the acts on a GitHub.
func ActsOf(c *entity.Core) Acts {
	return Acts{people{c}, Apps{c}, tokens{c}, repositories{c}, branches{c}, Threads{c}, conversations{c}, PullRequests{c},
		reviewLines{c}, reviews{c}, suites{c}, Checks{c}, actions{c}, Pages{c}}
}
