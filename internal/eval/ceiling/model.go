package ceiling

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/port/repo"
	"github.com/tenon-bot/tenon/internal/eval"
)

// model knows the fix of a pair, and uses nothing else than what it is shown: it edits lines that the prompt has, asks
// for files whose paths it has, and searches for words that it has. Safe for concurrent use.
type model struct {
	names    []string // in order
	patches  map[string]patch
	checkout repo.Checkout

	mu sync.Mutex
	// last is what the last request showed, and tokens how long it was; rounds counts the replies that ask for more.
	last           *shown
	rounds, tokens int
}

var _ port.Model = (*model)(nil)

func newModel(names []string, before, after [][]byte, checkout repo.Checkout) *model {
	m := &model{names: names, patches: map[string]patch{}, checkout: checkout}
	for i, name := range names {
		m.patches[name] = newPatch(name, before[i], after[i])
	}
	return m
}

// Complete implements port.Model.
func (m *model) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.last, m.tokens = readMessages(req.Messages), int(req.Tokens())
	text, err := m.reply(ctx)
	if err != nil {
		return port.Answer{}, err
	}
	if onText != nil {
		onText(text)
	}
	return port.Answer{Text: text, Model: "oracle", Name: req.Model}, nil
}

func (m *model) reply(ctx context.Context) (string, error) {
	if len(m.last.refusals) > 0 {
		return "NO CHANGE: the blocks were right.", nil // and why they were refused is what is to be found out
	}
	if asks, err := m.asks(ctx); err != nil || len(asks) > 0 {
		m.rounds++
		return strings.Join(asks, "\n"), err
	}
	var edits []string
	for _, name := range m.names {
		if m.last.readOnly[name] {
			continue
		}
		p, lines := m.patches[name], m.last.lines[name]
		blocks, _ := p.blocks(lines)
		for _, b := range blocks {
			edits = append(edits, p.text(b, lines))
		}
	}
	if len(edits) == 0 {
		return "NO CHANGE: nothing of what the fix changes is shown.", nil
	}
	return "This is what the fix changes.\n\nCOMMIT: fix: do what the issue asks for\n\n" + strings.Join(edits, "\n"), nil
}

// asks returns the lines of a reply that asks for what is missing, none if nothing is, or if it may not ask.
func (m *model) asks(ctx context.Context) ([]string, error) {
	missing := m.missing()
	if !m.last.rounds || len(missing) == 0 {
		return nil, nil
	}
	asker, err := eval.NewAsker(ctx, m.names, m.checkout, m.last.seen)
	if err != nil {
		return nil, err
	}
	for _, text := range m.last.searches {
		asker.Searched(text)
	}
	return asker.Asks(ctx, missing)
}

// missing returns the lines that have to be shown before the fix can be made, by file.
func (m *model) missing() map[string][]int {
	out := map[string][]int{}
	for _, name := range m.names {
		if _, lines := m.patches[name].blocks(m.last.lines[name]); len(lines) > 0 {
			slices.Sort(lines)
			out[name] = slices.Compact(lines)
		}
	}
	return out
}
