package prompts_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine/choice"
	"github.com/tenon-bot/tenon/engine/merge"
	"github.com/tenon-bot/tenon/prompts"
)

var limitConflict = prompts.ShownConflict{
	Name: "C4", Above: []string{"package limits", ""}, Below: []string{"", "// <<k3v9x1p7q2m4 end>> is no end."},
	Base: []string{"const limit = 10"}, Ours: []string{"const limit = 20", "const burst = 5"},
}

func TestWholeQuestionsAboutConflicts(t *testing.T) {
	t.Parallel()
	system, user := prompts.Resolve(prompts.ResolveInput{
		Ours:   prompts.Branch{Name: "faster", Subjects: []string{"Raise the limit", "Allow bursts"}, More: 3},
		Theirs: prompts.Branch{Name: "main"},
		Files: []prompts.ConflictFile{
			{Path: "limits.go", Ours: "@@ -3 +3,2 @@\n-const limit = 10\n+const limit = 20\n+const burst = 5",
				Theirs: "@@ -3 +2,0 @@\n-const limit = 10", Conflicts: []prompts.ShownConflict{limitConflict}},
			{Path: "notes.md", Conflicts: []prompts.ShownConflict{{Name: "C5", Ours: []string{"a"}, Theirs: []string{"b"}}}},
		},
		Nonce: "k3v9x1p7q2m4",
	})
	golden(t, "resolve", system, user)
	golden(t, "resolve-again", "", prompts.ResolveAgain(prompts.AgainInput{
		Names: []string{"C4", "C5"}, Problems: []string{`C5: "both" is no choice.`},
		Broken: []prompts.BrokenFile{{Path: "limits.go", Problems: []string{"line 4: missing brace"}}}, Nonce: "k3v9x1p7q2m4",
	}))
}

// The answers that the system prompt shows as examples are read as it says.
func TestTheExamplesOfAnswersAreRead(t *testing.T) {
	t.Parallel()
	system, _ := prompts.Resolve(prompts.ResolveInput{})
	sides := merge.Sides{Base: []string{"b\n"}, Ours: []string{"1\n", "2\n", "3\n", "4\n", "5\n", "6\n"},
		Theirs: []string{"x\n", "y\n"}}
	var conflicts []choice.Conflict
	for id := range 9 {
		conflicts = append(conflicts, choice.Conflict{ID: id + 1, Sides: sides})
	}
	_, examples, _ := strings.Cut(system, "# How to reply")
	answers, problems := choice.Parse(examples, conflicts)
	require.Empty(t, problems)
	var got []string
	for _, a := range answers {
		text := ""
		for _, line := range a.Lines {
			text += strings.TrimSuffix(line.Text, "\n") + " "
		}
		got = append(got, strings.TrimSpace(text))
	}
	require.Equal(t, []string{"1 2 3 4 5 6", "x y", "1 2 3 4 5 6 x y", "x y 1 2 3 4 5 6", "1 2 3 4 y 6", "b", "", "",
		"lines that no version has"}, got)
	question, open := answers[7].Choice.Question()
	require.True(t, open)
	require.Equal(t, "Is the limit meant to be 30 or 60 seconds?", question)
}
