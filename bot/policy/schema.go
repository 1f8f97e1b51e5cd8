package policy

import (
	"fmt"

	"github.com/tenon-bot/tenon/bot/schema"
)

// SchemaURL is where the schema of SettingsPath is published.
const SchemaURL = "https://raw.githubusercontent.com/tenon-bot/tenon/main/docs/schemas/repository.schema.json"

// SchemaLine is the first line of a file of settings; editors read it.
const SchemaLine = "# yaml-language-server: $schema=" + SchemaURL

// Schema returns the JSON schema of SettingsPath.
func Schema() schema.Schema {
	return schema.Document(SchemaURL, "Settings of tenon for a repository or an organisation", MappingSchema())
}

// MappingSchema returns the schema of a mapping that ParseMapping reads.
func MappingSchema() schema.Schema { return formBelow("") }

// SettingSchema returns the schema of a setting; false if there is none of this name.
func SettingSchema(name string) (schema.Schema, bool) {
	s, ok := settingNamed(name)
	if !ok {
		return nil, false
	}
	return s.value.form(), true
}

// formBelow returns the schema of the keys below a path, which is empty or ends in a dot.
func formBelow(path string) schema.Schema {
	defaults := map[string]string{}
	for _, row := range DefaultPolicy().Shown() {
		defaults[row.Key] = row.Value
	}
	properties := map[string]schema.Schema{}
	for _, key := range keysBelow(path) {
		s, isSetting := settingNamed(path + key)
		if !isSetting {
			properties[key] = formBelow(path + key + ".")
			continue
		}
		about := fmt.Sprintf("%s. Default: %s.", s.about, defaults[s.name])
		properties[key] = s.value.form().With("description", schema.Plain(about))
	}
	return schema.Object(properties)
}
