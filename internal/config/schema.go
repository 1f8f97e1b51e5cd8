package config

import (
	"regexp"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/schema"
)

// SchemaURL is where the schema of the server file is published.
const SchemaURL = "https://raw.githubusercontent.com/tenon-bot/tenon/main/docs/schemas/tenon.schema.json"

// SchemaLine is the first line of a server file; editors read it.
const SchemaLine = "# yaml-language-server: $schema=" + SchemaURL

// Schema returns the JSON schema of the server file. It sees the file alone: what variables set, which files exist and
// whether names of models fit together is not in it.
func Schema() schema.Schema {
	properties := map[string]schema.Schema{
		modelsKey: modelsForm().With("description", "Models that can be asked, by the names that people use for them."),
		policyKey: policy.MappingSchema().With("description",
			"What applies in all repositories. Organisations and repositories can restrict it further."),
	}
	var rules []schema.Schema
	for _, row := range settings() {
		form := row.kind.form
		if !row.kind.list {
			form = schema.Or(form, schema.Unset())
		}
		properties[row.key] = form.With("description", row.description())
		if row.kind.secret {
			properties[row.key+inFile] = schema.Or(schema.Text(`.`), schema.Unset()).
				With("description", "The path of a file that contains "+row.key+".")
			rules = append(rules, not(isSet(row.key), isSet(row.key+inFile)))
		}
		if row.policy != "" {
			rules = append(rules, not(has(row.key), has(policyKey+"."+row.policy)))
		}
	}
	rules = append(rules, longSecret())
	return schema.Document(SchemaURL, "Settings of a tenon server", schema.Object(properties).With("allOf", rules))
}

// description is what editors show.
func (row setting) description() string {
	return schema.Plain(row.about + ". Default: " + row.shownDefault() + ".")
}

// longSecret requires a webhook secret that cannot be guessed, unless the file allows another.
func longSecret() schema.Schema {
	allows := schema.Schema{
		"properties": schema.Schema{"allow_weak_webhook_secret": schema.Words("true")},
		"required":   []string{"allow_weak_webhook_secret"},
	}
	long := schema.Or(schema.Unset(), schema.Schema{"type": "string", "pattern": `^[\s\S]{16,}[\r\n]*$`})
	return schema.Or(allows, schema.Schema{"properties": schema.Schema{"webhook_secret": long}})
}

// has accepts a mapping with a key; dots separate those of mappings within it.
func has(path string) schema.Schema {
	key, rest, more := strings.Cut(path, ".")
	s := schema.Schema{"type": "object", "required": []string{key}}
	if more {
		s["properties"] = schema.Schema{key: has(rest)}
	}
	return s
}

// isSet accepts a mapping with a key that has a value.
func isSet(key string) schema.Schema {
	return has(key).With("properties", schema.Schema{key: schema.Schema{"not": schema.Unset()}})
}

func not(all ...schema.Schema) schema.Schema {
	return schema.Schema{"not": schema.Schema{"allOf": all}}
}

// modelsForm is a mapping of names to models. OpenAI's own server needs a key.
func modelsForm() schema.Schema {
	properties := map[string]schema.Schema{}
	for _, row := range modelSettings {
		properties[row.key] = row.form.With("description", schema.Plain(row.about+". Default: "+row.unset+"."))
	}
	other := schema.Schema{
		"required":   []string{"provider"},
		"properties": schema.Schema{"provider": schema.Schema{"not": schema.Words("openai")}},
	}
	model := schema.Object(properties).With("allOf", []schema.Schema{
		not(has("api_key_env"), has("api_key_file")),
		schema.Or(other, has("base_url"), has("api_key_env"), has("api_key_file"), has("headers")),
	})
	return schema.Schema{
		"type": "object", "additionalProperties": model,
		"propertyNames": schema.Schema{"pattern": policy.ModelNamePattern()},
	}
}

// filled is a text that is not blank.
func filled() schema.Schema { return schema.Text(`\S`) }

// trimmed is a text of which blanks around it do not count.
func trimmed(re *regexp.Regexp) schema.Schema {
	return schema.Text(`^\s*` + strings.Trim(re.String(), "^$") + `\s*$`)
}

func secretsForm() schema.Schema {
	return schema.Schema{
		"type": "object", "minProperties": 1, "propertyNames": schema.Schema{"pattern": name.String()},
		"additionalProperties": schema.Text(`^[^\x00-\x1f\x7f]+$`),
	}
}

func repositoriesForm() schema.Schema {
	one := strings.Trim(repository.String(), "^$")
	text := schema.Text(`^\s*` + one + `(?:\s*,\s*` + one + `)*\s*$`)
	return schema.Or(text, schema.List(text, maxListed).With("minItems", 1))
}

func priceForm() schema.Schema {
	price := schema.Schema{
		"type": []string{"number", "string"}, "minimum": 0,
		"pattern": `^\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,2})?$`,
	}
	return schema.Object(map[string]schema.Schema{"input": price, "cached": price, "output": price}).
		With("required", []string{"input", "output"})
}
