package demo

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
	"github.com/tenon-bot/tenon/internal/terminal"
)

// A scripted reply streams on a terminal fast enough to end within seconds, slowly enough to be seen.
const (
	pieceBytes = 12
	pieceDelay = 6 * time.Millisecond
	maxPieces  = 400
)

// script returns a model that gives these replies, in order, slowly where somebody watches. A further request fails,
// and the run ends with what it has.
func script(screen *terminal.Transcript, replies ...string) *llm.Scripted {
	model := llm.Script(replies...)
	if screen.On {
		model.Piece, model.Delay = max(pieceBytes, len(replies[0])/maxPieces), pieceDelay
	}
	return model
}

// shownModel shows a model's reply as it streams.
type shownModel struct {
	port.Model
	name   string
	screen *terminal.Transcript
}

func (m *shownModel) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
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

// maxQuestionLines is how many lines of a further question are shown; the files in it can be long.
const maxQuestionLines = 40

func firstLines(text string, most int) string {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	if len(lines) <= most {
		return text
	}
	return fmt.Sprintf("%s\n… and %d more lines", strings.Join(lines[:most], "\n"), len(lines)-most)
}
