package llm

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/retry"
)

// Scripted is a model with given answers, for tests and the demo. Safe for concurrent use.
type Scripted struct {
	// Answers are given in order; when they are used up, Complete returns a *port.UserError.
	Answers []port.Answer
	// Func, if set, answers instead; n counts the requests from 0.
	Func func(n int, req port.Request) (port.Answer, error)
	// Piece is how many bytes are streamed at once (0 means all), and Delay the time before each piece.
	Piece int
	Delay time.Duration

	mu       sync.Mutex
	requests []port.Request
}

// Script returns a model that gives these texts as its answers, in order.
func Script(texts ...string) *Scripted {
	s := &Scripted{}
	for _, text := range texts {
		s.Answers = append(s.Answers, port.Answer{Text: text, Model: "scripted"})
	}
	return s
}

// errScriptEnded is the error for a request without an answer. A retry would not help.
var errScriptEnded = &port.UserError{Text: "This model's answers were written in advance, and there are none left."}

// Complete implements port.Model.
func (s *Scripted) Complete(ctx context.Context, req port.Request, onText func(string)) (port.Answer, error) {
	answer, err := s.next(req)
	if err != nil {
		return port.Answer{}, err
	}
	if err := s.stream(ctx, answer.Text, onText); err != nil {
		return port.Answer{}, err
	}
	return answer, nil
}

// Requests returns all requests so far, in order.
func (s *Scripted) Requests() []port.Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

func (s *Scripted) next(req port.Request) (port.Answer, error) {
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, req)
	s.mu.Unlock()
	switch {
	case s.Func != nil:
		return s.Func(n, req)
	case n < len(s.Answers):
		return s.Answers[n], nil
	}
	return port.Answer{}, errScriptEnded
}

// stream passes text to onText in pieces, which end between characters.
func (s *Scripted) stream(ctx context.Context, text string, onText func(string)) error {
	for text != "" {
		if err := retry.Sleep(ctx, s.Delay); err != nil {
			return err
		}
		n := pieceEnd(text, s.Piece)
		if onText != nil {
			onText(text[:n])
		}
		text = text[n:]
	}
	return ctx.Err()
}

// pieceEnd returns the length of the first piece of text: size bytes, and the rest of the character in which they end.
func pieceEnd(text string, size int) int {
	if size <= 0 || size >= len(text) {
		return len(text)
	}
	for size < len(text) && text[size]&0xC0 == 0x80 { // a byte inside a UTF-8 sequence
		size++
	}
	return size
}
