package prompts

import "strings"

// DefaultFormat is asked for where nothing else is known of a model.
const DefaultFormat = "diff"

// AutoFormat is chosen to ask a model for the format that it writes best, as far as that is known.
const AutoFormat = "auto"

// format is a row of the table of formats.
type format struct {
	name string
	// file has its words: the rules, and behind a heading the reminder that ends every question.
	file string
	// edits are the files with the rules that it shares with other formats.
	edits []string
}

var (
	// halves are the rules of formats whose blocks have lines to find and lines in their place. Those of an editor
	// suggest no shell commands.
	halves = []string{"edits.md", "commands.md"}
	editor = []string{"edits.md", "no-commands.md"}
	// hunks are those of diffs.
	hunks = []string{"hunks.md"}
)

var formats = []format{
	{"v3", "format/v3.md", halves},
	{"anchored", "format/anchored.md", halves},
	{"diff", "format/diff.md", halves},
	{"diff-fenced", "format/diff-fenced.md", halves},
	{"editor-diff", "format/diff.md", editor},
	{"editor-diff-fenced", "format/diff-fenced.md", editor},
	{"section", "format/section.md", halves},
	{"udiff", "format/udiff.md", hunks},
	{"patch", "format/patch.md", hunks},
	{"whole", "format/whole.md", []string{"whole.md"}},
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

// Choices lists what can be chosen as a format: Formats and AutoFormat.
func Choices() []string { return append(Formats(), AutoFormat) }

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

// words returns the rules of a format and its reminder.
func (f format) words() (rules, reminder string) {
	for _, name := range f.edits {
		rules += static(name)
	}
	own, reminder, _ := strings.Cut(static(f.file), reminderHeading)
	return rules + "\n" + own, reminder
}
