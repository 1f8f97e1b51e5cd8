package ceiling

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/internal/eval"
)

// model knows the fix of a pair, and uses nothing else than what it is shown: it edits lines that the prompt has, and
// asks for files whose paths it has. Safe for concurrent use.
type model struct {
	names   []string // in order
	patches map[string]patch

	mu sync.Mutex
	// last is what the last request showed, and tokens how long it was; rounds counts the replies that ask for more.
	last           *shown
	rounds, tokens int
}

var _ port.Model = (*model)(nil)

func newModel(names []string, before, after [][]byte) *model {
	m := &model{names: names, patches: map[string]patch{}}
	for i, name := range names {
		m.patches[name] = newPatch(name, before[i], after[i])
	}
	return m
}

// Complete implements port.Model.
func (m *model) Complete(_ context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if offered := offeredIn(req); offered != nil {
		return m.answer(req, m.choose(offered), onText), nil
	}
	m.last, m.tokens = readMessages(req.Messages), int(req.Tokens())
	return m.answer(req, m.reply(), onText), nil
}

func (*model) answer(req port.Request, text string, onText func(string)) port.Answer {
	if onText != nil {
		onText(text)
	}
	return port.Answer{Text: text, Model: "oracle", Name: req.Model}
}

// choosing begins the system prompt of a choice of files.
const choosing = "You choose the files "

// offeredHead and offeredFile match what begins the list of files to choose from, and a file of it.
var (
	offeredHead = regexp.MustCompile(`(?m)^<<(\S+) files to choose from>>\n`)
	offeredFile = regexp.MustCompile(`^(\S.*?)(?: \(\d+ lines?\))?$`)
)

// offeredIn returns the paths of the files that a request offers to choose from; nil if it asks for no choice.
func offeredIn(req port.Request) []string {
	if !strings.HasPrefix(req.System, choosing) || len(req.Messages) != 1 {
		return nil
	}
	text := req.Messages[0].Text
	head := offeredHead.FindStringSubmatchIndex(text)
	if head == nil {
		return nil
	}
	list, _, _ := strings.Cut(text[head[1]:], "<<"+text[head[2]:head[3]]+" end>>")
	paths := []string{}
	for line := range strings.Lines(list) {
		if m := offeredFile.FindStringSubmatch(strings.TrimRight(line, "\n")); m != nil {
			paths = append(paths, m[1])
		}
	}
	return paths
}

// choose returns the reply to an offer: the files that the fix changes, or words if none of them is offered.
func (m *model) choose(offered []string) string {
	var needs []string
	for _, name := range m.names {
		if slices.Contains(offered, name) && len(needs) < retrieve.MaxChosen {
			needs = append(needs, retrieve.Ask{Path: name}.String())
		}
	}
	if len(needs) == 0 {
		return "None of these files has to be changed."
	}
	return strings.Join(needs, "\n")
}

func (m *model) reply() string {
	if len(m.last.refusals) > 0 {
		return "NO CHANGE: the blocks were right." // and why they were refused is what is to be found out
	}
	if m.last.rounds {
		if asks := eval.Asks(m.names, m.last.seen, m.missing()); len(asks) > 0 {
			m.rounds++
			return strings.Join(asks, "\n")
		}
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
		return "NO CHANGE: nothing of what the fix changes is shown."
	}
	return "This is what the fix changes.\n\nCOMMIT: fix: do what the issue asks for\n\n" + strings.Join(edits, "\n")
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
