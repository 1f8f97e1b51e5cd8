package edit

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/testdata"
)

func sumOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// applied applies a reply under a guard.
func applied(t *testing.T, g Guard, reply string) engine.Outcome {
	t.Helper()
	out, err := engine.Apply(g.Tree, blocksIn(reply), engine.Options{Protected: g.Protects, Shown: g.Shown})
	require.NoError(t, err)
	g.Explain(out.Results)
	return out
}

// block is an edit block that replaces one line of a file.
func block(path, find, replace string) string {
	return testdata.Block(path, find, replace)
}

func TestAGuardSaysWhyAFileMustNotBeEdited(t *testing.T) {
	t.Parallel()
	g := Guard{
		Policy:    policy.Policy{Ignore: []string{"private/"}, Protected: []string{"deploy/"}},
		Selection: retrieve.Selection{ReadOnly: map[string]string{"config.py": "AWS access key"}},
		Tree: treeOf(map[string]string{
			"config.py": "x\n", ".env": "x\n", "private/plan.md": "x\n", "deploy/prod.yml": "x\n", "CODEOWNERS": "x\n",
			"a.py": "x\n",
		}),
	}
	for path, detail := range map[string]string{
		"config.py": "The file contains secrets (AWS access key), " +
			"so the model saw it without them and must not edit it",
		".env":               "The file's name says that it contains secrets, so the model neither sees nor edits it",
		"private/plan.md":    "The settings hide the file from the model, so it must not edit it",
		"deploy/prod.yml":    "The settings protect this path",
		"deploy/new.yml":     "The settings protect this path",
		"CODEOWNERS":         "",
		".github/CODEOWNERS": "",
	} {
		require.True(t, g.Protects(path), path)
		find := "x\n"
		if !g.exists(path) {
			find = ""
		}
		out := applied(t, g, block(path, find, "y\n"))
		require.Equal(t, engine.ProtectedPath, out.Results[0].Reason, path)
		require.Nil(t, out.Results[0].ClosestMatch, "a refusal quotes nothing of %s", path)
		if detail != "" {
			require.Equal(t, detail, out.Results[0].Detail, path)
		}
		require.Empty(t, out.Changed)
	}
}

func TestOtherFilesAreEditedAndNewExamplesOfHiddenOnesMade(t *testing.T) {
	t.Parallel()
	g := Guard{
		Policy: policy.Policy{Ignore: []string{"private/"}},
		Selection: retrieve.Selection{Shown: map[string]string{"a.py": sumOf("x\n")},
			ReadOnly: map[string]string{"config.py": "a key"}},
		Tree: treeOf(map[string]string{"config.py": "x\n", "a.py": "x\n"}),
	}
	out := applied(t, g, block("config.py", "x\n", "y\n")+block("a.py", "x\n", "y\n")+
		block(".env.example", "", "KEY=\n")+block("private/new.md", "", "x\n"))
	require.Equal(t, []string{".env.example", "a.py", "private/new.md"}, out.Changed)
	require.Equal(t, []string{
		"config.py failed protected-path", "a.py applied", ".env.example applied", "private/new.md applied",
	}, verdicts(out))
}

func TestAFileWhoseKindIsUnknownIsTakenForOneThatExists(t *testing.T) {
	t.Parallel()
	g := Guard{Tree: brokenTree{}}
	require.True(t, g.Protects(".env"))
	require.False(t, g.Protects("a.py"))
}

func TestAGuardTellsWhetherTheModelSawAFileAsItIs(t *testing.T) {
	t.Parallel()
	g := Guard{
		Selection: retrieve.Selection{Shown: map[string]string{"same": sumOf("x\n"), "changed": sumOf("x\n"),
			"gone": sumOf("x\n")}},
		Tree: treeOf(map[string]string{"same": "x\n", "changed": "y\n", "other": "z\n"}),
	}
	for name, want := range map[string]engine.Shown{
		"same": engine.ShownSame, "changed": engine.ShownChanged, "gone": engine.ShownChanged, "other": engine.ShownUnknown,
	} {
		require.Equal(t, want, g.Shown(name), name)
	}
}

// brokenTree is a tree that cannot be read.
type brokenTree struct{ engine.MemTree }

func (brokenTree) Kind(string) (engine.Kind, error) { return engine.Absent, errors.New("broken") }

