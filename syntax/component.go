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

// otherStart matches the start of a script or style sheet in another form.
var otherStart = regexp.MustCompile(`<(script|style)\b`)

// sections returns the first scripts and style sheets of a component, one more than maxSections at most, and why the
// rest is not checked. Each of them begins and ends at the start of a line.
func sections(text []byte) (found []section, rest Unchecked) {
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
		} else if otherStart.Match(line) {
			rest = worse(rest, Undecided)
		} else if !isBlank(line) {
			rest = worse(rest, NoParser)
		}
	}
	if open != nil {
		rest = worse(rest, Undecided)
	}
	return found, rest
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

// newInSections finds what is wrong in the sections of a component and was not before. Where the edits added or removed
// sections, it cannot tell.
func newInSections(w *meter.Work, before, after []byte) (all Result) {
	if len(before) > maxComponent || len(after) > maxComponent {
		return Result{Unchecked: TooLarge}
	}
	old, _ := sections(before)
	edited, rest := sections(after)
	switch {
	case len(edited) > maxSections:
		return Result{Unchecked: TooCostly}
	case before != nil && len(old) != len(edited):
		return Result{Unchecked: Undecided}
	case len(edited) == 0:
		return Result{Unchecked: worse(rest, NoParser)}
	}
	all.Unchecked = rest
	for i, s := range edited {
		if isBlank(s.text) {
			continue
		}
		var was []byte
		if before != nil {
			was = old[i].text
		}
		var found Result
		if g, ok := grammarOf(s.path, s.text); ok {
			found = newErrors(w, g, s.path, was, s.text)
		} else {
			language := tokenLanguage(s.path, s.text)
			found = newFlaws(newSplitFile(w, language, was), newSplitFile(w, language, s.text))
		}
		all.Problems = append(all.Problems, found.Problems...)
		all.Unchecked = worse(all.Unchecked, found.Unchecked)
	}
	return all
}

// severity orders the reasons why a part of a file was not checked: what is beyond a bound counts most.
var severity = []Unchecked{"", NoParser, Undecided, NotText, BrokenBefore, TooCostly, TooLarge}

// worse returns the reason that counts for two parts of a file.
func worse(a, b Unchecked) Unchecked {
	if slices.Index(severity, a) < slices.Index(severity, b) {
		return b
	}
	return a
}
