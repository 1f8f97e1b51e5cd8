// Package schematest validates files of settings against their schemas, as editors do.
package schematest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/tenon-bot/tenon/bot/schema"
)

// Validator validates the text of a YAML file. The error says what the schema does not accept.
type Validator func(text string) error

// Compile returns the validator of a schema, which must be a valid one itself.
func Compile(t *testing.T, s schema.Schema) Validator {
	t.Helper()
	data, err := json.Marshal(s)
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	require.NoError(t, err)
	id, _ := s["$id"].(string)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource(id, document))
	compiled, err := compiler.Compile(id)
	require.NoError(t, err)
	return func(text string) error {
		var file yaml.Node
		if err := yaml.Unmarshal([]byte(text), &file); err != nil {
			return err
		}
		value, err := valueOf(&file)
		if err != nil {
			return err
		}
		return compiled.Validate(value)
	}
}

// valueOf returns what a node is in JSON. A number with underscores is a text, as the current version of YAML says.
func valueOf(node *yaml.Node) (any, error) {
	switch node.Kind {
	case 0:
		return nil, nil
	case yaml.DocumentNode:
		return valueOf(node.Content[0])
	case yaml.AliasNode:
		return valueOf(node.Alias)
	case yaml.SequenceNode:
		items := []any{}
		for _, item := range node.Content {
			v, err := valueOf(item)
			if err != nil {
				return nil, err
			}
			items = append(items, v)
		}
		return items, nil
	case yaml.MappingNode:
		pairs := map[string]any{}
		for i := 0; i+1 < len(node.Content); i += 2 {
			key := node.Content[i].Value
			if _, twice := pairs[key]; twice {
				return nil, fmt.Errorf("%s is there twice", key)
			}
			v, err := valueOf(node.Content[i+1])
			if err != nil {
				return nil, err
			}
			pairs[key] = v
		}
		return pairs, nil
	}
	return scalarOf(node), nil
}

func scalarOf(node *yaml.Node) any {
	switch node.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return strings.EqualFold(node.Value, "true")
	case "!!int", "!!float":
		if _, err := strconv.ParseFloat(node.Value, 64); err == nil && !strings.Contains(node.Value, "_") {
			return json.Number(node.Value)
		}
	}
	return node.Value
}
