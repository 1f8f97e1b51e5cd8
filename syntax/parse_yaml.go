package syntax

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"strconv"

	"go.yaml.in/yaml/v3"
)

func parseYAML(src source) verdict {
	if isTemplate(src.text) {
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
