package engine

import "strings"

// trailingPlaces forgives blanks at the end of lines, lost or added.
func trailingPlaces(f fit) []place { return wholePlaces(f, keyTrailing) }

func trimTrailing(s string) string { return strings.TrimRight(s, " \t\r\f\v") }
