package form

import (
	"net/url"
	"strings"
	"time"

	"github.com/tenon-bot/tenon/internal/github/sim/entity"
)

// Time returns a time as GitHub writes it.
func Time(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// TimeOrNull returns a time, or null for nil.
func TimeOrNull(t *time.Time) any {
	if t == nil {
		return nil
	}
	return Time(*t)
}

// TextOrNull returns a text, or null for an empty one.
func TextOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// NumberOrNull returns a number, or null for 0.
func NumberOrNull(n int) any {
	if n == 0 {
		return nil
	}
	return n
}

// EscapePath escapes the segments of a path.
func EscapePath(p string) string {
	parts := strings.Split(p, "/")
	for i := range parts {
		parts[i] = url.PathEscape(parts[i])
	}
	return strings.Join(parts, "/")
}

func href(u string) entity.Object { return entity.Object{"href": u} }

// State returns the state of an issue or pull request: "open" or "closed".
func State(is *entity.Issue) string {
	if is.Open {
		return "open"
	}
	return "closed"
}
