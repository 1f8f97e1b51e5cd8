package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// printable returns JSON in which what is not printable, such as a character that a terminal obeys, is an escape.
func printable(json string) string {
	var b strings.Builder
	for _, r := range json {
		switch {
		case r == ' ' || unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}
