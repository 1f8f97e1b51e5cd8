package bot

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

// stageTree is a checkout on which changes are staged. Programs begin with "#!".
type stageTree struct {
	engine.MemTree
	opened   engine.MemTree
	kinds    map[string]engine.Kind
	programs map[string]bool
	loaded   map[string]bool
	most     int
}

func newStage(files map[string]string) *stageTree {
	c := &stageTree{MemTree: treeOf(files), opened: treeOf(files), kinds: map[string]engine.Kind{}, programs: map[string]bool{}, loaded: map[string]bool{}}
	for name, text := range files {
		c.programs[name] = strings.HasPrefix(text, "#!")
	}
	return c
}

func (c *stageTree) SHA() string  { return headSHA }
func (c *stageTree) Tree() string { return "" }

func (c *stageTree) Kind(name string) (engine.Kind, error) {
	for path, kind := range c.kinds {
		if name == path {
			return kind, nil
		}
		if strings.HasPrefix(path, name+"/") {
			return engine.Folder, nil
		}
		if strings.HasPrefix(name, path+"/") {
			return engine.Absent, nil
		}
	}
	return c.MemTree.Kind(name)
}

func (c *stageTree) Load(_ context.Context, names ...string) error {
	for _, name := range names {
		c.loaded[name] = true
	}
	return nil
}

func (c *stageTree) ReadFile(name string) ([]byte, error) {
	data, err := c.MemTree.ReadFile(name)
	switch {
	case err != nil:
		return nil, err
	case !c.loaded[name]:
		return nil, errors.New("not loaded: " + name)
	case c.most > 0 && len(data) > c.most:
		return nil, fmt.Errorf("%w: %w", engine.ErrTooLarge, &UserError{"it is too large"})
	}
	return data, nil
}

func (c *stageTree) WriteFile(name string, data []byte) error {
	if len(name) > 100 {
		return errors.New("the path is longer than 100 bytes")
	}
	if !inFolders(c, name) {
		return errors.New("something stands above it")
	}
	return c.MemTree.WriteFile(name, data)
}

func (c *stageTree) Remove(name string) error {
	if _, ok := c.MemTree[name]; !ok {
		return fs.ErrNotExist
	}
	delete(c.MemTree, name)
	delete(c.programs, name)
	return nil
}

func (c *stageTree) Move(from, to string) error {
	data, program := c.MemTree[from], c.programs[from]
	if kind, _ := c.Kind(to); kind != engine.Absent {
		return fs.ErrExist
	}
	if err := c.WriteFile(to, data); err != nil {
		return err
	}
	c.programs[to] = program
	return c.Remove(from)
}

func (c *stageTree) Executable(name string) (bool, error) { return c.programs[name], nil }

func (c *stageTree) SetExecutable(name string, yes bool) error {
	c.programs[name] = yes
	return nil
}

func (c *stageTree) Links(folder string) (out []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.kinds)) {
		if strings.HasPrefix(name, folder+"/") {
			out = append(out, name)
		}
	}
	return out, nil
}

func (c *stageTree) Changes() (out []Change, err error) {
	for _, name := range slices.Sorted(maps.Keys(c.opened)) {
		if _, stands := c.MemTree[name]; !stands {
			out = append(out, Change{Path: name})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.MemTree)) {
		if was, stood := c.opened[name]; !stood || string(was) != string(c.MemTree[name]) {
			out = append(out, Change{Path: name, Mode: "100644"})
		}
	}
	return out, nil
}

func (c *stageTree) Commit(context.Context, CommitRequest) (Commit, error) {
	return Commit{}, errors.New("nothing is committed here")
}

func (c *stageTree) texts() map[string]string {
	out := map[string]string{}
	for name, data := range c.MemTree {
		out[name] = string(data)
	}
	return out
}

// undone takes back, on the tip, what led from before to after.
func undone(t *testing.T, before, after, tip map[string]string) (map[string]string, engine.Outcome) {
	t.Helper()
	stage := newStage(tip)
	r := revert{before: newStage(before), after: newStage(after), tip: stage, protected: protectedPath}
	names := maps.Clone(before)
	maps.Copy(names, after)
	out, err := r.stage(t.Context(), slices.Sorted(maps.Keys(names)))
	require.NoError(t, err)
	return stage.texts(), out
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
	files, out := undone(t, before, after, tip)
	before["later"] = "somebody else's\n"
	require.Equal(t, before, files)
	require.Equal(t, []string{"changed applied", "gone applied", "made applied", "new/name applied", "old/name applied", "same skipped no-change"}, verdicts(out))
	require.ElementsMatch(t, []string{"changed", "gone", "made", "new/name", "old/name"}, out.Changed)
	require.Equal(t, 2, out.Results[0].Line)
	require.Equal(t, &engine.Edit{Line: 2, Removed: []string{"2"}, Added: []string{"two"}, ContextBefore: []string{"one"}, ContextAfter: []string{}}, out.Results[0].Edit)
	require.Equal(t, "Brought back", out.Results[1].Detail)
	require.Equal(t, "Removed again", out.Results[2].Detail)
}

