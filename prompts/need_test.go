package prompts_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/prompts"
)

// What models are shown that ask for more.
func TestWholeRounds(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]prompts.NeedInput{
		"need": {
			Files: []prompts.File{{
				Path: "parser/parse.go", Lines: 900, Outline: "12: func Parse(text string) Tree",
				Parts: []prompts.Part{{From: 440, To: 441, Text: "a\nb\n"}, {From: 500, To: 500, Text: "}"}},
			}},
			Lists:    []prompts.NameList{{Of: "parser/", Names: []string{"parse.go", "testdata/"}, More: 3}, {Of: "*.md"}},
			Finds:    []prompts.Find{{Text: "Parse(", Lines: []string{"main.go:3: Parse(text)"}, More: 12}},
			Above:    []string{"NEED: main.go"},
			Withheld: []prompts.Withheld{{Path: "gone.go", Why: "there is no such file", Near: []string{"go.go", "one.go"}}},
			Absent:   []prompts.Withheld{{Path: "FIND: Pasre", Why: "no source has it", Near: []string{"parse.go"}}},
			Unseen:   []string{"NEED: parser/parse.go:501-900"},
			LeftOver: []string{"FIND: Tree"},
			Rounds:   2,
		},
		"need-last": {
			Withheld: []prompts.Withheld{{Path: ".env", Why: "its name says that it contains secrets"}}, Asked: true,
		},
	} {
		in.Nonce = "k3v9x1p7q2m4"
		got := prompts.Need(in)
		golden := filepath.Join("testdata", name+".md")
		if *update {
			require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			continue
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), got)
	}
	moved := prompts.Moved(prompts.NeedInput{Nonce: "k3v9x1p7q2m4", Files: []prompts.File{
		{Path: "a.go", Lines: 1, Parts: []prompts.Part{{From: 1, To: 1, Text: "a\n"}}},
	}})
	require.Contains(t, moved, "Send all your edits of the files above again, for the files as they are now")
	require.Contains(t, moved, "<<k3v9x1p7q2m4 file a.go>>\na\n")
	require.Contains(t, prompts.Need(prompts.NeedInput{Rounds: 1}), "You may ask once more")
}
