package config

import (
	"fmt"
	"log/slog"
)

const hidden = "[secret]"

// Secret is a value that is never printed: not by fmt, not by log/slog, not by an encoder. Comparing two secrets with
// == compares their addresses, not their values.
type Secret struct {
	// A pointer, because fmt prints what is behind a plain field even where it may not call String.
	value *string
}

// NewSecret hides a value.
func NewSecret(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{value: &value}
}

// Reveal returns the value, to be handed to the one who needs it; "" when there is none.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// IsSet reports whether there is a value.
func (s Secret) IsSet() bool { return s.value != nil }

// String says that there is a secret, or returns "" when there is none.
func (s Secret) String() string {
	if s.value == nil {
		return ""
	}
	return hidden
}

// Format prints String for every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(s.String())) }

// LogValue hides the value from log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from encoding/json and the YAML encoder.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
