package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

func runHelp(ctx context.Context, s *session) error {
	return s.reply(ctx, helpText(s.Slug))
}

// helpText is the answer to help.
func helpText(slug string) string {
	return fmt.Sprintf("Write a command at the start of a line, in a comment on a pull request or on a line of its diff. `@%s <what>` is `/tenon fix <what>`.\n\n%s\n\n"+
		"Name the files you mean, as in `server/start.go:12`, or paste the error: the model sees those first, in a thread on the diff the file of that thread, and then what the pull request changes, as far as there is room.",
		slug, helpTable()+"\n\n"+optionList())
}

// optionList explains the options that a command takes.
func optionList() string {
	var b strings.Builder
	for _, o := range knownOptions() {
		if slices.ContainsFunc(Commands(), func(c Command) bool { return slices.Contains(c.Options, o.name) }) {
			fmt.Fprintf(&b, "\n- `%s` %s", o.usage, o.about)
		}
	}
	return "Options stand between the verb and the text:\n" + b.String()
}

func helpTable() string {
	var b strings.Builder
	b.WriteString("| command | what it does | who may | example |\n|---|---|---|---|\n")
	for _, c := range Commands() {
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", cellCode(c.Usage), c.Description, c.Needs, cellCode(c.Example))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
