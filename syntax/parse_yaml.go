package syntax

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

func parseYAML(src source) verdict {
	if templated(src.text) {
		return verdict{}
	}
	decoder := yaml.NewDecoder(bytes.NewReader(src.text))
	for {
		var node yaml.Node
		err := decoder.Decode(&node)
		if errors.Is(err, io.EOF) {
			return verdict{outcome: valid}
		}
		if err != nil {
			return ofYAMLError(src, err.Error())
		}
	}
}

// yamlError matches "yaml: line 3: did not find expected key"; the line is missing in errors at the first one.
var yamlError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)`)

func ofYAMLError(src source, message string) verdict {
	parts := yamlError.FindStringSubmatch(message)
	if parts == nil {
		return verdict{}
	}
	line, _ := strconv.Atoi(parts[1])
	return brokenAt(min(max(1, line), src.lastLine()), parts[2])
}

// templated reports whether a file is a template that a program turns into YAML or the like: a Helm chart, a template of
// Jinja or ERB. Its text need not parse before.
//
// The `${{ … }}` of a workflow of GitHub and a `{{ … }}` within quotes are plain text to YAML.
func templated(text []byte) bool {
	for line := range bytes.Lines(text) {
		if templatedLine(string(line)) {
			return true
		}
	}
	return false
}

func templatedLine(line string) bool {
	for _, marker := range []string{"{{", "{%", "<%"} {
		before, _, found := strings.Cut(line, marker)
		if found && !strings.HasSuffix(before, "$") && !strings.ContainsAny(before, `'"`) {
			return true
		}
	}
	return false
}
