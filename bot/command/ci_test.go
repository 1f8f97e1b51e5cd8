package command

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
)

// What people write, and what it has to do with CI.
func TestWhatATextHasToDoWithCI(t *testing.T) {
	t.Parallel()
	for words, bodies := range map[CIWords][]string{
		CINamed: {
			"/tenon fix ci", "/tenon fix CI", "/tenon fix CI.", "/tenon fix ci please", "/tenon fix `ci`", "@tenon fix ci",
			"@tenon, fix CI, please!", "/tenon fix --model fast ci", "/tenon preview ci", "@tenon CI is red",
		},
		CIAndMore: {
			"/tenon fix ci, but leave the snapshots alone", "/tenon fix ci\n\nThe snapshots are right.",
			"/tenon fix CI: only the linter", "/tenon fix ci - not the docs", "/tenon fix ci: cache the go modules",
		},
		CIMeant: {
			"/tenon fix the build", "/tenon fix build", "/tenon fix the broken build", "/tenon fix the failing tests",
			"/tenon fix failing test", "/tenon fix this failing check", "/tenon fix the tests that fail", "@tenon make CI green",
			"@tenon make CI green again, please", "@tenon make the tests pass", "@tenon get the build to pass",
			"@tenon the build is broken", "@tenon all checks have failed", "@tenon please fix the test failures",
			"/tenon fix the failing pipeline", "/tenon preview the failing tests", "/tenon fix the red checks",
			"@tenon unbreak the build", "/tenon fix the build errors", "/tenon fix this CI failure",
		},
		CIMentioned: {
			"/tenon fix the pipeline errors", "/tenon fix the pipeline",
			"/tenon fix the tests", "/tenon fix the build script", "/tenon fix ci.yml and its tests", "/tenon fix the CI config",
			"/tenon fix the lint errors in `a.go`", "/tenon fix the failing test in parse_test.go", "/tenon fix ci/run",
			"/tenon ask why does CI fail?", "/tenon ask ci", "/tenon fix the compiler error", "/tenon address\n\nand the tests",
			"/tenon retry\n\nwithout the failing test", "/tenon fix the build, but keep `Makefile`",
			"/tenon fix " + strings.Repeat("please ", 12) + "the build", "@tenon implement CI", "/tenon fix the workflow",
			"/tenon fix type-checking", "/tenon fix the failed job of yesterday",
		},
		CINone: {
			"/tenon fix the nil check", "/tenon fix it", "/tenon fix the parser", "/tenon fix make it green", "/tenon undo",
			"/tenon fix the contest of builders", "/tenon fix science", "/tenon help ci", "/tenon fix the workshop",
			"/tenon fix the checkbox",
		},
	} {
		for _, body := range bodies {
			inv, ok := FromEvent(commentOn(true, body), "tenon", "")
			require.True(t, ok, body)
			require.Empty(t, inv.Problem, body)
			require.Equal(t, words, inv.CI, body)
		}
	}
}

func TestAnAutofixFixesWhatCIReports(t *testing.T) {
	t.Parallel()
	ev := port.Event{Kind: port.Autofix, Followed: &port.Followed{Run: "k3v9x1p7q2m4"},
		Comment: port.Comment{Body: "/tenon undo"}}
	inv, ok := FromEvent(ev, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, Fix, inv.Command.Verb)
	require.Equal(t, "ci", inv.Text)
	require.Equal(t, CINamed, inv.CI)
	require.Empty(t, inv.Problem)
	_, ok = FromEvent(port.Event{Kind: port.Autofix}, "tenon", "tenon")
	require.False(t, ok, "of nothing")
	ev.Kind = port.Following
	_, ok = FromEvent(ev, "tenon", "tenon")
	require.False(t, ok, "which gives no command")
}

func TestTheButtonOfAFixIsAboutCI(t *testing.T) {
	t.Parallel()
	ev := port.Event{Kind: port.Pressed, Button: &port.Button{Verb: Fix, Run: "k3v9x1p7q2m4"}}
	inv, ok := FromEvent(ev, "tenon", "tenon")
	require.True(t, ok)
	require.Equal(t, Fix, inv.Command.Verb)
	require.Equal(t, CINamed, inv.CI)
	require.Equal(t, "ci", inv.Text)
	require.Empty(t, inv.Problem)
	ev.Button.Run = "of words"
	_, ok = FromEvent(ev, "tenon", "tenon")
	require.False(t, ok)
}
