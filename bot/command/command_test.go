package command

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

func TestEveryCommandIsExplained(t *testing.T) {
	t.Parallel()
	permissions := []port.Permission{port.PermissionRead, port.PermissionWrite}
	for _, c := range All() {
		require.Regexp(t, "^/tenon "+c.Verb+`\b`, c.Usage)
		require.NotEmpty(t, c.Description)
		require.NotEmpty(t, c.Example)
		require.NotZero(t, c.Takes)
		require.ElementsMatch(t, c.Options, regexp.MustCompile(`--[a-z]+`).FindAllString(c.Usage, -1),
			"the usage of %s names the options that it takes", c.Verb)
		require.Contains(t, permissions, c.Needs)
		for _, name := range c.Options {
			_, known := lookupOption(name)
			require.True(t, known, "%s of %s is an option", name, c.Verb)
		}
		inv, ok := parseText(c.Example, "tenon")
		require.True(t, ok, "the example of %s is a command", c.Verb)
		require.Equal(t, c.Verb, inv.Command.Verb)
		require.Empty(t, inv.Problem)
	}
}

func TestEveryVerbIsInTheTableOnce(t *testing.T) {
	t.Parallel()
	var verbs []string
	for _, c := range All() {
		verbs = append(verbs, c.Verb)
		found, ok := Lookup(c.Verb)
		require.True(t, ok)
		require.Equal(t, c, found)
	}
	require.Equal(t, []string{Fix, Ask, Address, Preview, Update, Resolve, Backport, Apply, Retry, Undo, Run, Ready,
		Cancel, Status, Config, Help}, verbs)
	_, ok := Lookup("unknown")
	require.False(t, ok, "a verb with which nothing can be done")
}

// What the rest of the program asks of a command is here for each: a new command that belongs to a row has to be added
// to it.
func TestTheTraitsOfCommands(t *testing.T) {
	t.Parallel()
	for trait, c := range map[string]struct {
		verbs string
		has   func(Command) bool
	}{
		"does not wait":       {"cancel status config help", func(c Command) bool { return c.Immediate }},
		"cannot be forbidden": {"cancel status config help", func(c Command) bool { return c.AlwaysAllowed }},
		"changes nothing":     {"ask status config help", func(c Command) bool { return c.ReadOnly }},
		"commits": {"fix address update resolve backport apply retry undo run", func(c Command) bool {
			return c.Commits
		}},
		"can be retried":     {"fix address apply retry", func(c Command) bool { return c.Retryable }},
		"has a button":       {"fix apply retry undo", func(c Command) bool { return c.Button }},
		"is given on a page": {"apply retry undo cancel", func(c Command) bool { return c.Page }},
		"takes a task":       {"fix ask address preview retry", func(c Command) bool { return c.Text == TextTask }},
		"asks a model": {"fix ask address preview resolve backport retry", func(c Command) bool {
			return slices.Contains(c.Options, "--model")
		}},
		"takes edits": {"apply", func(c Command) bool { return c.Text == TextEdits }},
		"is answered in a review": {"fix ask address update apply retry undo run", func(c Command) bool {
			return c.Answer == AnswerInReview
		}},
		"is answered where it was given": {"backport ready cancel status config help", func(c Command) bool {
			return c.Answer == AnswerInPlace
		}},
		"is answered with check boxes": {"preview " +
			"resolve", func(c Command) bool { return c.Answer == AnswerInConversation }},
		"means the issue without a text": {"fix preview", func(c Command) bool { return c.MeansIssue }},
		"is for merged pull requests":    {"backport", func(c Command) bool { return c.OnMerged }},
		"may be given by any reader":     {"status help", func(c Command) bool { return c.Needs == port.PermissionRead }},
	} {
		var verbs []string
		for _, command := range All() {
			if c.has(command) {
				verbs = append(verbs, command.Verb)
			}
		}
		require.Equal(t, c.verbs, strings.Join(verbs, " "), trait)
	}
	for _, c := range All() {
		require.False(t, c.ReadOnly && c.Commits, c.Verb)
		require.True(t, c.Commits || !c.Retryable, "%s has edits that can be retried", c.Verb)
	}
}

func TestACommandTakesItsOptionsAndNoOther(t *testing.T) {
	t.Parallel()
	values := map[string]string{"--model": "fast", "--format": "diff", "--files": "a.go", "--base": "main"}
	for _, c := range All() {
		for _, o := range AllOptions() {
			inv := c.parse(" " + o.Name + " " + values[o.Name])
			if c.Takes == SomeText || c.Takes == Branches {
				inv = c.parse(" " + o.Name + " " + values[o.Name] + " it")
			}
			if slices.Contains(c.Options, o.Name) {
				require.Empty(t, inv.Problem)
				require.NotZero(t, inv.Options)
			} else if c.Takes != AnyWords {
				require.NotEmpty(t, inv.Problem, "%s takes no %s", c.Verb, o.Name)
			}
		}
	}
}
