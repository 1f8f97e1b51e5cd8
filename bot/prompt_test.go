package bot

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/bottest"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
)

// emptyPull is a GitHub with a pull request that changes nothing and has no comments.
type emptyPull struct{ port.GitHub }

func (emptyPull) Comments(context.Context, port.RepoRef, int, *port.Comment) ([]port.Comment, error) {
	return nil, nil
}

func (emptyPull) CommitChecks(context.Context, port.RepoRef, string) (port.CommitChecks, error) {
	return port.CommitChecks{}, nil
}

func (emptyPull) ChangedFiles(context.Context, port.RepoRef, int) ([]port.ChangedFile, error) {
	return nil, nil
}

// promptOn returns the prompt that a command leads to, on a branch with these files.
func promptOn(t *testing.T, files map[string]string, body string, model port.ModelInfo) record.Prompt {
	t.Helper()
	w := bottest.New(t)
	w.Repo.Push("main", files)
	ev := fixEvent()
	ev.Repo, ev.Comment.Body = w.Repo.Ref(), body
	r := runOf(t, &Bot{GitHub: emptyPull{w.GitHub}, Repos: w.Repos}, ev)
	require.Empty(t, r.inv.Problem)
	head := record.Target{Branch: "main", SHA: w.Repo.Branch("main"), Base: "main", Pull: 12}
	prompt, err := r.prompter().build(t.Context(), head, taskOf(r.inv), model, nil,
		func() error { return nil })
	require.NoError(t, err)
	return prompt
}

// withKey returns a prompt with another key in its delimiters.
func withKey(p record.Prompt, key string) record.Prompt {
	p.Request.Messages = slices.Clone(p.Request.Messages)
	for i := range p.Request.Messages {
		p.Request.Messages[i].Text = strings.ReplaceAll(p.Request.Messages[i].Text, "<<"+p.Key+" ", "<<"+key+" ")
	}
	p.Key = key
	return p
}

func TestEachPromptHasAKeyOfItsOwn(t *testing.T) {
	t.Parallel()
	one, two := promptOn(t, nil, "/tenon fix it", port.ModelInfo{}), promptOn(t, nil, "/tenon fix it", port.ModelInfo{})
	require.Regexp(t, "^[a-z2-7]{12}$", one.Key)
	require.NotEqual(t, one.Key, two.Key, "though the delivery is the same")
	require.Contains(t, one.Request.Messages[0].Text, "<<"+one.Key+" task>>")
}

func TestFilesOfAnOptionAreShownBeforeOthers(t *testing.T) {
	t.Parallel()
	files := map[string]string{"a.go": "package a\n", "docs/b.md": "b\n"}
	prompt := promptOn(t, files, "/tenon fix --files docs/b.md,gone.md the words in a.go", port.ModelInfo{})
	var shown []string
	for _, f := range prompt.Files {
		require.Empty(t, f.Parts, "%s is shown whole", f.Path)
		shown = append(shown, f.Path)
	}
	require.Equal(t, []string{"docs/b.md", "a.go"}, shown)
	require.Equal(t, "named by --files", prompt.Files[0].Why)
	require.Contains(t, prompt.Request.Messages[0].Text, "gone.md", "the model is told that there is none")
}

func TestTheFormatOfAnOptionIsAskedFor(t *testing.T) {
	t.Parallel()
	fast := port.ModelInfo{Name: "fast", Format: "v3"}
	require.Equal(t, "section", promptOn(t, nil, "/tenon fix --format section it", fast).Format)
	require.Equal(t, "v3", promptOn(t, nil, "/tenon fix it", fast).Format)
}
