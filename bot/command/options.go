package command

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

// Options are the values of the options of a command. The zero value of a field means that the option was not given.
type Options struct {
	Model, Format, Base string
	// Files are paths in the repository.
	Files []string
}

// OverriddenBy returns the options, with the values of newer ones where those have any.
func (o Options) OverriddenBy(newer Options) Options {
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

// MaxOptionFiles is how many files one command can name by --files.
const MaxOptionFiles = 20

// The names of the options.
const (
	optionModel  = "--model"
	optionFormat = "--format"
	optionFiles  = "--files"
	optionBase   = "--base"
)

// Option describes an option. The help is made from it.
type Option struct {
	Name, Usage, About string
	// set sets a value. A problem is a sentence for whoever gave it.
	set func(o *Options, value string) (problem string)
}

// AllOptions returns the options in the order of the help.
func AllOptions() []Option {
	formats := strings.Join(prompts.Choices(), "`, `")
	return []Option{
		{optionModel, "--model NAME", "asks another model", setModel},
		{optionFormat, "--format NAME", "asks for edits in another format: `" + formats + "`", setFormat},
		{optionFiles, "--files A,B", "shows these files to the model before all others", setFiles},
		{optionBase, "--base BRANCH", "starts work on an issue from another branch", setBase},
	}
}

func setModel(o *Options, value string) string {
	o.Model = value
	return ""
}

func setFormat(o *Options, value string) string {
	o.Format = strings.ToLower(value)
	if formats := prompts.Choices(); !slices.Contains(formats, o.Format) {
		return fmt.Sprintf("There is no format %s. The formats are: `%s`.",
			markdown.Code(markdown.Clip(value, 40)), strings.Join(formats, "`, `"))
	}
	return ""
}

func setFiles(o *Options, value string) string {
	for name := range strings.SplitSeq(value, ",") {
		name = strings.TrimPrefix(strings.Trim(name, "`"), "./")
		if !fs.ValidPath(name) || name == "." || strings.Contains(name, `\`) || markdown.OneLine(name) != name {
			return fmt.Sprintf("%s is not the path of a file in this repository. Write `--files` with paths from the "+
				"repository's root, and commas between them, without spaces.", markdown.Code(markdown.Clip(name, 80)))
		}
		if !slices.Contains(o.Files, name) {
			o.Files = append(o.Files, name)
		}
		if len(o.Files) > MaxOptionFiles {
			return fmt.Sprintf("`--files` names more than %d files. Name those that matter; the model can ask for others.",
				MaxOptionFiles)
		}
	}
	return ""
}

func setBase(o *Options, value string) string {
	if o.Base = strings.Trim(value, "`"); !ValidBranch(o.Base) {
		return fmt.Sprintf("%s cannot be the name of a branch. Write only the branch's name, as in `--base main`.",
			markdown.Code(markdown.Clip(value, 80)))
	}
	return ""
}

// parseOptions reads the options of a command at the start of a text, each as "--name value" or "--name=value", and
// returns the rest of the text. A lone "--" ends the options. A problem is a sentence for whoever wrote it.
func parseOptions(c Command, text string) (o Options, rest, problem string) {
	var given []string
	for len(c.Options) > 0 && strings.HasPrefix(text, "--") {
		word, after := cutField(text)
		if word == "--" {
			return o, after, ""
		}
		name, value, hasValue := strings.Cut(word, "=")
		row, known := lookupOption(name)
		switch {
		case !known || !slices.Contains(c.Options, row.Name):
			return o, "", unknownOption(c, name, known)
		case slices.Contains(given, row.Name):
			return o, "", fmt.Sprintf("`%s` is given twice. Give it once.", row.Name)
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

// unknownOption answers an option that a command does not take, and suggests the closest one that it does. known says
// that other commands take the option.
func unknownOption(c Command, name string, known bool) string {
	text := fmt.Sprintf("There is no option %s.", markdown.Code(markdown.Clip(name, 40)))
	if known {
		text = fmt.Sprintf("`/tenon %s` takes no `%s`.", c.Verb, strings.ToLower(name))
	} else if best := Closest(strings.ToLower(name), c.Options); best != "" {
		text += fmt.Sprintf(" Did you mean `%s`?", best)
	}
	return text + fmt.Sprintf(" The command is `%s`.", c.Usage)
}

func lookupOption(name string) (Option, bool) {
	for _, row := range AllOptions() {
		if row.Name == strings.ToLower(name) {
			return row, true
		}
	}
	return Option{}, false
}

// cutField cuts the first word off a text, and the white space after it.
func cutField(text string) (word, rest string) {
	i := strings.IndexAny(text, " \t\r\n")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimSpace(text[i:])
}
