package syntax

import (
	"bytes"
	"regexp"
	"slices"

	"github.com/tenon-bot/tenon/meter"
	"github.com/tenon-bot/tenon/syntax/lexer"
)

// isComponent reports whether files of a language contain a script and a style sheet, each in a section of its own.
func isComponent(language lexer.Language) bool { return language == "Vue" || language == "Svelte" }

// section is a part of a component. Its text has blank lines where the lines before it are, so that lines are counted
// as in the file.
type section struct {
	path string
	text []byte
}

var sectionStart = regexp.MustCompile(`^<(script|style)\b([^>]*)>\s*$`)

var sectionLanguage = regexp.MustCompile(`\blang=["']?(\w+)`)

// sections returns the first scripts and style sheets of a component, one more than maxSections at most. Each of them
// begins and ends at the start of a line.
func sections(text []byte) []section {
	var found []section
	var open *section
	var end []byte
	lines := 0
	for line := range bytes.Lines(text) {
		lines++
		if open != nil {
			if bytes.HasPrefix(line, end) {
				found, open = append(found, *open), nil
			} else {
				open.text = append(open.text, line...)
			}
			continue
		}
		if m := sectionStart.FindSubmatch(line); m != nil && len(found) <= maxSections {
			open = &section{sectionPath(string(m[1]), m[2]), bytes.Repeat([]byte("\n"), lines)}
			end = slices.Concat([]byte("</"), m[1], []byte(">"))
		}
	}
	return found
}

// sectionPath returns the name of a file with the language of a section.
func sectionPath(tag string, attributes []byte) string {
	extension := map[string]string{"script": "js", "style": "css"}[tag]
	if m := sectionLanguage.FindSubmatch(attributes); m != nil {
		extension = string(m[1])
	}
	return "section." + extension
}

// Bounds on the components that are checked. Each section has a line for each line before it.
const (
	maxComponent = 256 << 10 // bytes
	maxSections  = 10
)

// newInSections finds what is wrong in the sections of a component and was not before. It says nothing where the edits
// added or removed sections.
func newInSections(w *meter.Work, before, after []byte) []Problem {
	if len(before) > maxComponent || len(after) > maxComponent {
		return nil
	}
	old, edited := sections(before), sections(after)
	if before != nil && len(old) != len(edited) || len(edited) > maxSections {
		return nil
	}
	var problems []Problem
	for i, s := range edited {
		var was []byte
		if before != nil {
			was = old[i].text
		}
		if g, ok := grammarOf(s.path, s.text); ok {
			found := newErrors(w, g, s.path, was, s.text)
			problems = append(problems, found...)
		} else {
			language := tokenLanguage(s.path, s.text)
			problems = append(problems, newFlaws(newSplitFile(w, language, was), newSplitFile(w, language, s.text))...)
		}
	}
	return problems
}
