package bot

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// said is a command of a test, for each kind of argument.
func said(takes argument, options ...string) Command {
	return Command{Verb: "plane", Usage: "/tenon plane", Example: "/tenon plane 1", takes: takes, Options: options}
}

func TestAnArgumentIsReadFromItsLine(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		takes   argument
		rest    string
		numbers []int
		run     string
		text    string
	}{
		"nothing":                           {takes: nothing, rest: ""},
		"nothing, and a remark below":       {takes: nothing, rest: " \r\nIt was wrong.\r\n", text: "It was wrong."},
		"words that are passed over":        {takes: anyWords, rest: " with fix, please"},
		"numbers":                           {takes: numbers, rest: " 1,3-4", numbers: []int{1, 3, 4}},
		"no numbers: all":                   {takes: maybeNumbers, rest: ""},
		"some numbers":                      {takes: maybeNumbers, rest: "\t2 ", numbers: []int{2}},
		"a reply below":                     {takes: maybeNumbers, rest: "\n\na.go\n<<<<<<< SEARCH", text: "a.go\n<<<<<<< SEARCH"},
		"numbers, and a reply below":        {takes: maybeNumbers, rest: " 1\na.go", numbers: []int{1}, text: "a.go"},
		"no run: the newest":                {takes: maybeRun, rest: ""},
		"a run":                             {takes: maybeRun, rest: " k3v9x1p7q2m4", run: "k3v9x1p7q2m4"},
		"a run that was copied with quotes": {takes: maybeRun, rest: " `K3V9X1P7Q2M4`", run: "k3v9x1p7q2m4"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			inv := said(c.takes).parse(c.rest)
			require.Empty(t, inv.problem)
			require.Equal(t, c.numbers, inv.numbers)
			require.Equal(t, c.run, inv.run)
			require.Equal(t, c.text, inv.text)
		})
	}
}

func TestAnArgumentThatDoesNotFitSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for story, c := range map[string]struct {
		takes      argument
		rest, says string
	}{
		"words where there are none":    {nothing, " now", "`/tenon plane` takes nothing more on its line, and there is `now`."},
		"an option where there is none": {nothing, " --now", "there is `--now`"},
		"no text":                       {someText, " \n ", "`/tenon plane` wants to know what."},
		"no numbers":                    {numbers, "\n1", "The numbers are missing. Write it like this: `/tenon plane 1`."},
		"words for numbers":             {maybeNumbers, " both", "`both` is no list of numbers from 1 to 1000. Write it like this"},
		"words for a run":               {maybeRun, " the last", "`the last` is no run."},
		"a run that is too long":        {maybeRun, " k3v9x1p7q2m4x", "is no run"},
	} {
		t.Run(story, func(t *testing.T) {
			t.Parallel()
			require.Contains(t, said(c.takes).parse(c.rest).problem, c.says)
		})
	}
}

func TestOptionsOfACommandThatTakesNoTextStandOnItsLine(t *testing.T) {
	t.Parallel()
	c := said(nothing, "--model")
	inv := c.parse(" --model fast\n--model big")
	require.Empty(t, inv.problem)
	require.Equal(t, "fast", inv.options.model)
	require.Contains(t, c.parse(" --model\nfast").problem, "needs a value")
	require.Contains(t, c.parse(" --model fast again").problem, "there is `again`")
	require.Contains(t, c.parse(" --files a.go").problem, "`/tenon plane` takes no `--files`.")
}

func TestALabelAsksForWhatTheIssueSays(t *testing.T) {
	t.Parallel()
	ev := Event{Kind: Labeled, Label: "Tenon", Thread: Thread{Title: "--model of the parser"}, Comment: Comment{Kind: IssueBody, Body: "It panics.\n\n/tenon help"}}
	inv, ok := invocationOf(ev, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, "fix", inv.command.Verb)
	require.Empty(t, inv.problem)
	require.Equal(t, "--model of the parser\n\nIt panics.\n\n/tenon help", inv.text, "no option, no other command")
	require.False(t, Aside(ev, "tenon"))

	for _, set := range []string{"bug", "tenon", "sawdust-2", ""} {
		ev.Label = set
		_, ok = invocationOf(ev, "tenon", "sawdust")
		require.False(t, ok, set)
	}
}

func TestAButtonAsksForItsVerb(t *testing.T) {
	t.Parallel()
	for story, b := range map[string]*Button{
		"no button":                   nil,
		"a verb without a button":     {Verb: "fix", Run: "k3v9x1p7q2m4"},
		"a button of no verb":         {Verb: "", Run: "k3v9x1p7q2m4"},
		"a button for a run of words": {Verb: "undo", Run: "k3v9x1p7q2 4"},
	} {
		_, ok := invocationOf(Event{Kind: Pressed, Button: b, Comment: Comment{Body: "/tenon fix it"}}, "tenon", "tenon")
		require.False(t, ok, story)
	}
	for _, verb := range []string{"undo", "retry", "apply"} {
		inv, ok := invocationOf(Event{Kind: Pressed, Button: &Button{Verb: verb, Run: "k3v9x1p7q2m4"}}, "tenon", "tenon")
		if c, known := commandNamed(verb); known {
			require.True(t, ok)
			require.Equal(t, c.Verb, inv.command.Verb)
			require.Equal(t, "k3v9x1p7q2m4", inv.run)
		}
		require.Empty(t, inv.problem)
	}
}

func TestWhatIsAnsweredWithoutWorkDoesNotWait(t *testing.T) {
	t.Parallel()
	for body, aside := range map[string]bool{
		"/tenon help":          true,
		"/tenon status":        true,
		"/tenon cancel, do":    true,
		"@tenon cancel":        true,
		"@tenon cancel it":     false,
		"/tenon":               true,
		"@tenon":               true,
		"/tenon fx it":         true,
		"/tenon fix":           true,
		"/tenon fix it":        false,
		"@tenon help me":       false,
		"> /tenon help":        false,
		"nothing for anybody":  false,
		"@tenonic help":        false,
		strings.Repeat("@", 9): false,
	} {
		for _, kind := range []EventKind{IssueComment, ReviewComment, Review, IssueBody} {
			require.Equal(t, aside, Aside(Event{Kind: kind, Comment: Comment{Kind: kind, Body: body}}, "tenon"), body)
		}
	}
}
