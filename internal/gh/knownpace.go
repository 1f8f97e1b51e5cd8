package gh

import (
	"context"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// knownFor is for how long an installation counts as not blocked after it was known not to be. Until then, a pause that
// GitHub asked another process for may be missed; GitHub refuses the request then, and says again how long to wait.
const knownFor = time.Second

// knownPace is a port.Pace that does not ask another one before each read whether an installation is blocked. A block
// by this process counts as soon as Block has returned. Safe for concurrent use.
type knownPace struct {
	port.Pace
	now func() time.Time // with a monotonic reading

	mu        sync.Mutex
	unblocked map[int64]time.Time // by installation: when it was known last not to be blocked
	blocks    int                 // calls of Block so far
}

func newKnownPace(pace port.Pace, now func() time.Time) *knownPace {
	return &knownPace{Pace: pace, now: now, unblocked: map[int64]time.Time{}}
}

// Blocked returns for how long nothing may be sent; 0 or less if there is no such time, or was none just now.
func (p *knownPace) Blocked(ctx context.Context, installation int64) (time.Duration, error) {
	asked := p.now()
	known, blocks := p.look(installation, asked)
	if known {
		return 0, nil
	}
	d, err := p.Pace.Blocked(ctx, installation)
	if err == nil && d <= 0 {
		p.remember(installation, asked, blocks)
	}
	return d, err
}

// Block lets nothing be sent for a time.
func (p *knownPace) Block(ctx context.Context, installation int64, d time.Duration) error {
	err := p.Pace.Block(ctx, installation, d)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.blocks++
	delete(p.unblocked, installation)
	return err
}

// look reports whether an installation is known not to be blocked, and returns how many calls of Block there were.
func (p *knownPace) look(installation int64, now time.Time) (known bool, blocks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at, found := p.unblocked[installation]
	age := now.Sub(at)
	return found && 0 <= age && age < knownFor, p.blocks
}

// remember records that an installation was not blocked at a moment, unless there was a call of Block since.
func (p *knownPace) remember(installation int64, at time.Time, blocks int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blocks == blocks {
		p.unblocked[installation] = at
	}
}
