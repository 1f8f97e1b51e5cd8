// Package redeliver asks GitHub to send again what never arrived: GitHub itself does not repeat a delivery that failed.
//
// A sweep lists the attempts of the last three days at the start of the process, and later those since the last sweep
// (list.go). It asks for the deliveries that the App needs, that no attempt brought to it and that are not in the queue
// (ask.go). There is a sweep soon after the process refused something itself, with growing gaps while something is
// missing, and hourly otherwise (sweeper.go). One process at a time does it; the queue keeps its lease and what was
// asked for, and accepts each delivery once, so that one that is asked for too often does no harm.
package redeliver
