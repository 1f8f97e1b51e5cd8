package syntax

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

func parseYAML(src source) verdict {
	if isTemplate(src.text) {
		return verdict{}
	}
	odd, err := decodeYAML(src.text)
	if err != nil {
		return ofYAMLError(src, err.Error())
	}
	return odd
}

// decodeYAML parses all documents of a text, and returns what is odd in the first one that has something odd. It leaves
// aliases as they are, so that they cannot multiply.
func decodeYAML(text []byte) (verdict, error) {
	odd := verdict{outcome: valid}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var node yaml.Node
		if err := decoder.Decode(&node); errors.Is(err, io.EOF) {
			return odd, nil
		} else if err != nil {
			return odd, err
		}
		if odd.flawless() {
			odd = oddInYAML(&node)
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
	if parts[2] == "found unknown escape character" && bytes.Contains(src.text, []byte(`\/`)) {
		return verdict{} // `\/` came with version 1.2 of YAML, and the parser is for 1.1
	}
	if parts[2] == "did not find expected node content" && colonsFirst.Match(src.text) {
		return verdict{} // a text may begin with colons, also in brackets
	}
	line, _ := strconv.Atoi(parts[1])
	missing, ok := strings.CutPrefix(parts[2], "did not find expected ")
	if ok && (missing == "key" || strings.HasPrefix(missing, "'-'")) {
		line = wrongLine(src.text, message, line)
	}
	return brokenAt(line, parts[2])
}

// colonsFirst matches an item in brackets that begins with two colons.
var colonsFirst = regexp.MustCompile(`[\[,]\s*::`)

// maxWrongLine is the size in bytes above which wrongLine does not search: it parses a file some 20 times.
const maxWrongLine = 64 << 10

// wrongLine returns the line that belongs to no block, where the parser names the one in which the block begins: the
// last line of the shortest beginning of the file in which the parser finds the same error, as it does in all longer
// ones.
func wrongLine(text []byte, message string, line int) int {
	if len(text) > maxWrongLine {
		return line
	}
	lines := bytes.SplitAfter(text, []byte("\n"))
	return sort.Search(len(lines), func(n int) bool {
		_, err := decodeYAML(bytes.Join(lines[:n], nil))
		return err != nil && err.Error() == message
	})
}
