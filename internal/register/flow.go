package register

import (
	"crypto/sha256"
	"slices"
	"time"

	"github.com/tenon-bot/tenon/internal/config"
)

const (
	// flowLife is how long GitHub lets the way through its manifest flow take.
	flowLife = time.Hour
	// maxFlows is how many may be open at a time; the oldest are forgotten.
	maxFlows = 64
	// maxConversions is how often GitHub is asked about codes between two links.
	maxConversions = 30
)

// flow is one way through GitHub's manifest flow.
type flow struct {
	site  config.Site
	hook  string
	begun time.Time
	// app is set when GitHub has handed it out, which it does once.
	app *App
}

// flows are the open flows by the hashes of their states, so that the time of a search tells nothing. They are not safe
// for concurrent use.
type flows map[[sha256.Size]byte]*flow

// begin keeps a flow and returns its state.
func (fs flows) begin(f *flow) (state string) {
	fs.expire(f.begun)
	if len(fs) >= maxFlows {
		fs.dropOldest()
	}
	state = newToken()
	fs[sha256.Sum256([]byte(state))] = f
	return state
}

// find returns the flow with a state, nil if there is none.
func (fs flows) find(state string, now time.Time) *flow {
	fs.expire(now)
	return fs[sha256.Sum256([]byte(state))]
}

// end forgets a flow.
func (fs flows) end(ended *flow) {
	for sum, f := range fs {
		if f == ended {
			delete(fs, sum)
		}
	}
}

// expire forgets flows that GitHub does not know any more. An App that could not be stored is kept.
func (fs flows) expire(now time.Time) {
	for sum, f := range fs {
		if f.app == nil && now.Sub(f.begun) >= flowLife {
			delete(fs, sum)
		}
	}
}

func (fs flows) dropOldest() {
	var all []*flow
	for _, f := range fs {
		if f.app == nil {
			all = append(all, f)
		}
	}
	if len(all) == 0 {
		return
	}
	fs.end(slices.MinFunc(all, func(a, b *flow) int { return a.begun.Compare(b.begun) }))
}
