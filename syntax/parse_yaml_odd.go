package syntax

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v3"
)

// oddInYAML finds in a document what is valid YAML but means something else than what it looks like: a key that its
// mapping has already, a text without quotes that ends in a quote or a bracket and does not begin with it, and an
// expression of a workflow of GitHub that lacks a brace.
func oddInYAML(node *yaml.Node) verdict {
	v := verdict{outcome: valid}
	switch node.Kind {
	case yaml.ScalarNode:
		return oddScalar(node)
	case yaml.MappingNode:
		v = oddMapping(node)
	}
	for _, child := range node.Content {
		if !v.flawless() {
			return v
		}
		v = oddInYAML(child)
	}
	return v
}

func oddMapping(mapping *yaml.Node) verdict {
	lines := make(map[string]int)
	for n := 0; n+1 < len(mapping.Content); n += 2 {
		key, value := mapping.Content[n], mapping.Content[n+1]
		if key.Value == "if" && value.Style == 0 && strings.Count(value.Value, "(") != strings.Count(value.Value, ")") {
			return oddAt(value.Line, "condition that lacks ( or )")
		}
		if key.Kind != yaml.ScalarNode || key.Tag == "!!merge" {
			continue
		}
		id := key.Tag + " " + key.Value
		if line, ok := lines[id]; ok {
			return oddAt(key.Line, fmt.Sprintf("mapping key %q already defined at line %d", key.Value, line))
		}
		lines[id] = key.Line
	}
	return verdict{outcome: valid}
}

var (
	// expression matches an expression of a workflow of GitHub, and cutOff what is left of one that lost a brace.
	expression = regexp.MustCompile(`(?s)\$\{\{.*?\}\}`)
	cutOff     = regexp.MustCompile(`\$\{\{|\$\{ ?[a-z]+\.[^{}]*\}\}`)
)

func oddScalar(node *yaml.Node) verdict {
	if strings.Contains(node.Value, "${") && cutOff.MatchString(expression.ReplaceAllString(node.Value, "")) {
		return oddAt(node.Line, "expression ${{ … }} that lacks a brace")
	}
	if node.Style&^yaml.TaggedStyle != 0 {
		return verdict{outcome: valid}
	}
	for _, quote := range []string{`"`, "'"} {
		if strings.HasSuffix(node.Value, quote) && strings.Count(node.Value, quote) == 1 {
			v := oddAt(node.Line, "text that ends in "+quote+" and does not begin with it")
			v.lost, v.left = quote, node.Value
			return v
		}
	}
	for _, pair := range []string{"[]", "{}"} {
		opening, closing := strings.Count(node.Value, pair[:1]), strings.Count(node.Value, pair[1:])
		if strings.HasSuffix(node.Value, pair[1:]) && closing > opening {
			v := oddAt(node.Line, fmt.Sprintf("%c without %c", pair[1], pair[0]))
			v.lost, v.left = pair[:1], node.Value
			return v
		}
	}
	return verdict{outcome: valid}
}
