package demo

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// shownModel shows a model's reply as it streams.
type shownModel struct {
	port.Model
	name   string
	screen *terminal.Transcript
	// begin is closed when the screen is the model's, and over is set when it is not any more.
	begin chan struct{}
	over  atomic.Bool
}

func (m *shownModel) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	<-m.begin
	if m.over.Load() { // a command on the page
		return m.Model.Complete(ctx, req, onText)
	}
	if n := len(req.Messages); n > 1 {
		m.screen.Section("tenon asks again")
		m.screen.Quote(firstLines(req.Messages[n-1].Text, maxQuestionLines))
	}
	m.screen.Section("The model replies (%s)", m.name)
	answer, err := m.Model.Complete(ctx, req, func(text string) {
		m.screen.Stream(text)
		if onText != nil {
			onText(text)
		}
	})
	m.screen.EndStream()
	if err != nil {
		m.screen.Quote("No answer: " + err.Error())
	}
	return answer, err
}

// How a reply that was written in advance is shown on a page.
const (
	// maxOpening is how long the first reply waits for somebody to open the page.
	maxOpening = 10 * time.Second
	// pause is how long each line takes, and maxTyping all of them.
	pause     = 60 * time.Millisecond
	maxTyping = 6 * time.Second
)

// typingModel writes replies line by line, as models do, once somebody has opened a page to see it.
type typingModel struct {
	port.Model
	opened <-chan struct{}
	waits  sync.Once
}

// Complete implements port.Model.
func (m *typingModel) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	m.waits.Do(func() {
		select {
		case <-m.opened:
		case <-time.After(maxOpening):
		case <-ctx.Done():
		}
	})
	return m.Model.Complete(ctx, req, func(text string) {
		lines := strings.SplitAfter(text, "\n")
		for _, line := range lines {
			if onText != nil {
				onText(line)
			}
			select {
			case <-time.After(min(pause, maxTyping/time.Duration(len(lines)))):
			case <-ctx.Done():
				return
			}
		}
	})
}

// maxQuestionLines is how many lines of a further question are shown; the files in it can be long.
const maxQuestionLines = 12

func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return text
	}
	return fmt.Sprintf("%s\n… and %d more lines", strings.Join(lines[:most], "\n"), len(lines)-most)
}
