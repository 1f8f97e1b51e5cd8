package policy

import (
	"strings"
	"unicode"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// protectedPath says that a file decides what runs, who reviews or how git behaves here, so that no reply may change it.
// Nor may it make a file that some file system takes for one of these.
func protectedPath(name string) bool {
	name = plainPath(name)
	switch name {
	case ".gitmodules", "codeowners", "docs/codeowners", ".github/codeowners", ".github/tenon.yml", ".github/tenon.yaml", ".github/workflows", ".github/actions":
		return true
	}
	return strings.HasPrefix(name, ".github/workflows/") || strings.HasPrefix(name, ".github/actions/") || strings.HasSuffix("/"+name, "/.gitattributes")
}

// protects says that no reply may change a path: the built-in ones, and those of the settings.
func (p Policy) Protects(name string) bool {
	return protectedPath(name) || FitsGlob(p.Protected, name)
}

// plainPath is a path as the most forgiving file systems read it: without case, without characters that cannot be seen, and
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
