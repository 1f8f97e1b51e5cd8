package text

import (
	"path"
	"strings"
)

// IsMarkup reports whether the file at a path is text for people, with headings and code in fences, by its extension.
func IsMarkup(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case "", ".md", ".markdown", ".mdx", ".rst", ".rest", ".txt", ".adoc", ".asciidoc", ".rdoc":
		return true
	}
	return false
}
