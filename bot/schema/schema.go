// Package schema makes JSON schemas of what settings accept, for editors. The settings are written in YAML and read as
// text, so that 5 and "5" are the same, and so are 12_000 and 12000, which some parsers of YAML take for a text.
package schema

import (
	"maps"
	"regexp"
	"strings"
)

// Schema is a JSON schema of draft 7, which all editors know. It is not changed once it is made.
type Schema map[string]any

// draft is the version of JSON schema.
const draft = "http://json-schema.org/draft-07/schema#"

// Document returns the schema of a whole file, which may be empty.
func Document(id, title string, s Schema) Schema {
	s = s.With("$schema", draft).With("$id", id).With("title", title)
	s["type"] = []string{"object", "null"}
	return s
}

// With returns the schema with one more keyword.
func (s Schema) With(keyword string, value any) Schema {
	s = maps.Clone(s)
	s[keyword] = value
	return s
}

// Text is a text that matches a regular expression, and none of the exceptions. What YAML takes for a number or a truth
// value is a text too.
func Text(pattern string, exceptions ...string) Schema {
	s, matches, excepted := Schema{"pattern": pattern}, regexp.MustCompile(pattern), (*regexp.Regexp)(nil)
	if len(exceptions) > 0 {
		except := strings.Join(exceptions, "|")
		s["not"], excepted = Schema{"type": "string", "pattern": except}, regexp.MustCompile(except)
	}
	fits := func(text string) bool {
		return matches.MatchString(text) && (excepted == nil || !excepted.MatchString(text))
	}
	types := []string{"string"}
	switch {
	case fits("1.5"):
		types = append(types, "number")
	case fits("15"):
		types = append(types, "integer")
	}
	if !fits("-15") {
		s["minimum"] = 0
	}
	if fits("true") {
		types = append(types, "boolean")
	}
	s["type"] = types
	return s
}

// Words is one of some words. The truth values of YAML are words too.
func Words(words ...string) Schema {
	var values []any
	for _, word := range words {
		if word == "true" || word == "false" {
			values = append(values, word == "true")
		}
	}
	for _, word := range words {
		values = append(values, word)
	}
	return Schema{"enum": values}
}

// Number is a whole number from least, which is not negative, to most. A suffix may follow it.
func Number(least, most int64, suffix string) Schema {
	return Schema{
		"type": []string{"integer", "string"}, "minimum": least, "maximum": most,
		"pattern": `^\s*` + Digits(least, most, true) + suffix + `\s*$`,
	}
}

// Or is what one of several schemas accepts.
func Or(schemas ...Schema) Schema { return Schema{"anyOf": schemas} }

// Unset is what counts as no value.
func Unset() Schema { return Schema{"type": []string{"null", "string"}, "maxLength": 0} }

// List is a list of at most so many items.
func List(item Schema, most int) Schema {
	return Schema{"type": "array", "items": item, "maxItems": most}
}

// Object is a mapping with these keys and no others.
func Object(properties map[string]Schema) Schema {
	return Schema{"type": "object", "properties": properties, "additionalProperties": false}
}

// link is a link in Markdown.
var link = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)

// Plain returns Markdown as it is shown in a description: without where its links go to.
func Plain(text string) string { return link.ReplaceAllString(text, "$1") }
