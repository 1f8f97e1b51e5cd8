package markdown

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible reports whether a reader of a text does not see r, or whether r changes how the text around it looks. It is
// the one definition of such characters in bot; what is done about them differs by where the text goes:
//
//   - Shown drops them, as they could hide instructions to a model.
//   - Printable replaces them in what people read, and Unprintable refuses names with them. Both leave variation
//     selectors and Hangul fillers alone, which emoji and Korean text are written with and which deceive nobody there.
//   - Package edit refuses pasted edits with them, except where they join emoji.
//   - Package policy protects a path as if they were not in it.
//
// Package engine, which bot is built on, has definitions of its own, for the names of files and for lines that look
// alike.
func Invisible(r rune) bool {
	// The latter are Hangul fillers and characters that a font need not have a sign for.
	return disruptive(r) || unicode.In(r, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point)
}

// disruptive reports whether r is a control or format character or a separator of lines or paragraphs: it moves,
// reorders or joins the text around it and is no part of any word.
func disruptive(r rune) bool {
	return unicode.IsControl(r) || r >= utf8.RuneSelf && unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp)
}

// Unprintable reports whether a name could forge the text around it: whether it is not UTF-8, or has characters that
// Printable replaces, line feeds and tabs among them.
func Unprintable(name string) bool {
	return !utf8.ValidString(name) || strings.ContainsFunc(name, disruptive)
}
