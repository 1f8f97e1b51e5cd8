package command

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// taking is a command of a test, for each kind of argument.
func taking(a Argument, options ...string) Command {
	return Command{Verb: "plane", Usage: "/tenon plane", Example: "/tenon plane 1", Takes: a, Options: options}
}

func TestAnArgumentIsReadFromItsLine(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		takes   Argument
		rest    string
		numbers []int
		run     string
		text    string
	}{
		"nothing":                           {takes: NoArgument, rest: ""},
		"nothing, and a remark below":       {takes: NoArgument, rest: " \r\nIt was wrong.\r\n", text: "It was wrong."},
		"words that are ignored":            {takes: AnyWords, rest: " with fix, please"},
		"numbers":                           {takes: Numbers, rest: " 1,3-4", numbers: []int{1, 3, 4}},
		"no numbers: all":                   {takes: OptionalNumbers, rest: ""},
		"some numbers":                      {takes: OptionalNumbers, rest: "\t2 ", numbers: []int{2}},
		"a reply below":                     {takes: OptionalNumbers, rest: "\n\na.go\n<<<<", text: "a.go\n<<<<"},
		"numbers, and a reply below":        {takes: OptionalNumbers, rest: " 1\na.go", numbers: []int{1}, text: "a.go"},
		"no run: the newest":                {takes: OptionalRun, rest: ""},
		"a run":                             {takes: OptionalRun, rest: " k3v9x1p7q2m4", run: "k3v9x1p7q2m4"},
		"a run that was copied with quotes": {takes: OptionalRun, rest: " `K3V9X1P7Q2M4`", run: "k3v9x1p7q2m4"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv := taking(c.takes).parse(c.rest)
			require.Empty(t, inv.Problem)
			require.Equal(t, c.numbers, inv.Numbers)
			require.Equal(t, c.run, inv.Run)
			require.Equal(t, c.text, inv.Text)
		})
	}
}

func TestAnArgumentThatDoesNotFitSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		takes      Argument
		rest, says string
	}{
		"words where there are none": {
			NoArgument, " now", "`/tenon plane` takes nothing else on its line, and there is `now`.",
		},
		"an option where there is none": {NoArgument, " --now", "there is `--now`"},
		"no numbers":                    {Numbers, "\n1", "The numbers are missing. Write it like this: `/tenon plane 1`."},
		"words for numbers": {
			OptionalNumbers, " both", "`both` is not a list of numbers from 1 to 1000. Write it like this",
		},
		"words for a run":        {OptionalRun, " the last", "`the last` is not a run."},
		"a run that is too long": {OptionalRun, " k3v9x1p7q2m4x", "is not a run"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, taking(c.takes).parse(c.rest).Problem, c.says)
		})
	}
}

func TestOptionsOfACommandThatTakesNoTextAreOnItsLine(t *testing.T) {
	t.Parallel()
	c := taking(NoArgument, "--model")
	inv := c.parse(" --model fast\n--model big")
	require.Empty(t, inv.Problem)
	require.Equal(t, "fast", inv.Options.Model)
	require.Contains(t, c.parse(" --model\nfast").Problem, "needs a value")
	require.Contains(t, c.parse(" --model fast again").Problem, "there is `again`")
	require.Contains(t, c.parse(" --files a.go").Problem, "`/tenon plane` takes no `--files`.")
}
