package policy

import (
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// Protects reports whether no reply may change a path: one that is protected everywhere, or by the settings.
func (p Policy) Protects(name string) bool {
	return protectedPath(name) || FitsGlob(p.Protected, name)
}

// protectedPath reports whether a file decides what runs, who reviews or how git behaves in its repository, in any
// spelling that some file system takes for the same.
func protectedPath(name string) bool {
	name = plainPath(name)
	switch name {
	case ".gitmodules", "codeowners", "docs/codeowners", ".github/codeowners",
		".github/tenon.yml", ".github/tenon.yaml", ".github/workflows", ".github/actions":
		return true
	}
	return strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, ".github/actions/") ||
		strings.HasSuffix("/"+name, "/.gitattributes")
}

// plainPath returns a path as the most lenient file systems read it: without case, without invisible characters, and
// each name without dots and blanks at its end and without a stream behind a colon.
func plainPath(name string) string {
	name = strings.Map(func(r rune) rune {
		if markdown.Invisible(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
	parts := strings.Split(name, "/")
	for i, part := range parts {
		stem, _, _ := strings.Cut(part, ":")
		parts[i] = strings.TrimRight(stem, ". ")
	}
	return strings.Join(parts, "/")
}
