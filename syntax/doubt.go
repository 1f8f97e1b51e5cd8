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

// brokenOnPurpose reports whether a file lies where projects keep input for tests, or is a test's and named after an
// error: such a file need not parse.
func brokenOnPurpose(path string) bool {
	path = strings.ToLower(path)
	if strings.Contains(path, "test/resources/") || strings.Contains(path, "test") && afterError.MatchString(path) {
		return true
	}
	return slices.ContainsFunc(strings.Split(path, "/"), func(folder string) bool {
		return slices.Contains(inputFolders, folder)
	})
}

var inputFolders = []string{
	"testdata", "test-data", "test_data", "testfiles", "fixtures", "fixture", "__fixtures__", "corpus",
}

var afterError = regexp.MustCompile(`invalid|malformed|broken|corrupt|syntax.?err|\b(bad|fail|error)[\d_-]*\b`)
