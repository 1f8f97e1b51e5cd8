package edit

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/engine"
)

// opsOf are the operations of a script, as the engine reads them.
func opsOf(t *testing.T, script string) (ops []engine.Op) {
	t.Helper()
	for _, s := range engine.Parse("```sh\n"+script+"\n```\n", engine.ParseOptions{}).Suggestions {
		require.NotNil(t, s.Op, s.Command)
		ops = append(ops, *s.Op)
	}
	return ops
}

func shop() *memCheckout {
	c := newCheckout(map[string]string{
		"README.md": "r\n", "docs/a.md": "a\n", "docs/deep/b.md": "b\n", "docs-old.md": "o\n", "run.sh": "#!/bin/sh\n",
		"linked/x": "x\n", ".github/workflows/ci.yml": "on: push\n",
	})
	c.kinds["linked/link"], c.kinds["sub"] = engine.Symlink, engine.Submodule
	return c
}

func TestFileOperationsAreCarriedOutOnTheTree(t *testing.T) {
	t.Parallel()
	for script, c := range map[string]struct{ row, gone, made string }{
		"git rm README.md":               {"Removed 1 file", "README.md", ""},
		"rm -rf docs":                    {"Removed 2 files", "docs/a.md docs/deep/b.md", ""},
		"rm -r docs/deep docs/deep/b.md": {"Removed 1 file", "docs/deep/b.md", ""},
		"git rm -rf run.sh":              {"Removed 1 file", "run.sh", ""},
		"git mv README.md READ.md":       {"Moved 1 file to READ.md", "README.md", "READ.md"},
		"mv README.md docs":              {"Moved 1 file to docs", "README.md", "docs/README.md"},
		"git mv docs manual": {
			"Moved 2 files to manual", "docs/a.md docs/deep/b.md", "manual/a.md manual/deep/b.md",
		},
		"mv docs linked": {
			"Moved 2 files to linked", "docs/a.md docs/deep/b.md", "linked/docs/a.md linked/docs/deep/b.md",
		},
		"mv README.md run.sh docs":              {"Moved 2 files to docs", "README.md run.sh", "docs/README.md docs/run.sh"},
		"mv docs/deep/b.md docs/b.md":           {"Moved 1 file to docs/b.md", "docs/deep/b.md", "docs/b.md"},
		"mv README.md new/deep/name.md":         {"Moved 1 file to new/deep/name.md", "README.md", "new/deep/name.md"},
		"mkdir -p a/b\ngit mv README.md a/b":    {"Moved 1 file to a/b", "README.md", "a/b/README.md"},
		"mkdir -p a/b\ngit mv README.md a":      {"Moved 1 file to a", "README.md", "a/README.md"},
		"git mv README.md x\ngit mv x docs/x":   {"Moved 1 file to docs/x", "README.md", "docs/x"},
		"rm docs-old.md\nmv README.md docs-old": {"Moved 1 file to docs-old", "README.md docs-old.md", "docs-old"},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			tree := shop()
			f := &FileOps{Checkout: tree, Protected: protects}
			out, err := f.Run(opsOf(t, script))
			require.NoError(t, err)
			last := out.Results[len(out.Results)-1]
			require.Equal(t, "applied "+c.row, last.Status.String()+" "+last.Detail)
			var gone, made []string
			changes, err := tree.Changes()
			require.NoError(t, err)
			for _, change := range changes {
				if change.Removed() {
					gone = append(gone, change.Path)
				} else {
					made = append(made, change.Path)
				}
			}
			require.Equal(t, c.gone, strings.Join(gone, " "))
			require.Equal(t, c.made, strings.Join(made, " "))
		})
	}
}

func TestAMovedExecutableStaysOne(t *testing.T) {
	t.Parallel()
	tree := shop()
	_, err := (&FileOps{Checkout: tree, Protected: protects}).Run(opsOf(t, "mv run.sh docs"))
	require.NoError(t, err)
	require.True(t, tree.executable["docs/run.sh"])
}

