package command

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

// over are these options under newer ones.
func (o Options) Over(newer Options) Options {
	if newer.Model != "" {
		o.Model = newer.Model
	}
	if newer.Format != "" {
		o.Format = newer.Format
	}
	if newer.Files != nil {
		o.Files = newer.Files
	}
	return o
}

// options are what can stand between a verb and its argument: a closed set. What was not given is empty.
type Options struct {
	Model, Format, Base string
	// files are paths in the repository.
	Files []string
}

// maxOptionFiles is how many files one command can name by --files.
const MaxOptionFiles = 20

// option is one row of the table of options.
type option struct {
	Name, Usage, About string
	// set takes over a value, or says what is wrong with it.
	set func(o *Options, value string) (problem string)
}

func KnownOptions() []option {
	return []option{
		{"--model", "--model NAME", "asks another model", setModel},
		{"--format", "--format NAME", "asks for edits in another format: `" + strings.Join(prompts.Formats(), "`, `") + "`", setFormat},
		{"--files", "--files A,B", "shows these files to the model before all others", setFiles},
		{"--base", "--base BRANCH", "starts work on an issue from another branch", setBase},
	}
}

func setModel(o *Options, value string) string {
	o.Model = value
	return ""
}

func setFormat(o *Options, value string) string {
	o.Format = strings.ToLower(value)
	if formats := prompts.Formats(); !slices.Contains(formats, o.Format) {
		return fmt.Sprintf("There is no format %s. There are: `%s`.", markdown.Code(markdown.Clip(value, 40)), strings.Join(formats, "`, `"))
	}
	return ""
}

func setFiles(o *Options, value string) string {
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimPrefix(strings.Trim(name, "`"), "./")
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, `\`) || markdown.OneLine(name) != name {
			return fmt.Sprintf("%s is no path of a file in this repository. Write `--files` with paths from the repository's root, and commas between them, without blanks.", markdown.Code(markdown.Clip(name, 80)))
		}
		if !slices.Contains(o.Files, name) {
			o.Files = append(o.Files, name)
		}
	}
	if len(o.Files) > MaxOptionFiles {
		return fmt.Sprintf("`--files` names %d files, and %d is the most. Name those that matter; the model can ask for others.", len(o.Files), MaxOptionFiles)
	}
	return ""
}

func setBase(o *Options, value string) string {
	if o.Base = strings.Trim(value, "`"); !ValidBranch(o.Base) {
		return fmt.Sprintf("%s is no name that a branch can have. Write the branch's name alone, as in `--base main`.", markdown.Code(markdown.Clip(value, 80)))
	}
	return ""
}

// parseOptions takes a command's options off the front of a text: "--name value" or "--name=value". What is left is the
// rest. A problem is for the person who wrote it.
func parseOptions(c Command, text string) (o Options, rest, problem string) {
	var given []string
	for len(c.Options) > 0 && strings.HasPrefix(text, "--") {
		word, after := cutField(text)
		name, value, hasValue := strings.Cut(word, "=")
		row, known := optionNamed(name)
		switch {
		case !known || !slices.Contains(c.Options, row.Name):
			return o, "", unknownOption(c, name, known)
		case slices.Contains(given, row.Name):
			return o, "", fmt.Sprintf("`%s` is there twice. Give it once.", row.Name)
		}
		if !hasValue {
			value, after = cutField(after)
		}
		if value == "" || strings.HasPrefix(value, "--") {
			return o, "", fmt.Sprintf("The option `%s` needs a value: `%s`.", row.Name, row.Usage)
		}
		if problem := row.set(&o, value); problem != "" {
			return o, "", problem
		}
		given, text = append(given, row.Name), after
	}
	return o, text, ""
}

// unknownOption answers an option that a command does not take, with the nearest one that it does; known says that other
// commands take it.
func unknownOption(c Command, name string, known bool) string {
	text := fmt.Sprintf("There is no option %s.", markdown.Code(markdown.Clip(name, 40)))
	if known {
		text = fmt.Sprintf("`/tenon %s` takes no `%s`.", c.Verb, strings.ToLower(name))
	} else if best := Closest(strings.ToLower(name), c.Options); best != "" {
		text += fmt.Sprintf(" Did you mean `%s`?", best)
	}
	return text + fmt.Sprintf(" The command is `%s`.", c.Usage)
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
	for _, row := range KnownOptions() {
		if row.Name == strings.ToLower(name) {
			return row, true
		}
	}
	return option{}, false
}
