package secret

import (
	"slices"
	"strings"
)

// Masked is a whole text without its secrets. Every line keeps its number, so that lines of the text are the same lines
// of the masked one. The zero value is an empty text. Masked is safe for concurrent use.
type Masked struct {
	text  string
	kinds []string
	// original is the text itself and found are its secrets, in order; empty if there are none.
	original string
	found    []match
	work     int
}

// Mask returns a text without its secrets. It has to be whole: what is cut from it first may have lost the part by
// which a secret is recognized.
func Mask(text string) Masked {
	found, tried := find(text)
	m := Masked{text: text, work: max(len(text), tried)}
	if len(found) == 0 {
		return m
	}
	return m.hide(text, found)
}

// MaskAll returns a text of which nothing is shown, as a file whose name says that it contains secrets.
func MaskAll(text string) Masked {
	if text == "" {
		return Masked{}
	}
	return Masked{}.hide(text, []match{{to: len(text), kind: "file with secrets"}})
}

func (m Masked) hide(text string, found []match) Masked {
	m.original, m.found = text, found
	var b strings.Builder
	at := 0
	for _, f := range found {
		b.WriteString(text[at:f.from])
		b.WriteString("[redacted: " + f.kind + "]")
		b.WriteString(strings.Repeat("\n[redacted]", strings.Count(text[f.from:f.to], "\n")))
		at = f.to
		m.kinds = appendNew(m.kinds, f.kind)
	}
	b.WriteString(text[at:])
	m.text = b.String()
	return m
}

// Text returns the text without its secrets.
func (m Masked) Text() string { return m.text }

// Kinds returns what kinds of secrets the text has, each once, in its order; none if it has none.
func (m Masked) Kinds() []string { return m.kinds }

// Hides reports whether the text has secrets.
func (m Masked) Hides() bool { return len(m.found) > 0 }

// appendNew appends a word that is not in the list yet.
func appendNew(list []string, word string) []string {
	if slices.Contains(list, word) {
		return list
	}
	return append(list, word)
}
