package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
)

// helpText is the answer to help.
func HelpText(slug, label string) string {
	return fmt.Sprintf("Write a command at the start of a line: in a comment, in a review, on a line of a diff, or in a new issue. `@%s <what>` is `/tenon fix <what>`, and the label %s asks for what the issue or pull request says.\n\n%s\n\n%s\n\n"+
		"Name the files you mean, as in `server/start.go:12`, or paste the error. The model sees those first; then, in a thread on the diff, its file; then what the pull request changes, as far as there is room.",
		slug, markdown.Code(label), helpTable(), optionList())
}

// optionList explains the options that a command takes.
func optionList() string {
	var b strings.Builder
	for _, o := range command.KnownOptions() {
		if slices.ContainsFunc(command.All(), func(c command.Command) bool { return slices.Contains(c.Options, o.Name) }) {
			fmt.Fprintf(&b, "\n- `%s` %s", o.Usage, o.About)
		}
	}
	return "Options stand between the verb and the text:\n" + b.String()
}

func helpTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | who may | example |\n|---|---|---|---|\n")
	for _, c := range command.All() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", markdown.CellCode(c.Usage), c.Description, c.Needs, markdown.CellCode(c.Example))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
