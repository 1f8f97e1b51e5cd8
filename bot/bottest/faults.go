package bottest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// Call is a call of a port's method.
type Call struct {
	// Op is the name of the method, as "Post" or "Record"; of a checkout "Load" and "Commit".
	Op string
	// Text is what tells calls of one method apart: the body of a comment, the name of a step, of a branch, of a login.
	Text string
	// Write reports whether the call changes something outside of the process.
	Write bool
}

func (c Call) String() string {
	line, _, _ := strings.Cut(c.Text, "\n")
	return fmt.Sprintf("%s(%.60s)", c.Op, line)
}

// isGitHubs reports whether a call is one of GitHub or of git, and not of the queue, the budgets or the model.
func (c Call) isGitHubs() bool {
	return !slices.Contains([]string{"Acknowledged", "Autofix", "Await", "Cancel", "Charge", "Complete", "CountReply",
		"FindRun", "Follow", "Past", "Queued", "Record", "Reserve", "Start", "Stopped", "Usage"}, c.Op)
}

// ErrKilled is what the ports return to an attempt whose process was killed.
var ErrKilled = errors.New("the process was killed")

// Retryable returns the error of an outage of GitHub, which asks for another attempt after a time.
func Retryable(after time.Duration) error {
	return &port.WaitError{For: port.GitHubOutage, After: after, Err: errors.New("GitHub answered 503: try again later")}
}

// Permanent returns an error that no further attempt heals.
func Permanent(text string) error { return &permanentError{text} }

// Moment is a point in a story at which something happens: the nth call of an operation, before or after its effect.
type Moment struct {
	f     *faults
	op    string
	after bool
	text  string
	left  int  // calls until it happens
	times int  // how often it happens from then on, if that is more than once
	every bool // it happens again and again
	what  string
	do    func() error
	done  bool
}

// Of narrows a moment to the calls whose Text contains a text.
func (m *Moment) Of(text string) *Moment {
	m.text = text
	return m
}

// Nth makes it the nth of the calls from now on; the first is the default.
func (m *Moment) Nth(n int) *Moment {
	m.left = n
	return m
}

// Times makes it so many calls from then on.
func (m *Moment) Times(n int) *Moment {
	m.times = n
	return m
}

// Every makes it all calls from now on.
func (m *Moment) Every() *Moment {
	m.every = true
	return m
}

// Kill kills the process that makes the call: what was done until then remains, and nothing more is done.
func (m *Moment) Kill() {
	m.plant("be killed", func() error {
		m.f.kill()
		return ErrKilled
	})
}

// Fail has the call return an error. After the effect, it is the answer that is lost.
func (m *Moment) Fail(err error) { m.plant("fail", func() error { return err }) }

// Do has something happen meanwhile.
func (m *Moment) Do(f func()) {
	m.plant("do something", func() error {
		f()
		return nil
	})
}

func (m *Moment) plant(what string, do func() error) {
	m.what, m.do = what, do
	m.f.mu.Lock()
	defer m.f.mu.Unlock()
	m.f.moments = append(m.f.moments, m)
}

func (m *Moment) String() string {
	return fmt.Sprintf("%s %s(%s) should %s", map[bool]string{false: "before", true: "after"}[m.after], m.op, m.text,
		m.what)
}

// faults logs all calls of the ports, and makes happen what was planted. Safe for concurrent use.
type faults struct {
	killed atomic.Bool

	mu      sync.Mutex
	moments []*Moment
	calls   []Call
	count   int // of the writes that took effect, for killAt
	killAt  int

	clock    *Clock
	outageAt int // like killAt
	outage   time.Duration
	away     time.Time // until when GitHub is away
}

// kill lets all further calls fail until revive.
func (f *faults) kill() { f.killed.Store(true) }

// revive starts a new process, and reports whether the last one was killed.
func (f *faults) revive() (killed bool) { return f.killed.Swap(false) }

// dead reports whether the process was killed.
func (f *faults) dead() bool { return f.killed.Load() }

// pending returns the moments that did not come.
func (f *faults) pending() (list []*Moment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.moments {
		if !m.done {
			list = append(list, m)
		}
	}
	return list
}

// log returns the calls so far of an operation, or all with an empty one.
func (f *faults) log(op string) []Call {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(f.calls), func(c Call) bool { return op != "" && c.Op != op })
}

// begin is the point before a call's effect.
func (f *faults) begin(ctx context.Context, c Call) error {
	if f == nil {
		return ctx.Err()
	}
	f.note(c)
	f.mu.Lock()
	away := c.isGitHubs() && f.clock != nil && f.clock.Now().Before(f.away)
	f.mu.Unlock()
	if away {
		return fmt.Errorf("%s: %w", c.Op, Retryable(0))
	}
	if err := f.reach(c, false); err != nil {
		return err
	}
	return ctx.Err()
}

// note logs a call.
func (f *faults) note(c Call) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, c)
}

// end is the point after it.
func (f *faults) end(c Call) error {
	if f == nil {
		return nil
	}
	return f.reach(c, true)
}

func (f *faults) reach(c Call, after bool) error {
	do, err := f.planted(c, after)
	if err != nil {
		return err
	}
	for _, m := range do {
		if err := m.do(); err != nil {
			return fmt.Errorf("%s: %w", c.Op, err)
		}
	}
	if f.dead() {
		return ErrKilled
	}
	return nil
}

// planted returns what is to happen at a point.
func (f *faults) planted(c Call, after bool) (do []*Moment, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.dead() {
		return nil, ErrKilled
	}
	if c.Write && after { // which is before the next one, too
		if f.count++; f.count == f.killAt {
			f.kill()
			return nil, ErrKilled
		}
		if f.count == f.outageAt {
			f.away = f.clock.Now().Add(f.outage)
			if c.isGitHubs() {
				return nil, fmt.Errorf("%s: %w", c.Op, Retryable(0))
			}
		}
	}
	for _, m := range f.moments {
		if m.op != c.Op || m.after != after || !strings.Contains(c.Text, m.text) || m.done && !m.every {
			continue
		}
		if m.left--; m.left <= 0 {
			m.times--
			m.done = m.times <= 0
			do = append(do, m)
		}
	}
	return do, nil
}

// checkReached fails a test in which a planted moment never came: its story is another than it seems.
func (f *faults) checkReached(t testing.TB) {
	for _, m := range f.pending() {
		t.Errorf("it was never reached: %s", m)
	}
}

// do makes a call with an effect.
func do[T any](ctx context.Context, f *faults, c Call, effect func() (T, error)) (out T, err error) {
	var none T
	if err := f.begin(ctx, c); err != nil {
		return none, err
	}
	if out, err = effect(); err != nil {
		return out, err
	}
	if err := f.end(c); err != nil {
		return none, err
	}
	return out, nil
}
