package store

import "github.com/tenon-bot/tenon/bot/port"

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

// newWakes returns the channels that wake the workers of the lanes.
func newWakes() (wakes [lanes]chan struct{}) {
	for l := range wakes {
		wakes[l] = make(chan struct{}, 1)
	}
	return wakes
}
