package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tenon-bot/tenon/bot/command"
	"github.com/tenon-bot/tenon/bot/markdown"
	"github.com/tenon-bot/tenon/bot/port"
)

// docsURL is where the pages of the docs are.
const docsURL = "https://github.com/tenon-bot/tenon/blob/main/docs"

// helpGroups are the titles of the groups of commands.
var helpGroups = []struct {
	group command.Group
	title string
}{
	{command.GroupChange, "Ask for a change"},
	{command.GroupResult, "Continue from an answer"},
	{command.GroupTenon, "Check and stop"},
}

// HelpBody returns the answer to help. slug is the app's name, and label the one that starts a fix.
func HelpBody(slug, label string) string {
	sections := []string{"Write a command at the start of a line: in a comment, in a review, on a line of a diff, or in " +
		"a new issue. [More about the commands](" + docsURL + "/commands.md)"}
	for _, g := range helpGroups {
		sections = append(sections, "**"+g.title+"**\n\n"+commandList(g.group))
	}
	return markdown.JoinSections(append(sections,
		fmt.Sprintf("`@%s <what>` is `/tenon fix <what>`. The label %s asks for what the issue or pull request says.",
			slug, markdown.Code(label)),
		"Name the files you mean, such as `server/start.go:12`, or paste the error: the model sees those first.",
		markdown.Fold("Options, and who may give commands", optionList()+"\n\n"+permissions())))
}

func commandList(group command.Group) string {
	var lines []string
	for _, c := range command.All() {
		if c.Group == group {
			lines = append(lines, fmt.Sprintf("- `%s` %s", c.ShortUsage(), c.Description))
		}
	}
	return strings.Join(lines, "\n")
}

// optionList explains the options that a command takes.
func optionList() string {
	var b strings.Builder
	b.WriteString("Options come between the verb and the text:\n")
	for _, o := range command.AllOptions() {
		takes := func(c command.Command) bool { return slices.Contains(c.Options, o.Name) }
		if slices.ContainsFunc(command.All(), takes) {
			fmt.Fprintf(&b, "\n- `%s` %s", o.Usage, o.About)
		}
	}
	return b.String()
}

// permissions says what the commands need.
func permissions() string {
	var readers []string
	for _, c := range command.All() {
		if c.Needs == port.PermissionRead {
			readers = append(readers, "`"+c.Verb+"`")
		}
	}
	return strings.Join(readers, " and ") + " need read permission in the repository, the others need write permission; " +
		"settings can require more."
}
