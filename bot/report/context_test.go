package report

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/edit"
	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/bot/record"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
	"github.com/tenon-bot/tenon/internal/markdowntest"
)

func TestTheAnswerTellsWhatTheModelSaw(t *testing.T) {
	t.Parallel()
	q := record.Prompt{Selection: retrieve.Selection{
		Files: []retrieve.ShownFile{
			{Path: "a.go", Why: "named", Score: 85, Lines: 10},
			{Path: "big.go", Why: "has the words of the task", Score: 38, Rank: 2, Lines: 1900,
				Parts: []retrieve.Span{{From: 1, To: 60}, {From: 440, To: 560}}},
			{Path: "config.py", Why: "named", Lines: 3},
		},
		LeftOut:  []retrieve.LeftOut{{Path: "<img src=x>", Why: "it is not text"}},
		ReadOnly: map[string]string{"config.py": "AWS access key"},
	}}
	given := []retrieve.Given{
		{Ask: "FIND: nil`", Hits: 2, All: 31}, {Ask: "FIND: <img src=x>", Why: "no source has it"},
		{Ask: "NEED: a.go", Lines: []retrieve.GivenLines{{Path: "a.go", Span: retrieve.Span{From: 1, To: 10}}}},
	}
	require.Equal(t, "<details><summary>The model saw 3 files, 1 in part; 1 name left out</summary>\n"+
		"\n- `a.go`: named (score 85)"+
		"\n- `big.go`, lines 1–60, 440–560 of 1,900: has the words of the task (score 38, rank 2)"+
		"\n- `config.py`: named; shown without the secrets in it (AWS access key), and not to be edited"+
		"\n- `<img src=x>`: left out, it is not text"+
		"\n- `` FIND: nil` ``: 2 of 31 lines"+
		"\n- `FIND: <img src=x>`: no source has it"+
		"\n\n</details>", contextFold(q, nil, given, onLathe))
	require.Empty(t, contextFold(record.Prompt{}, nil, nil, onLathe))
	require.NotContains(t, markdowntest.Render(contextFold(q, nil, given, onLathe)), "<img")
}

func TestOfManyFilesThatTheModelSawSomeAreNamed(t *testing.T) {
	t.Parallel()
	var q record.Prompt
	for range 25 {
		q.Files = append(q.Files, retrieve.ShownFile{Path: "a.go", Why: "named"})
		q.LeftOut = append(q.LeftOut, retrieve.LeftOut{Path: "b.go", Why: "it is not text"})
	}
	text := contextFold(q, nil, nil, onLathe)
	require.Contains(t, text, "The model saw 25 files; 25 names left out")
	require.Regexp(t, "(?s)`a.go`: named\n- … and 5 more\n- `b.go`.*\n- … and 5 more\n\n</details>$", text)
}

// A block that fits nowhere is answered with the lines of the file that are most like it.
func TestWhatAnAnswerQuotesOfAFileHoldsNoSecret(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	tree := engine.MemTree{
		"unseen.py": []byte("import os\nKEY = \"" + key + "\"\nprint(KEY)\n"),
		".env":      []byte("KEY=hunter2\nOTHER=1\n"),
	}
	reply := "unseen.py\n<<<<<<< SEARCH\nimport os\nKEY = \"AKIA\"\nprint(KEY)\n=======\npass\n>>>>>>> REPLACE\n\n" +
		".env\n<<<<<<< SEARCH\nKEY=\nOTHER=1\n=======\nx\n>>>>>>> REPLACE\n\n" +
		".env.example\n<<<<<<< SEARCH\n=======\nKEY=\n>>>>>>> REPLACE\n"
	guard := edit.Guard{Policy: policy.DefaultPolicy(), Tree: tree}
	outcome, err := engine.Apply(tree, engine.Parse(reply, engine.ParseOptions{}).Blocks,
		engine.Options{Protected: guard.Protects, Shown: guard.Shown})
	require.NoError(t, err)
	guard.Explain(outcome.Results)
	require.Equal(t, []string{".env.example"}, outcome.Changed, "a new example is no secret")
	rows := record.Results(outcome)
	for _, r := range rows[:2] {
		require.Equal(t, string(engine.ProtectedPath), r.Reason)
		require.Empty(t, r.Nearest)
		require.Contains(t, r.Detail, "contains secrets")
	}

	r := summaryOf(record.Target{Branch: "speed"}, record.Prompt{}, conversationOf(port.Answer{Text: reply}),
		record.Committed{
			Application: record.Application{Base: headSHA, Results: rows, Changed: outcome.Changed}, SHA: someSHA,
		})
	for _, text := range []string{r.Body(), r.Check().Text, r.Check().Summary} {
		require.NotContains(t, text, key)
		require.NotContains(t, text, "hunter2")
	}
}

func TestTheFoldSaysWhatTheModelChose(t *testing.T) {
	t.Parallel()
	q := record.Prompt{Selection: retrieve.Selection{Files: []retrieve.ShownFile{{Path: "a.go", Why: "asked for"}}}}
	for want, c := range map[string]record.FileChoice{
		"The model chose 2 of 50 offered files": {
			Offered: 50, Chosen: []string{"NEED: a.go", "NEED: a.go Start", "NEED: b.go:3-9"}},
		"The model chose none of 9 offered files: its reply does not name any": {Offered: 9},
		"The model chose none of 1 offered file. The budget is used up.":       {Offered: 1, Fault: "The budget is used up."},
	} {
		require.Contains(t, contextFold(q, &c, nil, onLathe), "\n- "+want+"\n")
	}
	require.NotContains(t, contextFold(q, nil, nil, onLathe), "offered")
}
