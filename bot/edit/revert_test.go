package edit

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// revert reverts on the tip what led from before to after.
func revert(t *testing.T, before, after, tip map[string]string) (map[string]string, engine.Outcome) {
	t.Helper()
	c := newCheckout(tip)
	r := Revert{Before: newCheckout(before), After: newCheckout(after), Tip: c, Protected: protects}
	names := maps.Clone(before)
	maps.Copy(names, after)
	out, err := r.Stage(t.Context(), slices.Sorted(maps.Keys(names)))
	require.NoError(t, err)
	return c.texts(), out
}

func verdicts(out engine.Outcome) (lines []string) {
	for _, r := range out.Results {
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s %s", r.Path, r.Status, r.Reason)))
	}
	return lines
}

func TestAnUndoBringsBackWhatWasThereBefore(t *testing.T) {
	t.Parallel()
	before := map[string]string{"changed": "one\ntwo\n", "gone": "#!/bin/sh\n", "same": "x\n", "old/name": "moved\n"}
	after := map[string]string{"changed": "one\n2\n", "made": "new\n", "same": "x\n", "new/name": "moved\n"}
	tip := maps.Clone(after)
	tip["later"] = "somebody else's\n"
	files, out := revert(t, before, after, tip)
	before["later"] = "somebody else's\n"
	require.Equal(t, before, files)
	require.Equal(t, []string{"changed applied", "gone applied", "made applied", "new/name applied", "old/name applied",
		"same skipped no-change"}, verdicts(out))
	require.ElementsMatch(t, []string{"changed", "gone", "made", "new/name", "old/name"}, out.Changed)
	require.Equal(t, 2, out.Results[0].Line)
	require.Equal(t, &engine.Edit{Line: 2, Removed: []string{"2"}, Added: []string{"two"}, ContextBefore: []string{"one"},
		ContextAfter: []string{}}, out.Results[0].Edit)
	require.Equal(t, "Brought back", out.Results[1].Detail)
	require.Equal(t, "Removed again", out.Results[2].Detail)
}

func TestAnUndoKeepsTheModeOfAProgram(t *testing.T) {
	t.Parallel()
	tip := newCheckout(map[string]string{"kept": "#!/bin/sh\nb\n", "mode": "#!/bin/sh\n"})
	after := newCheckout(map[string]string{"kept": "#!/bin/sh\nb\n", "mode": "#!/bin/sh\n"})
	after.executable["mode"], tip.executable["mode"] = false, false
	r := Revert{
		Before: newCheckout(map[string]string{"kept": "#!/bin/sh\na\n", "gone": "#!/bin/sh\n", "mode": "#!/bin/sh\n"}),
		After:  after, Tip: tip, Protected: protects,
	}
	out, err := r.Stage(t.Context(), []string{"kept", "gone", "mode"})
	require.NoError(t, err)
	require.Equal(t, []string{"kept applied", "gone applied", "mode applied"}, verdicts(out))
	require.Equal(t, map[string]bool{"kept": true, "gone": true, "mode": true}, tip.executable)
}

func TestAnUndoOfWhatIsUndoneDoesNothing(t *testing.T) {
	t.Parallel()
	before, after := map[string]string{"f": "a\n", "gone": "x\n"}, map[string]string{"f": "b\n", "made": "y\n"}
	files, out := revert(t, before, after, before)
	require.Equal(t, []string{"f skipped already-applied", "gone skipped already-applied", "made skipped already-applied"},
		verdicts(out))
	require.Equal(t, before, files)
	require.Empty(t, out.Changed)

	before, after = map[string]string{"f": poem(map[int]string{5: "old\n"})},
		map[string]string{"f": poem(map[int]string{5: "new\n"})}
	_, out = revert(t, before, after, map[string]string{"f": poem(map[int]string{5: "old\n", 15: "later\n"})})
	require.Equal(t, []string{"f skipped already-applied"}, verdicts(out))
}

func TestAnUndoWritesNeitherWhereItMayNotNorThroughLinks(t *testing.T) {
	t.Parallel()
	tip := newCheckout(map[string]string{".github/workflows/ci.yml": "b\n", "dir/below": "x\n", "big": "much too large"})
	tip.kinds["link"], tip.kinds["up"], tip.most = engine.Symlink, engine.Submodule, 10
	r := Revert{
		Before: newCheckout(map[string]string{".github/workflows/ci.yml": "a\n", "link": "a\n", "up/x": "a\n", "dir": "a\n",
			"big": "a"}),
		After: newCheckout(map[string]string{".github/workflows/ci.yml": "b\n", "big": "b"}), Tip: tip, Protected: protects,
	}
	out, err := r.Stage(t.Context(), []string{".github/workflows/ci.yml", "link", "up/x", "dir", "big"})
	require.NoError(t, err)
	require.Equal(t, []string{".github/workflows/ci.yml failed protected-path", "link failed overlap",
		"up/x failed overlap", "dir failed overlap", "big failed too-large"}, verdicts(out))

	_, err = r.Stage(t.Context(), make([]string, maxReverted+1))
	var user *port.UserError
	require.ErrorAs(t, err, &user)
}

func TestAnUndoOfWhatCannotBeShownAsLinesShowsNone(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x\n", maxDescribed+1)
	before := map[string]string{"picture": "a\x00b", "long": "one\n" + long}
	after := map[string]string{"picture": "a\x00c", "long": "one\n"}
	files, out := revert(t, before, after, after)
	require.Equal(t, before, files)
	require.Equal(t, []string{"long applied", "picture applied"}, verdicts(out))
	for _, r := range out.Results {
		require.Nil(t, r.Edit)
		require.Zero(t, r.Line)
	}
}

func TestAnUndoPassesOnWhatACheckoutSays(t *testing.T) {
	t.Parallel()
	before := newCheckout(map[string]string{"changed": "a\n", "gone": "x\n"})
	after := newCheckout(map[string]string{"changed": "b\n", "made": "y\n"})
	for _, method := range []string{"Kind", "Load", "ReadFile", "WriteFile", "Remove", "Executable", "Changes"} {
		tip := brokenCheckout{newCheckout(map[string]string{"changed": "b\n", "made": "y\n"}), method}
		r := Revert{Before: before, After: after, Tip: tip, Protected: protects}
		out, err := r.Stage(t.Context(), []string{"changed", "gone", "made"})
		require.ErrorIs(t, err, errBroken, method)
		if method != "Changes" {
			require.Empty(t, out.Results, method)
		}
	}
}

// An undo takes a renaming by case back, and makes no second file of a name that differs in case alone.
func TestAnUndoMakesNoCasePair(t *testing.T) {
	t.Parallel()
	files, _ := revert(t, map[string]string{"readme.md": "r\n"}, map[string]string{"README.md": "r\n"},
		map[string]string{"README.md": "r\n"})
	require.Equal(t, map[string]string{"readme.md": "r\n"}, files)
	files, out := revert(t, map[string]string{"readme.md": "r\n"}, map[string]string{},
		map[string]string{"ReadMe.md": "another\n"})
	require.Equal(t, map[string]string{"ReadMe.md": "another\n"}, files)
	require.Contains(t, out.Results[0].Detail, "ReadMe.md exists now")
}