func TestAnOperationThatFailsChangesNothingAndStopsNoOther(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 95)
	for script, says := range map[string]string{
		"rm nothing":                   "There is nothing at nothing",
		"rm README.md nothing":         "There is nothing at nothing",
		"git rm docs":                  "docs is a folder, and the command does not remove folders without -r",
		"rm -f docs/deep":              "docs/deep is a folder",
		"rm README.md docs/":           "docs is a folder",
		"rm -rf linked":                "linked/link is a link or a submodule",
		"rm linked/link":               "linked/link is a link or a submodule",
		"git mv sub elsewhere":         "sub is a link or a submodule",
		"rm -rf .github":               "not allowed: .github/workflows/ci.yml. It decides what runs in CI",
		"mv README.md CODEOWNERS":      "not allowed: CODEOWNERS",
		"mv docs .github/workflows":    "not allowed: .github/workflows/docs/a.md",
		"mv README.md run.sh":          "run.sh already exists",
		"mv docs docs/deep":            "docs cannot be moved into itself",
		"mv docs docs/new":             "cannot be moved into itself",
		"mv README.md README.md":       "README.md already exists",
		"mv README.md docs/a.md/x":     "not a folder is above docs/a.md/x",
		"mv README.md sub/x":           "not a folder is above sub/x",
		"mv README.md run.sh x":        "x is not a folder",
		"mv docs/a.md docs/a.md deep":  "deep is not a folder",
		"mv docs/a.md docs/a.md other": "other is not a folder",
		"mkdir README.md":              "README.md cannot be a folder",
		"mkdir -p sub/x":               "sub/x cannot be a folder",
		"mv docs " + long:              "longer than 100 bytes",
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			tree := shop()
			out, err := (&FileOps{Checkout: tree, Protected: protects}).Run(opsOf(t, script+"\nrm docs-old.md"))
			require.NoError(t, err)
			require.Equal(t, engine.Failed, out.Results[0].Status)
			require.Contains(t, out.Results[0].Detail, says)
			require.Equal(t, engine.Applied, out.Results[1].Status)
			changes, err := tree.Changes()
			require.NoError(t, err)
			require.Equal(t, []port.Change{{Path: "docs-old.md"}}, changes)
		})
	}
}

func TestTwoThingsDoNotGetTheSameName(t *testing.T) {
	t.Parallel()
	tree := shop()
	tree.MemTree["docs/README.md"] = []byte("another\n")
	for _, script := range []string{"mv README.md docs/README.md linked", "mv README.md README.md linked"} {
		out, err := (&FileOps{Checkout: tree, Protected: protects}).Run(opsOf(t, script))
		require.NoError(t, err)
		require.Equal(t, engine.Failed, out.Results[0].Status)
		require.Contains(t, out.Results[0].Detail, "would get the same name")
	}
}

func TestAnEmptyFolderIsNotNeeded(t *testing.T) {
	t.Parallel()
	tree := shop()
	out, err := (&FileOps{Checkout: tree, Protected: protects}).Run(opsOf(t, "mkdir -p docs new/deep"))
	require.NoError(t, err)
	require.Equal(t, engine.Result{Path: "docs", Status: engine.Skipped, Reason: engine.NoChange,
		Detail: "Git does not store empty folders; it will exist with its first file"}, out.Results[0])
	changes, err := tree.Changes()
	require.NoError(t, err)
	require.Empty(t, changes)
}

func TestOneCommandTouchesAThousandFilesAtMost(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range maxOpFiles - 1 {
		files[fmt.Sprintf("many/%d", i)] = "x\n"
	}
	for i := range 2 {
		files[fmt.Sprintf("few/%d", i)] = "x\n"
	}
	tree := newCheckout(files)
	out, err := (&FileOps{Checkout: tree, Protected: protects}).Run(opsOf(t, "mv many lots\nrm -r few\nrm few/0"))
	require.NoError(t, err)
	require.Equal(t, []string{"many applied", "few failed operation", "few/0 applied"}, verdicts(out))
	require.Contains(t, out.Results[1].Detail, "at most 1000")
}

func TestAnOperationThatTenonDoesNotKnowIsRefused(t *testing.T) {
	t.Parallel()
	tree := shop()
	out, err := (&FileOps{Checkout: tree, Protected: protects}).Run(
		[]engine.Op{{Kind: "chmod", Paths: []string{"run.sh"}}})
	require.NoError(t, err)
	require.Equal(t, []string{"run.sh failed operation"}, verdicts(out))
	require.Empty(t, out.Changed)
}

