package store

import (
	"github.com/tenon-bot/tenon/bot/port"
)

// A lane has events of one sort, which have workers of their own, so that none of the others delay them. The database
// calls it aside.
type lane int

const (
	// threadLane has the events of the thread queues, each of which waits for the earlier ones of its thread.
	threadLane lane = iota
	// immediateLane has the immediate events.
	immediateLane
	// followingLane has the commits that are followed. They sleep most of the time, and nobody waits for them.
	followingLane

	lanes
)

// laneOf returns the lane of an event.
func laneOf(ev port.Event) lane {
	switch {
	case ev.Kind == port.Following:
		return followingLane
	case ev.Immediate:
		return immediateLane
	}
	return threadLane
}

// news returns what is told to the workers of a lane.
func (l lane) news() news {
	return [lanes]news{newsReady, newsImmediate, newsFollowing}[l]
}

// dueOrder is the order in which the due events of an installation are claimed. What follows commits is found by when
// it is due: far more of these sleep than are due.
func (l lane) dueOrder() string {
	if l == followingLane {
		return "c.not_before, c.seq"
	}
	return "c.seq"
}

// The statements that differ between lanes.
var (
	findsNext        = inLanes(findNext)
	takesTurn        = inLanes(func(l lane) string { return takeTurn(l, oneInstallation) })
	takeTurnOfThread = takeTurn(threadLane, installationOfThread)
)

// inLanes returns a statement for each lane, which is a literal there: the indexes are of one.
func inLanes(statement func(lane) string) (all [lanes]string) {
	for l := range lanes {
		all[l] = statement(l)
	}
	return all
}

// newWakes returns the channels that wake the workers of the lanes.
func newWakes() (wakes [lanes]chan struct{}) {
	for l := range wakes {
		wakes[l] = make(chan struct{}, 1)
	}
	return wakes
}