func TestAnUndoKeepsTheModeOfAProgram(t *testing.T) {
	t.Parallel()
	stage := newStage(map[string]string{"kept": "#!/bin/sh\nb\n", "mode": "#!/bin/sh\n"})
	after := newStage(map[string]string{"kept": "#!/bin/sh\nb\n", "mode": "#!/bin/sh\n"})
	after.programs["mode"], stage.programs["mode"] = false, false
	r := revert{
		before: newStage(map[string]string{"kept": "#!/bin/sh\na\n", "gone": "#!/bin/sh\n", "mode": "#!/bin/sh\n"}),
		after:  after, tip: stage, protected: protectedPath,
	}
	out, err := r.stage(t.Context(), []string{"kept", "gone", "mode"})
	require.NoError(t, err)
	require.Equal(t, []string{"kept applied", "gone applied", "mode applied"}, verdicts(out))
	require.Equal(t, map[string]bool{"kept": true, "gone": true, "mode": true}, stage.programs)
}

// poem is a text of lines that can be told apart.
func poem(changes map[int]string) string {
	var b strings.Builder
	for i := 1; i <= 20; i++ {
		line, ok := changes[i]
		if !ok {
			line = fmt.Sprintf("line %d\n", i)
		}
		b.WriteString(line)
	}
	return b.String()
}

func TestAnUndoTakesBackItsOwnLinesAndKeepsLaterOnes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, tip, want map[int]string }{
		"far away": {
			map[int]string{5: "old\n"}, map[int]string{5: "new\n"},
			map[int]string{5: "new\n", 1: "", 15: "later\nand more\n"}, map[int]string{5: "old\n", 1: "", 15: "later\nand more\n"},
		},
		"several places": {
			map[int]string{3: "", 17: "old\nolder\n"}, map[int]string{3: "new\n", 17: ""},
			map[int]string{3: "new\n", 17: "", 10: "later\n"}, map[int]string{3: "", 17: "old\nolder\n", 10: "later\n"},
		},
		"one line between": {
			map[int]string{5: "old\n"}, map[int]string{5: "new\n"}, map[int]string{5: "new\n", 7: "later\n"}, map[int]string{5: "old\n", 7: "later\n"},
		},
		"one of two by hand": {
			map[int]string{5: "old\n", 12: "old\n"}, map[int]string{5: "new\n", 12: "new\n"},
			map[int]string{5: "old\n", 12: "new\n", 20: "later\n"}, map[int]string{5: "old\n", 12: "old\n", 20: "later\n"},
		},
		"at both ends": {
			map[int]string{1: "", 20: ""}, map[int]string{}, map[int]string{10: "later\n"}, map[int]string{1: "", 10: "later\n", 20: ""},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(changes map[int]string) map[string]string { return map[string]string{"f": poem(changes)} }
			files, out := undone(t, file(c.before), file(c.after), file(c.tip))
			require.Equal(t, []string{"f applied"}, verdicts(out), out.Results[0].Detail)
			require.Equal(t, poem(c.want), files["f"])
			require.Positive(t, out.Results[0].Line)
		})
	}
}

func TestWhatWasChangedAgainIsAnOverlapAndNoGuess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ before, after, tip string }{
		"the same line":       {poem(map[int]string{5: "old\n"}), poem(map[int]string{5: "new\n"}), poem(map[int]string{5: "newer\n"})},
		"the line beside it":  {poem(map[int]string{5: "old\n"}), poem(map[int]string{5: "new\n"}), poem(map[int]string{5: "new\n", 6: "later\n"})},
		"gone since":          {poem(map[int]string{5: "old\n"}), poem(map[int]string{5: "new\n"}), poem(map[int]string{5: ""})},
		"moved since":         {poem(map[int]string{5: "old\n"}), poem(map[int]string{5: "new\n"}), poem(map[int]string{5: "", 15: "new\n"})},
		"a copy since":        {"a\nold\nb\n", "a\nnew\nb\n", "a\nnew\nb\na\nnew\nb\n"},
		"a copy beside it":    {"a\nb\n", "a\nb\nb\n", "x\na\nb\nb\nb\n"},
		"other line endings":  {"a\nold\nb\n", "a\nnew\nb\n", "a\r\nnew\r\nb\r\n"},
		"no text":             {"a\nold\x00\nb\n", "a\nnew\x00\nb\n", "a\nnew\x00\nb\nc\nd\n"},
		"something else":      {"a\n", "b\n", "c\n"},
		"made, changed since": {"", poem(nil), poem(map[int]string{5: "later\n"})},
		"gone, another there": {"a\n", "", "b\n"},
		"removed since":       {"a\n", "b\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := func(text string) map[string]string {
				files := map[string]string{"other": "as it was\n"}
				if text != "" {
					files["f"] = text
				}
				return files
			}
			before, after := file(c.before), file(c.after)
			after["other"] = "changed\n"
			tip := file(c.tip)
			tip["other"] = "changed\n"
			files, out := undone(t, before, after, tip)
			require.Equal(t, []string{"f failed overlap", "other skipped held"}, verdicts(out))
			require.Equal(t, tip, files, "nothing is staged")
			require.Empty(t, out.Changed)
			require.NotEmpty(t, out.Results[0].Detail)
		})
	}
}

