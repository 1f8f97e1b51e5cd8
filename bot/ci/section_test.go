package ci_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

// step is a step that ran between two seconds.
func step(number int, name, conclusion string, from, to int) port.JobStep {
	return port.JobStep{
		Number: number, Name: name, Conclusion: conclusion, Started: at(from) + "Z", Completed: at(to) + "Z",
	}
}

const (
	exited = "##[error]Process completed with exit code 1.\n"
	posted = "Post job cleanup.\nerror: later\n"
)

func group(name string) string { return "##[group]Run " + name + "\nshell: bash\n##[endgroup]\n" }

func TestOnlyTheStepThatFailedIsShown(t *testing.T) {
	t.Parallel()
	setUp := step(1, "Set up job", "success", 0, 1)
	for story, c := range map[string]struct {
		steps []port.JobStep
		log   string
	}{
		"by its times": {
			[]port.JobStep{setUp, step(2, "lint", "success", 1, 4), step(3, "test", "failure", 5, 9)},
			stamped(1, group("lint")+"error: early\n") + stamped(5, group("test")) + stamped(7, "error: mine\n"+exited) +
				stamped(10, posted),
		},
		"where all is in one second": {
			[]port.JobStep{setUp, step(2, "a", "success", 3, 3), step(3, "b", "skipped", 3, 3), step(4, "test", "failure", 3, 3),
				step(5, "report", "success", 3, 3)},
			stamped(3, group("a")+"error: early\n"+exited+group("test")+"error: mine\n"+exited+group("report")+"error: later\n"+
				posted),
		},
		"where the group begins a second later": {
			[]port.JobStep{setUp, step(2, "a", "success", 1, 3), step(3, "test", "failure", 3, 6)},
			stamped(2, group("a")) + stamped(3, "error: early\n") + stamped(4, group("test")+"error: mine\n"+exited) +
				stamped(6, posted),
		},
		"which is made of several": {
			[]port.JobStep{setUp, step(2, "test", "failure", 2, 6)},
			stamped(1, "error: early\n") + stamped(2, group("./action")+group("one")) + stamped(3, exited+group("two")) +
				stamped(6, "error: mine\n"+exited+posted),
		},
		"whose times have an offset": {
			[]port.JobStep{setUp, {Number: 2, Name: "test", Conclusion: "failure", Started: "2026-05-06T05:00:02.123-07:00",
				Completed: "2026-05-06T05:00:04.000-07:00"}},
			stamped(1, "error: early\n") + stamped(3, group("test")+"error: mine\n"+exited) + stamped(5, posted),
		},
		"which was cancelled": {
			[]port.JobStep{setUp, step(2, "test", "cancelled", 2, 6), step(3, "more", "skipped", 6, 6)},
			stamped(1, "error: early\n") + stamped(2, group("test")+"error: mine\n##[error]The operation was canceled.\n") +
				stamped(7, posted),
		},
		"which did not end": {
			[]port.JobStep{setUp, {Number: 2, Name: "test", Conclusion: "failure", Started: at(2) + "Z"}},
			stamped(1, "error: early\n") + stamped(2, group("test")) + stamped(300, "error: mine\n"),
		},
		"whose times are of another clock": {
			[]port.JobStep{step(2, "test", "failure", 600, 700)},
			stamped(1, group("a")+"error: early\n"+group("test")+"error: mine\n"+exited+posted),
		},
		"by groups alone": {
			nil,
			stamped(1, group("a")+"error: early\n"+group("test")+"error: mine\n"+exited+group("report")+"error: later\n"+posted),
		},
		"without times": {
			[]port.JobStep{step(2, "test", "failure", 1, 2)},
			group("a") + "error: early\n" + group("test") + "error: mine\r\n" + strings.ReplaceAll(exited+posted, "\n", "\r\n"),
		},
		"without times, and long": {
			[]port.JobStep{step(2, "test", "failure", 1, 2)}, "error: mine\n" + strings.Repeat("nothing\n", 30_000),
		},
		"without groups": {nil, "error: mine\n"},
	} {
		text := excerpt(read(t, c.log, port.Job{Steps: c.steps}), ci.MaxTokens)
		require.Contains(t, text, "error: mine\n", story)
		require.NotContains(t, text, "early", story)
		require.NotContains(t, text, "later", story)
	}
}

func TestAllStepsThatFailedAreShown(t *testing.T) {
	t.Parallel()
	log := read(t, stamped(2, group("test")+"error: one\n"+exited)+stamped(5, group("fine")+"error: fine\n")+
		stamped(8, group("upload")+"error: two\n##[error]no file\n"+posted),
		port.Job{Steps: []port.JobStep{step(2, "test", "failure", 2, 3), step(3, "fine", "success", 5, 6),
			step(4, "upload", "failure", 8, 9)}})
	text := excerpt(log, ci.MaxTokens)
	require.Contains(t, text, "error: one\n")
	require.Contains(t, text, "error: two\n")
	require.NotContains(t, text, "fine")
	require.Equal(t, "test", log.Step)
}

// The script of a step is no output, and its settings may be many.
func TestTheScriptOfAStepIsNoError(t *testing.T) {
	t.Parallel()
	text := excerpt(streamed(t, strings.NewReader("##[group]Run if ! make; then\n\x1b[36;1mif ! make; then\x1b[0m\n"+
		"\x1b[36;1m  echo 'panic: no'\x1b[0m\nshell: bash\nenv:\n  NOTE: panic: never\n##[endgroup]\npanic: yes\n")), 400)
	require.Equal(t, "Run if ! make; then\n  echo 'panic: no'\npanic: yes\n", text)
}
