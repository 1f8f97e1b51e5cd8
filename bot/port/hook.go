package port

import "time"

// Attempt is one attempt of GitHub to deliver an event to the App's webhook.
type Attempt struct {
	ID int64
	// Delivery is the GUID of the delivery, the same for all its attempts.
	Delivery string
	// Event and Action are GitHub's names, such as "issue_comment" and "created".
	Event, Action string
	// Repository is the id of the repository that it is about; 0 if it is about none.
	Repository int64
	// At is when it began, by GitHub's clock.
	At time.Time
	// Status is the status code of the response; 0, or one of GitHub's own, if there was none.
	Status int
	// Outcome is what GitHub says of it, such as "OK" or "timed out".
	Outcome string
}

// Succeeded reports whether the delivery reached the App, which had nothing against it.
func (a Attempt) Succeeded() bool { return a.Status >= 200 && a.Status < 300 }

// Missing is a delivery that the queue does not have.
type Missing struct {
	Delivery string
	// Asked is whether GitHub was asked to send it again: for the first time First ago, for the last time Last ago.
	Asked       bool
	First, Last time.Duration
}

// Sweep is a search for deliveries that the queue does not have. One process at a time does it.
type Sweep struct {
	// Token is the lease of the process that does it.
	Token string
	// Seen is the time of the newest attempt that the last complete sweep saw, by GitHub's clock; zero if there was none.
	Seen time.Time
}
