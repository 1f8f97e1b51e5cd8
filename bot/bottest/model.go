package bottest

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
)

// ModelName is the name of the model of a world.
const ModelName = "model-1"

// Model is a language model that follows a script: it gives its turns in order, and then the last one again and again.
// The same question again gets the same answer. It implements port.Model. Safe for concurrent use.
type Model struct {
	faults *faults

	mu    sync.Mutex
	turns []*turn
	next  int
	asked []port.Request
	gave  []*turn // of each request
	usage port.Usage
}

var _ port.Model = (*Model)(nil)

// turn is what the model does when it is asked.
type turn struct {
	text string
	cut  bool
	// broke means that the answer lacks the model's end. retryAt is when its rest may be asked for if an outage broke it
	// off; else zero.
	broke   bool
	retryAt time.Time
	err     error
	while   func()
	// broken is how many attempts break off before the last one.
	broken int
}

// NewModel returns a model without a script.
func NewModel() *Model { return &Model{usage: port.Usage{In: 1200, Out: 345}} }

// Says adds answers to the script.
func (m *Model) Says(texts ...string) {
	for _, text := range texts {
		m.add(turn{text: text})
	}
}

// IsCut adds an answer that ends at the model's limit.
func (m *Model) IsCut(text string) { m.add(turn{text: text, cut: true}) }

// Breaks adds an answer that an outage breaks off; its rest may be asked for at a time. The provider does not say what
// it took.
func (m *Model) Breaks(text string, retryAt time.Time) {
	m.add(turn{text: text, cut: true, broke: true, retryAt: retryAt})
}

// JustEnds adds an answer without the model's end.
func (m *Model) JustEnds(text string) { m.add(turn{text: text, cut: true, broke: true}) }

// Fails adds a question that the model does not answer.
func (m *Model) Fails(err error) { m.add(turn{err: err}) }

// BreaksOff has attempts break off, at an unknown cost, before the last answer of the script is given.
func (m *Model) BreaksOff(attempts int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns[len(m.turns)-1].broken = attempts
}

func (m *Model) add(t turn) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns = append(m.turns, &t)
}

// Forget drops the script.
func (m *Model) Forget() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns, m.next = nil, 0
}

// While has something happen while the model writes the last answer of the script.
func (m *Model) While(f func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.turns[len(m.turns)-1].while = f
}

// Use sets the tokens that each answer takes.
func (m *Model) Use(u port.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.usage = u
}

// Requests are the questions so far.
func (m *Model) Requests() []port.Request {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append([]port.Request(nil), m.asked...)
}

// Questions are the newest messages of the requests.
func (m *Model) Questions() (list []string) {
	for _, r := range m.Requests() {
		list = append(list, r.Messages[len(r.Messages)-1].Text)
	}
	return list
}

// LastQuestion is the newest of Questions.
func (m *Model) LastQuestion() string {
	all := m.Questions()
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// piece is how many bytes the model streams at a time.
const piece = 40

// Complete gives the next answer of the script, in pieces.
func (m *Model) Complete(ctx context.Context, r port.Request, onText func(string)) (port.Answer, error) {
	return do(ctx, m.faults, Call{Op: "Complete", Text: r.Messages[len(r.Messages)-1].Text, Write: true},
		func() (port.Answer, error) {
			meter := port.MeterOf(ctx)
			if err := meter.Begin(ctx); err != nil {
				return port.Answer{}, err
			}
			next, usage := m.turn(r)
			for range next.broken {
				meter.End(ctx, cmp.Or(r.Model, ModelName), nil)
				if err := meter.Begin(ctx); err != nil {
					return port.Answer{}, err
				}
			}
			answer, err := next.answer(ctx, r.Model, onText)
			if err != nil {
				meter.End(ctx, cmp.Or(r.Model, ModelName), nil)
				return port.Answer{}, err
			}
			if answer.Outage() {
				took := port.Usage{In: int(r.Tokens()), Out: len(next.text) / port.BytesPerToken}
				meter.End(ctx, answer.Name, &took)
				return answer, nil
			}
			answer.Usage = usage
			meter.End(ctx, answer.Name, &usage)
			return answer, nil
		})
}

// answer does what the script says, and passes the text on in pieces.
func (t turn) answer(ctx context.Context, model string, onText func(string)) (port.Answer, error) {
	if t.while != nil {
		t.while()
	}
	if t.err != nil {
		return port.Answer{}, t.err
	}
	for text := t.text; text != "" && onText != nil && ctx.Err() == nil; {
		n := min(piece, len(text))
		onText(text[:n])
		text = text[n:]
	}
	if ctx.Err() != nil {
		return port.Answer{}, context.Cause(ctx)
	}
	name := cmp.Or(model, ModelName)
	return port.Answer{Text: t.text, Model: name, Name: name, Cut: t.cut,
		Broken: t.broke, RetryAt: t.retryAt}, nil
}

// turn returns what to do for a request.
func (m *Model) turn(r port.Request) (turn, port.Usage) {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := &turn{text: "There is nothing in the script."}
	if before := m.given(r); before != nil {
		now = before
	} else if len(m.turns) > 0 {
		now = m.turns[min(m.next, len(m.turns)-1)]
		m.next++
	}
	m.asked, m.gave = append(m.asked, r), append(m.gave, now)
	once := *now
	now.while, now.broken = nil, 0
	return once, m.usage
}

// given returns what the same question got before; nil for a new one, and for one that got no whole answer.
func (m *Model) given(r port.Request) *turn {
	for i, before := range m.asked {
		if before.Model == r.Model && slices.Equal(before.Messages, r.Messages) && m.gave[i].err == nil &&
			m.gave[i].retryAt.IsZero() {
			return m.gave[i]
		}
	}
	return nil
}
