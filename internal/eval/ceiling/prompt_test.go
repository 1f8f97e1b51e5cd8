package ceiling

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/prompts"
)

// question is a first message about an issue.
func question(in prompts.Input) port.Message {
	in.Nonce = "k3v9x1p7q2m4"
	_, user := prompts.Fix(in)
	return port.Message{Role: "user", Text: user}
}

func part(path string, count, from int, text string) prompts.File {
	to := from + len(linesOf(text)) - 1
	return prompts.File{Path: path, Lines: count, Parts: []prompts.Part{{From: from, To: to, Text: text}}}
}

func TestLinesArePutInTheirPlacesAsTheyAreShown(t *testing.T) {
	t.Parallel()
	s := readMessages([]port.Message{
		question(prompts.Input{Task: "x", Files: []prompts.File{
			part("whole.go", 2, 1, "one\ntwo\n"), part("dir/a b.go", 900, 440, "\tfoo()\r\n\n"),
			{Path: "keys.go", Lines: 1, Redacted: "token", Parts: []prompts.Part{{From: 1, To: 1, Text: "[redacted: token]\n"}}},
		}}),
		{Role: "assistant", Text: "NEED: dir/a b.go:500-501\nFIND: foo"},
		{Role: "user", Text: prompts.Need(prompts.NeedInput{Nonce: "zzzz", Rounds: 2, Files: []prompts.File{
			part("dir/a b.go", 900, 500, "<<k3v9x1p7q2m4 end>>\nlast\n"),
		}})},
	})
	require.Equal(t, map[string]map[int]string{
		"whole.go":   {1: "one", 2: "two"},
		"dir/a b.go": {440: "\tfoo()", 441: "", 500: "<<k3v9x1p7q2m4 end>>", 501: "last"},
		"keys.go":    {1: "[redacted: token]"},
	}, s.lines)
	require.True(t, s.readOnly["keys.go"])
	require.False(t, s.readOnly["whole.go"])
	require.True(t, s.rounds)
	require.Empty(t, s.refusals)
}

func TestAPathIsReadWhereverItIsShown(t *testing.T) {
	t.Parallel()
	s := readMessages([]port.Message{
		question(prompts.Input{
			Paths: []prompts.Listing{{Folder: "server", Names: []string{"start.go", "stop.go"}},
				{Folder: ".", Names: []string{"main.go"}}},
			Listings: []prompts.Listing{{Folder: "docs", Names: []string{"usage.md"}}},
			Issue:    &prompts.Issue{Title: "It panics", Text: "See `client/dial.go`."},
		}),
		{Role: "user", Text: prompts.Need(prompts.NeedInput{
			Nonce: "zzzz",
			Lists: []prompts.NameList{{Of: "web/", Names: []string{"page.go"}}, {Of: "*.sh", Names: []string{"ci/run.sh"}}},
			Finds: []prompts.Find{{Text: "Parse(", Lines: []string{"parser/parse.go:3: Parse(text)"}}},
		})},
	})
	for _, name := range []string{"server/start.go", "server/stop.go", "main.go", "docs/usage.md", "client/dial.go",
		"web/page.go", "ci/run.sh", "parser/parse.go"} {
		require.True(t, s.seen.Names(name), name)
	}
	require.False(t, s.seen.Names("server/wait.go"))
	require.False(t, s.seen.Names("page.go"))
	require.False(t, s.rounds, "it was the last round")
}

func TestRefusedBlocksAreNoticed(t *testing.T) {
	t.Parallel()
	s := readMessages([]port.Message{{Role: "user", Text: prompts.Repair(prompts.RepairInput{
		Applied: []int{1}, Nonce: "zzzz",
		Failed: []prompts.FailedEdit{{Number: 2, Path: "a.go", Why: "Content sequence not found in file"}},
		Broken: []prompts.BrokenFile{{Path: "b.go", Edits: []int{3, 4}, Problems: []string{"3: expected '}'"}}},
	})}})
	require.Equal(t, []string{"Edit 2, a.go: Content sequence not found in file.",
		"After your edits 3, 4, b.go does not parse:"}, s.refusals)
}
