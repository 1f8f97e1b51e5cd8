package metrics

import (
	"context"
	"log/slog"
)

// levels are the levels of the log as values of a label.
var levels = []string{"debug", "info", "warn", "error"}

// Log returns a handler of a log that counts the lines of another.
func (m *Metrics) Log(next slog.Handler) slog.Handler { return &logged{next, m} }

type logged struct {
	slog.Handler
	metrics *Metrics
}

// Handle implements slog.Handler.
func (l *logged) Handle(ctx context.Context, r slog.Record) error {
	l.metrics.logLines.WithLabelValues(levelName(r.Level)).Inc()
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l *logged) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &logged{l.Handler.WithAttrs(attrs), l.metrics}
}

// WithGroup implements slog.Handler.
func (l *logged) WithGroup(name string) slog.Handler {
	return &logged{l.Handler.WithGroup(name), l.metrics}
}

func levelName(l slog.Level) string {
	switch {
	case l >= slog.LevelError:
		return "error"
	case l >= slog.LevelWarn:
		return "warn"
	case l >= slog.LevelInfo:
		return "info"
	}
	return "debug"
}