func TestAnOverlapShowsTheLinesAsTheyAreToday(t *testing.T) {
	t.Parallel()
	before, after := map[string]string{"f": poem(map[int]string{9: "old\n"})}, map[string]string{"f": poem(map[int]string{9: "new\n"})}
	_, out := undone(t, before, after, map[string]string{"f": poem(map[int]string{2: "", 9: "newer\n"})})
	require.Equal(t, 8, out.Results[0].Line)
	require.Equal(t, &engine.Excerpt{Line: 6, Lines: []string{"line 7", "line 8", "newer", "line 10", "line 11"}}, out.Results[0].ClosestMatch)
}

func TestAnUndoOfWhatIsUndoneDoesNothing(t *testing.T) {
	t.Parallel()
	before, after := map[string]string{"f": "a\n", "gone": "x\n"}, map[string]string{"f": "b\n", "made": "y\n"}
	files, out := undone(t, before, after, before)
	require.Equal(t, []string{"f skipped already-applied", "gone skipped already-applied", "made skipped already-applied"}, verdicts(out))
	require.Equal(t, before, files)
	require.Empty(t, out.Changed)

	before, after = map[string]string{"f": poem(map[int]string{5: "old\n"})}, map[string]string{"f": poem(map[int]string{5: "new\n"})}
	_, out = undone(t, before, after, map[string]string{"f": poem(map[int]string{5: "old\n", 15: "later\n"})})
	require.Equal(t, []string{"f skipped already-applied"}, verdicts(out))
}

func TestAnUndoWritesNeitherWhereItMayNotNorThroughLinks(t *testing.T) {
	t.Parallel()
	stage := newStage(map[string]string{".github/workflows/ci.yml": "b\n", "dir/below": "x\n", "big": "much too large"})
	stage.kinds["link"], stage.kinds["up"], stage.most = engine.Symlink, engine.Submodule, 10
	r := revert{
		before: newStage(map[string]string{".github/workflows/ci.yml": "a\n", "link": "a\n", "up/x": "a\n", "dir": "a\n", "big": "a"}),
		after:  newStage(map[string]string{".github/workflows/ci.yml": "b\n", "big": "b"}), tip: stage, protected: protectedPath,
	}
	out, err := r.stage(t.Context(), []string{".github/workflows/ci.yml", "link", "up/x", "dir", "big"})
	require.NoError(t, err)
	require.Equal(t, []string{".github/workflows/ci.yml failed protected-path", "link failed overlap", "up/x failed overlap", "dir failed overlap", "big failed too-large"}, verdicts(out))

	_, err = r.stage(t.Context(), make([]string, maxReverted+1))
	var user *UserError
	require.ErrorAs(t, err, &user)
}

// TestAMergeGivesWhatBothSidesDid changes random lines on both sides: what stands apart is merged, and nothing else is.
func TestAMergeGivesWhatBothSidesDid(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	merged := 0
	for range 3000 {
		ours, theirs, both := map[int]string{}, map[int]string{}, map[int]string{}
		apart, alike := true, false
		for range 1 + r.IntN(4) {
			i, j := 1+r.IntN(20), 1+r.IntN(20)
			ours[i], theirs[j] = strings.Repeat(fmt.Sprintf("ours %d\n", i), r.IntN(3)), strings.Repeat(fmt.Sprintf("theirs %d\n", j), r.IntN(3))
		}
		for i := range ours {
			for j := range theirs {
				apart, alike = apart && (i-j > 1 || j-i > 1), alike || i == j && ours[i] == theirs[j]
			}
		}
		if alike {
			continue
		}
		maps.Copy(both, ours)
		maps.Copy(both, theirs)
		m := merging{base: poem(nil), now: poem(theirs), ours: udiff.Lines(poem(nil), poem(ours)), theirs: udiff.Lines(poem(nil), poem(theirs))}
		text, ok := m.merge()
		if require.Equal(t, apart, ok, "%q %q", ours, theirs); ok {
			merged++
			require.Equal(t, poem(both), text)
		} else {
			require.NotNil(t, m.nearest)
		}
	}
	require.Greater(t, merged, 300)
}
