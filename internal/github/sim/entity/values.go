package entity

import "strings"

// OrElse returns a value, or another one instead of its type's zero.
func OrElse[T comparable](v, instead T) T {
	var zero T
	if v == zero {
		return instead
	}
	return v
}

// Set sets a variable to what v points to, if v is not nil.
func Set[T any](to *T, v *T) {
	if v != nil {
		*to = *v
	}
}

// IsBlank reports whether a text has nothing but white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }
