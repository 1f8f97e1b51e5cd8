// Package text fits text of others into messages, logs and rows. All functions are safe for concurrent use.
package text

import "strings"

// OneLine returns the words of s in one line, with single blanks between them.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cut returns at most n bytes of s. If s is longer, the result is valid UTF-8.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "")
}

// Clip is Cut with an ellipsis at the end, within the n bytes, if something was cut off.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return Cut(s, n-len("…")) + "…"
}
