package syntax

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
)

// isTemplate reports whether a file is a template that a program turns into the language of its name: a chart of Helm,
// a template of Jinja or ERB. Its text need not parse before.
//
// The `${{ … }}` of a workflow of GitHub, and a `{{ … }}` behind a quote, are plain text.
func isTemplate(text []byte) bool {
	for line := range bytes.Lines(text) {
		if isTemplateLine(string(line)) {
			return true
		}
	}
	return false
}

func isTemplateLine(line string) bool {
	for _, marker := range []string{"{{", "{%", "<%"} {
		before, _, found := strings.Cut(line, marker)
		if found && !strings.HasSuffix(before, "$") && !strings.ContainsAny(before, "'\"`") {
			return true
		}
	}
	return false
}

// action matches what looks like an action of a template, in quotes or not.
var action = regexp.MustCompile(`\{\{-?\s*[\w.$]|\{%|<%`)

// holdsActions reports whether a file can be a template, which nothing but the text itself can tell of a new file.
func holdsActions(text []byte) bool { return action.Match(text) }

// brokenOnPurpose reports whether a file lies where projects keep input for tests, which includes files that shall not
// parse.
func brokenOnPurpose(path string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path), "/"), func(folder string) bool {
		switch folder {
		case "testdata", "test-data", "test_data", "fixtures", "fixture", "__fixtures__", "testfiles", "corpus":
			return true
		}
		return false
	}) || strings.Contains(path, "test/resources/")
}
