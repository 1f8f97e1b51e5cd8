package policy

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/prompts"
)

const (
	// maxLabel is GitHub's bound on the name of a label, in characters.
	maxLabel = 50
	// maxQuoted bounds what a problem quotes of a file, in bytes.
	maxQuoted = 60
)

func checkVerb(text string) error {
	if _, known := command.Lookup(text); known {
		return nil
	}
	var verbs []string
	for _, c := range command.All() {
		verbs = append(verbs, c.Verb)
	}
	if best := command.Closest(text, verbs); best != "" {
		return fmt.Errorf("is not a command; did you mean %s?", best)
	}
	return fmt.Errorf("is not a command; the commands are %s", listed(verbs))
}

var modelName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/:-]{0,63}$`)

// ValidModelName reports whether people can write a model's name behind --model, and in settings.
func ValidModelName(name string) bool { return modelName.MatchString(name) }

// ModelNamePattern returns the regular expression of ValidModelName.
func ModelNamePattern() string { return modelName.String() }

func checkModel(name string) error {
	if !ValidModelName(name) {
		return errors.New("is not the name of a model: those have only letters, digits and . _ / : -")
	}
	return nil
}

func checkFormat(text string) error {
	if formats := prompts.Choices(); !slices.Contains(formats, text) {
		return fmt.Errorf("must be one of %s, not %q", listed(formats), clip(text))
	}
	return nil
}

func checkLabel(text string) error {
	if strings.TrimSpace(text) != text || text == "" || utf8.RuneCountInString(text) > maxLabel ||
		strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("must be a label's name, of %d characters at most", maxLabel)
	}
	return nil
}

// appName is GitHub's rule for the names of Apps in URLs.
var appName = regexp.MustCompile(`^[A-Za-z0-9](?:[A-Za-z0-9-]{0,98}[A-Za-z0-9])?$`)

func checkApp(text string) error {
	if !appName.MatchString(text) {
		return fmt.Errorf("must be the name of a GitHub App as in https://github.com/apps/NAME, not %q", clip(text))
	}
	return nil
}

// workflowFile matches the file of a workflow in .github/workflows, which GitHub looks for in no folder below that.
var workflowFile = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9._-]{0,94}\.ya?ml$`)

func checkWorkflow(text string) error {
	if !workflowFile.MatchString(text) {
		return fmt.Errorf("must be the name of a file in .github/workflows, like verify.yml, not %q", clip(text))
	}
	return nil
}

func checkBranch(text string) error {
	if !command.ValidBranch(text) {
		return fmt.Errorf("must be the name of a branch, like main, not %q", clip(text))
	}
	return nil
}

// listed joins words for a sentence.
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// clip returns what a problem quotes of a text.
func clip(text string) string { return markdown.ClipBytes(text, maxQuoted) }