func TestFoldersOfAnEarlierAnswerAreTargets(t *testing.T) {
	t.Parallel()
	f := &FileOps{Checkout: shop(), Protected: protects}
	f.AddFolders("a/b")
	out, err := f.Run(opsOf(t, "mv README.md a"))
	require.NoError(t, err)
	require.Equal(t, []string{"README.md", "a/README.md"}, out.Changed)
}

func TestWhatACheckoutSaysEndsTheOperations(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ method, script string }{
		{"Kind", "mkdir -p new"}, {"Kind", "rm README.md"}, {"Kind", "mv README.md docs"},
		{"Links", "rm -r docs"}, {"Files", "rm -r docs"}, {"Remove", "rm README.md"}, {"Changes", "rm README.md"},
	} {
		f := &FileOps{Checkout: brokenCheckout{shop(), c.method}, Protected: protects}
		_, err := f.Run(opsOf(t, c.script))
		require.ErrorIs(t, err, errBroken, c.script)
	}
}

// spellings are paths that no reply may change, each in a spelling that some file system takes for it.
func spellings(t *testing.T) (list []string) {
	t.Helper()
	data, err := os.ReadFile("../policy/testdata/protected-spellings.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		name, err := strconv.Unquote(strings.TrimSpace(line))
		require.NoError(t, err)
		list = append(list, name)
	}
	return list
}

func TestNoSpellingOfAProtectedPathIsMovedRemovedOrReverted(t *testing.T) {
	t.Parallel()
	for _, name := range spellings(t) {
		tree := newCheckout(map[string]string{"a.txt": "a\n", name: "x\n"})
		out, err := (&FileOps{Checkout: tree, Protected: protects}).Run([]engine.Op{
			{Kind: engine.OpRemoveAll, Paths: []string{name}},
			{Kind: engine.OpMove, Paths: []string{name}, To: "b.txt"},
		})
		require.NoError(t, err)
		require.Empty(t, out.Changed, "%q", name)
		tree = newCheckout(map[string]string{"a.txt": "a\n"})
		out, err = (&FileOps{Checkout: tree, Protected: protects}).Run([]engine.Op{
			{Kind: engine.OpMove, Paths: []string{"a.txt"}, To: name},
		})
		require.NoError(t, err)
		require.Empty(t, out.Changed, "%q", name)
		before, after := newCheckout(map[string]string{name: "x\n"}), newCheckout(nil)
		tip := newCheckout(nil)
		out, err = Revert{Before: before, After: after, Tip: tip, Protected: protects}.Stage(t.Context(), []string{name})
		require.NoError(t, err)
		require.Empty(t, out.Changed, "%q", name)
	}
}

// A move makes a name, which must mean the same file on every system.
func TestNothingIsMovedToANameThatSomeSystemTakesForAnother(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ from, to, why string }{
		{"docs-old.md", "README.MD", "README.md exists, and"},
		{"docs-old.md", "Docs", "docs exists, and"},
		{"docs-old.md", "DOCS/c.md", "docs exists, and"},
		{"docs", "manual:x", "a colon"},
		{"docs-old.md", "README.md::$DATA", "a colon"},
		{"docs-old.md", "README~1.MD", "on Windows"},
		{"docs-old.md", "b.txt.", "ends with a dot"},
		{"docs-old.md", "b.txt ", "ends with a space"},
		{"docs-old.md", "SUB/b.txt", "sub exists, and"},
		{"docs-old.md", "linked/LINK/b.txt", "linked/link exists, and"},
	} {
		tree := shop()
		f := &FileOps{Checkout: tree, Protected: protects}
		out, err := f.Run([]engine.Op{{Kind: engine.OpMove, Paths: []string{c.from}, To: c.to}})
		require.NoError(t, err)
		require.Equal(t, engine.Failed, out.Results[0].Status, c.to)
		require.Contains(t, out.Results[0].Detail, c.why)
		require.Empty(t, out.Changed)
	}
	for _, script := range []string{"git mv README.md readme.md", "git mv docs Docs"} {
		out, err := (&FileOps{Checkout: shop(), Protected: protects}).Run(opsOf(t, script))
		require.NoError(t, err)
		require.Equal(t, engine.Applied, out.Results[0].Status, "only the case changes: %s", out.Results[0].Detail)
	}
}
