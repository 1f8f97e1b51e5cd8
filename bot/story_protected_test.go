package bot_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/markdown"
)

// spellings are more than a thousand ways to write paths that no reply may change.
func spellings(t *testing.T) (list []string) {
	t.Helper()
	data, err := os.ReadFile("policy/testdata/protected-spellings.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(data)) {
		name, err := strconv.Unquote(strings.TrimSpace(line))
		require.NoError(t, err)
		list = append(list, name)
	}
	require.Greater(t, len(list), 1000)
	return list
}

// treeAfterGoodbye is the tree of the branch if a command changes main.go alone.
func treeAfterGoodbye(t *testing.T) string {
	t.Helper()
	s := newStory(t, goodbye)
	s.say("/tenon fix `main.go`")
	return s.tree()
}

func (s *story) tree() string { return s.Repo.TreeID(s.Repo.Branch("speed")) }

// Models write most paths as whole files.
func TestNoSpellingOfAProtectedPathIsWrittenByAReply(t *testing.T) {
	t.Parallel()
	want := treeAfterGoodbye(t)
	for names := range slices.Chunk(spellings(t), 190) {
		s := newStory(t, newFiles(names)+goodbye)
		got := s.say("/tenon fix `main.go`")
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, want, s.tree())
	}
}

func TestNoSpellingOfAProtectedPathIsWrittenFromAComment(t *testing.T) {
	t.Parallel()
	want := treeAfterGoodbye(t)
	visible := slices.DeleteFunc(spellings(t), func(name string) bool {
		return strings.ContainsFunc(name, markdown.Invisible) // such a comment is refused as a whole
	})
	for names := range slices.Chunk(visible, 190) {
		s := newStory(t)
		got := s.say("/tenon apply\n\n" + goodbye + newFiles(names))
		require.Equal(t, "rocket", got.verdict, got.answer)
		require.Equal(t, want, s.tree())
	}
}

func TestAProtectedFileIsNeitherChangedNorMovedNorRemoved(t *testing.T) {
	t.Parallel()
	names := []string{
		".gitlab-ci.yml", "Jenkinsfile", "AGENTS.md", "packages/a/CLAUDE.md", ".claude/settings.json", ".mcp.json",
		".husky/pre-commit", ".devcontainer/devcontainer.json", ".lfsconfig", ".github/dependabot.yml",
		".github/settings.yml", ".mergify.yml", ".policy.yml", "tools/action.yml", ".github/workflows/ci.yml", "CODEOWNERS",
	}
	files := map[string]string{}
	var edits, script strings.Builder
	for i, name := range names {
		files[name] = "one\n"
		edits.WriteString(edit(name, "one", "evil"))
		if i >= 6 { // an answer shows 20 suggestions
			continue
		}
		fmt.Fprintf(&script, "git rm -r %s\ngit mv %s moved-%d\ngit mv greet.go x/%s\n", name, name, i, name)
	}
	s := newStory(t, edits.String()+"```sh\n"+script.String()+"```\n\n"+goodbye)
	s.push(files)
	fix := s.say("/tenon fix `main.go`")
	require.Contains(t, fix.answer,
		": the file is protected, because it tells AI agents what to do, or what they may do; change the file by hand.")
	tree := s.tree()
	ran := s.say("/tenon run 1-18")
	require.Contains(t, ran.answer, "It decides what runs in CI.")
	require.Equal(t, tree, s.tree(), ran.answer)
	for name, text := range files {
		require.Equal(t, text, s.File("speed", name), name)
	}
}

// newFiles are blocks that make files, with paths that are read letter by letter.
func newFiles(names []string) string {
	var reply strings.Builder
	for _, name := range names {
		reply.WriteString("### File: `" + name + "`\n" + strings.TrimPrefix(edit("", "", "evil"), "\n"))
	}
	return reply.String()
}