// Whether a model was shown a file with secrets in it, or nobody was, edits of it are refused with the reason.
func TestAFileWithSecretsIsNotEditedThoughNobodySawIt(t *testing.T) {
	t.Parallel()
	tree := engine.MemTree{
		"conf.py":  []byte("a = 1\nAPI_TOKEN = '" + secrettest.Maker(6).Random("x", "0123456789abcXYZ", 32) + "'\nb = 2\n"),
		"plain.py": []byte("a = 1\nb = 2\n"),
	}
	guard := Guard{Policy: policy.DefaultPolicy(), Tree: tree}
	require.True(t, guard.Protects("conf.py"))
	require.False(t, guard.Protects("plain.py"))
	require.False(t, guard.Protects("absent.py"))
	results := []engine.Result{{Path: "conf.py", Reason: engine.ProtectedPath}}
	guard.Explain(results)
	require.Equal(t, "The file contains secrets (credential), so tenon does not change it", results[0].Detail)
}

func TestAGuardSaysWhatOfAFileTheModelDidNotSee(t *testing.T) {
	t.Parallel()
	parts := []retrieve.Span{{From: 1, To: 40}, {From: 60, To: 60}, {From: 70, To: 71}, {From: 80, To: 81},
		{From: 90, To: 91}, {From: 95, To: 96}}
	g := Guard{
		Selection: retrieve.Selection{
			Shown: map[string]string{"all.go": "1", "some.go": "2", "many.go": "3"},
			Files: []retrieve.ShownFile{{Path: "all.go", Lines: 9}, {Path: "some.go", Parts: parts[:2], Lines: 100},
				{Path: "many.go", Parts: parts, Lines: 100}},
		},
		Tree: treeOf(map[string]string{"all.go": "x\n", "some.go": "x\n", "many.go": "x\n", "other.go": "x\n"}),
	}
	for name, want := range map[string]string{
		"all.go":   "",
		"new.go":   "",
		"other.go": "The model did not see this file, ",
		"some.go":  "The model saw only lines 1–40, 60–60 of the 100 lines of this file, ",
		"many.go":  "The model saw only lines 1–40, 60–60, 70–71, 80–81, 90–91, and 1 more of the 100 lines of this file, ",
	} {
		if want != "" {
			want += "so it cannot give all of it; it has to say which lines it replaces"
		}
		require.Equal(t, want, g.Unseen(name), name)
	}
	g.Selection = retrieve.Selection{} // of a block that was pasted
	require.Empty(t, g.Unseen("other.go"))
}

func TestAGuardSaysWhyAFileMustNotGetAName(t *testing.T) {
	t.Parallel()
	g := Guard{Policy: policy.Policy{Protected: []string{"deploy/"}}, Tree: treeOf(map[string]string{"a": "x\n"})}
	move := func(to string) string {
		return "*** Begin Patch\n*** Update File: a\n*** Move to: " + to + "\n*** End Patch\n"
	}
	out := applied(t, g, move("deploy/a"))
	require.Equal(t, engine.ProtectedPath, out.Results[0].Reason)
	require.Equal(t, "The settings protect this path", out.Results[0].Detail)

	examine := g.Examine()
	out, err := engine.Apply(g.Tree, blocksIn(move("a\u200bb")), engine.Options{
		Examine: func(_ int, path string, e *engine.Edit) engine.Verdict { return examine(path, e) },
	})
	require.NoError(t, err)
	require.Equal(t, engine.Unusual, out.Results[0].Reason)
	require.Contains(t, out.Results[0].Detail, "the path has an invisible character")
	require.Contains(t, CheckVisible("```\n"+move("a\u200bb")+"```\n"), "invisible characters")
}

// Neither a file whose path has a secret in it is changed, nor is one made, and no refusal tells the secret.
func TestNothingIsWrittenToAPathWithASecret(t *testing.T) {
	t.Parallel()
	token := "ghp_" + secrettest.Maker(6).Random("path", "0123456789abcdefghijklmnopqrstuvwxyz", 36)
	old, fresh := "notes/"+token+"/a.txt", "notes/"+token+".txt"
	g := Guard{Policy: policy.DefaultPolicy(), Tree: treeOf(map[string]string{old: "x\n", "a.txt": "x\n"})}
	for _, reply := range []string{
		block(old, "x\n", "y\n"), block(fresh, "", "y\n"),
		"*** Begin Patch\n*** Update File: a.txt\n*** Move to: " + fresh + "\n*** End Patch\n",
		"*** Begin Patch\n*** Delete File: " + old + "\n*** End Patch\n",
	} {
		out := applied(t, g, reply)
		require.Empty(t, out.Changed, reply)
		require.Equal(t, engine.ProtectedPath, out.Results[0].Reason, reply)
		require.Equal(t, policy.SecretInPath, out.Results[0].Detail, reply)
	}
	require.True(t, g.Withholds(old))
}
