package config

import (
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/policy"
)

// setting is one row of the table of the server's settings: all that there is to know about one.
type setting struct {
	// key is its name in the server file. The variable is the same in upper case after "TENON_".
	key string
	// about documents it, as Markdown for a cell of a table.
	about string
	// initial is the default, written as a person would; empty if there is none.
	initial string
	// unset says, as Markdown, what applies without a value where that is not initial: "required", "off".
	unset string
	kind  kind
	// scope says which commands need it beside the server.
	scope scope
	// policy is the setting of the policy that it sets, which can be below policy instead; empty if it is none.
	policy string
}

// scope says what a setting is needed for.
type scope uint8

const (
	// Most settings are needed to serve alone, which needs all: the zero scope.
	_ scope = iota
	// asking settings are needed to ask the default model, also without GitHub.
	asking
	// storing settings are needed to find the database.
	storing
)

// group is a part of the table, which is a section of the page of settings.
type group struct {
	title string
	// about is a paragraph of Markdown before the table; empty if there is none.
	about string
	rows  []setting
}

// settings returns all rows in their order.
func settings() []setting {
	var rows []setting
	for _, g := range groups {
		rows = append(rows, g.rows...)
	}
	return rows
}

// settingNamed returns the setting that a key of the server file sets.
func settingNamed(key string) (setting, bool) {
	rows := settings()
	i := slices.IndexFunc(rows, func(row setting) bool { return slices.Contains(row.keys(), key) })
	if i < 0 {
		return setting{}, false
	}
	return rows[i], true
}

// keys are the names by which the server file knows a setting: a secret can be in a file of its own.
func (row setting) keys() []string {
	if row.kind.secret {
		return []string{row.key, row.key + inFile}
	}
	return []string{row.key}
}

// inFile ends the name of a setting that is the path of a file with a secret.
const inFile = "_file"

func variable(key string) string { return prefix + strings.ToUpper(key) }

// prefix begins the names of all variables that are settings.
const prefix = "TENON_"

// shownDefault returns, as Markdown, what applies where nobody sets the setting.
func (row setting) shownDefault() string {
	switch {
	case row.initial != "":
		return "`" + row.initial + "`"
	case row.policy != "":
		for _, shown := range policy.DefaultPolicy().Shown() {
			if shown.Key == row.policy {
				return shown.Value
			}
		}
	}
	return row.unset
}

// defaultOf returns the default of a setting.
func defaultOf(key string) string {
	row, _ := settingNamed(key)
	return row.initial
}
