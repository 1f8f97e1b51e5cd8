package engine

import "strings"

// trailingPlaces forgives blanks at the end of lines, lost or added.
func trailingSpaceMatches(m matcher) []match { return consecutiveMatches(m, keyTrimRight) }

func trimTrailing(s string) string { return strings.TrimRight(s, " \t\r\f\v") }
