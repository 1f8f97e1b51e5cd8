package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
)

// HelpBody returns the answer to help. slug is the app's name, and label the one that starts a fix.
func HelpBody(slug, label string) string {
	return markdown.JoinSections([]string{
		fmt.Sprintf("Write a command at the start of a line: in a comment, in a review, on a line of a diff, or in a new "+
			"issue. `@%s <what>` is `/tenon fix <what>`, and the label %s asks for what the issue or pull request says.",
			slug, markdown.Code(label)),
		commandTable(),
		optionList(),
		"Name the files you mean, as in `server/start.go:12`, or paste the error. The model sees those first; then, in a " +
			"thread on the diff, its file; then what the pull request changes; then, if you name no file, the files that " +
			"have most of your words.",
	})
}

func commandTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | who may | example |\n|---|---|---|---|")
	for _, c := range command.All() {
		fmt.Fprintf(&b, "\n| %s | %s | %s | %s |",
			markdown.CellCode(c.Usage), c.Description, c.Needs, markdown.CellCode(c.Example))
	}
	return b.String()
}

// optionList explains the options that a command takes.
func optionList() string {
	var b strings.Builder
	b.WriteString("Options stand between the verb and the text:\n")
	for _, o := range command.AllOptions() {
		takes := func(c command.Command) bool { return slices.Contains(c.Options, o.Name) }
		if slices.ContainsFunc(command.All(), takes) {
			fmt.Fprintf(&b, "\n- `%s` %s", o.Usage, o.About)
		}
	}
	return b.String()
}
