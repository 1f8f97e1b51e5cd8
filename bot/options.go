package bot

import (
	"fmt"
	"strings"
)

// options are what can stand between a verb and its text: a closed set.
type options struct {
	model string
}

// option is one row of the table of options.
type option struct {
	name, usage string
	set         func(o *options, value string)
}

func knownOptions() []option {
	return []option{
		{"--model", "--model NAME", func(o *options, v string) { o.model = v }},
	}
}

// parseOptions takes the options off the front of a command's text: "--name value" or "--name=value". What is left is the
// text. A problem is for the person who wrote it.
func parseOptions(text string) (o options, rest, problem string) {
	for strings.HasPrefix(text, "--") {
		word, after := cutField(text)
		name, value, hasValue := strings.Cut(word, "=")
		row, known := optionNamed(name)
		if !known {
			return o, "", fmt.Sprintf("There is no option %s. There is: %s.", codeSpan(clip(name, 40)), optionUsage())
		}
		if !hasValue {
			value, after = cutField(after)
		}
		if value == "" || strings.HasPrefix(value, "--") {
			return o, "", fmt.Sprintf("The option `%s` needs a value: `%s`.", row.name, row.usage)
		}
		row.set(&o, value)
		text = after
	}
	return o, text, ""
}

// cutField cuts the first word off a text.
func cutField(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t\r\n")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}

func optionNamed(name string) (option, bool) {
	for _, row := range knownOptions() {
		if row.name == strings.ToLower(name) {
			return row, true
		}
	}
	return option{}, false
}

func optionUsage() string {
	var all []string
	for _, row := range knownOptions() {
		all = append(all, "`"+row.usage+"`")
	}
	return strings.Join(all, ", ")
}
