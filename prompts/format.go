package prompts

import "strings"

// DefaultFormat is asked for where nothing else is known of a model.
const DefaultFormat = "diff"

// format is a row of the table of formats.
type format struct {
	name string
	// file has its words: the rules, and behind a heading the reminder that ends every question.
	file string
	// commands reports whether the model may suggest shell commands.
	commands bool
}

var formats = []format{
	{"v3", "format/v3.md", true},
	{"anchored", "format/anchored.md", true},
	{"diff", "format/diff.md", true},
	{"diff-fenced", "format/diff-fenced.md", true},
	{"editor-diff", "format/diff.md", false},
	{"editor-diff-fenced", "format/diff-fenced.md", false},
	{"section", "format/section.md", true},
}

// preferred are formats that models of some name are known to write best, by a part of the name in lower case.
var preferred = []struct{ model, format string }{
	{"gemini", "diff-fenced"}, // it puts paths into the fence whatever it is told
}

// Formats lists the names of the formats that can be asked for.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// FormatFor is the format to ask a model for when nobody chose one: model is the name that its provider knows it by.
func FormatFor(model string) string {
	for _, p := range preferred {
		if strings.Contains(strings.ToLower(model), p.model) {
			return p.format
		}
	}
	return DefaultFormat
}

func formatNamed(name string) format {
	for _, f := range formats {
		if f.name == name {
			return f
		}
	}
	return formatNamed(DefaultFormat)
}

// reminderHeading divides a format's rules from its reminder.
const reminderHeading = "\n# Reminder\n\n"

func (f format) words() (rules, reminder string) {
	rules, reminder, _ = strings.Cut(static(f.file), reminderHeading)
	return rules, reminder
}
