package caution

import (
	"regexp"
	"strings"
)

// listed returns what reads settings in JSON or YAML that name programs to load or to run, by keys: each string in the
// value of one, or item of a list of YAML, is one.
func listed(keys string) func([]byte) []command {
	key := regexp.MustCompile(`["']?\b(` + keys + `)["']?[ \t]*:[ \t]*`)
	return func(data []byte) (out []command) {
		text := comment.ReplaceAllString(string(data), "")
		for m := key.FindStringSubmatchIndex(text); m != nil; m = key.FindStringSubmatchIndex(text) {
			value := valueAt(text[m[1]:])
			for _, program := range settingText.FindAllString(value, -1) {
				out = append(out, command{text[m[2]:m[3]], program})
			}
			text = text[m[1]+len(value):]
		}
		return out
	}
}

var (
	// comment matches the rest of a line that is a comment in JSON or YAML.
	comment = regexp.MustCompile(`(?m)(?:^|[ \t])(?://|#).*$`)
	// settingText matches a string, or a word of YAML.
	settingText = regexp.MustCompile(`"[^"\n]*"|'[^'\n]*'|[^\s"'{}\[\],-][^\s"'{}\[\],]*`)
	// listItem matches an item of a list of YAML, below its key.
	listItem = regexp.MustCompile(`^(?:[ \t\r]*\n)+[ \t]*- [^\n]*`)
)

// valueAt returns the value that a text begins with: to the end of its brackets, or of its line, or of the list of YAML
// on the lines below.
func valueAt(text string) string {
	end := 0
	for m := listItem.FindString(text); m != ""; m = listItem.FindString(text[end:]) {
		end += len(m)
	}
	if end > 0 {
		return text[:end]
	}
	depth := 0
	for i, c := range text {
		switch c {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
		if depth <= 0 && strings.ContainsRune("\n]},", c) {
			return text[:i]
		}
	}
	return text
}

// projectCommand matches what a project of MSBuild runs, or has from another file or library.
var projectCommand = regexp.MustCompile(`(?i)<(Exec|Import|UsingTask|PreBuildEvent|PostBuildEvent|Analyzer)\b[^>]*>` +
	`(?:[^<]*</P)?`)

// projectCommands reads a project of MSBuild.
func projectCommands(data []byte) (out []command) {
	for _, m := range projectCommand.FindAllStringSubmatch(string(data), -1) {
		out = append(out, command{m[1], withoutVersions(strings.Join(strings.Fields(m[0]), " "))})
	}
	return out
}
