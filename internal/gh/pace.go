package gh

import (
	"context"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// memoryPace is what NewMemoryPace returns.
type memoryPace struct {
	now func() time.Time

	mu   sync.Mutex
	logs map[int64]*paceLog // by installation
}

type paceLog struct {
	blockedUntil time.Time
	writes       []port.ContentWrite
}

// NewMemoryPace returns a port.Pace for one process, which forgets everything when it ends.
func NewMemoryPace(now func() time.Time) port.Pace {
	return &memoryPace{now: now, logs: map[int64]*paceLog{}}
}

// log returns the log of an installation. The caller holds the lock.
func (p *memoryPace) log(installation int64) *paceLog {
	l := p.logs[installation]
	if l == nil {
		l = &paceLog{}
		p.logs[installation] = l
	}
	return l
}

// Write logs a write, unless wait returns more than 0.
func (p *memoryPace) Write(_ context.Context, installation int64, kind port.WriteKind,
	wait func(port.PaceState) time.Duration) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	l, now := p.log(installation), p.now()
	for len(l.writes) > 0 && now.Sub(l.writes[0].At) > port.PaceMemory {
		l.writes = l.writes[1:]
	}
	d := wait(port.PaceState{Now: now, Blocked: l.blockedUntil.Sub(now), Writes: l.writes})
	if d <= 0 {
		l.writes = append(l.writes, port.ContentWrite{At: now, Kind: kind})
	}
	return d, nil
}

// Block lets nothing be sent for a time.
func (p *memoryPace) Block(_ context.Context, installation int64, d time.Duration) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.log(installation)
	if until := p.now().Add(d); until.After(l.blockedUntil) {
		l.blockedUntil = until
	}
	return nil
}

// Blocked returns for how long nothing may be sent.
func (p *memoryPace) Blocked(_ context.Context, installation int64) (time.Duration, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.log(installation).blockedUntil.Sub(p.now()), nil
}
