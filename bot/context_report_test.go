package bot

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/engine"
)

func TestTheAnswerTellsWhatTheModelSaw(t *testing.T) {
	t.Parallel()
	q := question{Selection: Selection{
		Files: []shownFile{
			{Path: "a.go", Why: "named", Lines: 10},
			{Path: "big.go", Why: "in a stack trace", Lines: 900, Parts: []span{{1, 60}, {440, 560}}},
			{Path: "config.py", Why: "named", Lines: 3},
		},
		LeftOut:  []leftOut{{"<img src=x>", "it is not text"}},
		ReadOnly: map[string]string{"config.py": "AWS access key"},
	}}
	require.Equal(t, "<details><summary>The model saw 3 files, 1 in part; 1 name left out</summary>\n"+
		"\n- `a.go`: named"+
		"\n- `big.go`, lines 1–60, 440–560 of 900: in a stack trace"+
		"\n- `config.py`: named; shown without the secrets in it (AWS access key), and not to be edited"+
		"\n- `<img src=x>`: left out, it is not text"+
		"\n\n</details>", contextFold(q))
	require.Empty(t, contextFold(question{}))
	require.NotContains(t, render(t, contextFold(q)), "<img")
}

func TestNoEditOfAFileWhoseSecretsTheModelDidNotSee(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	st := story{body: "fix `config.py`", files: map[string]string{"config.py": "KEY = \"" + key + "\"\nprint(KEY)\n", "a.py": "x\n"}}
	s := st.session()
	q, err := s.gather(t.Context(), target{Branch: "speed", SHA: headSHA, Pull: 12}, s.task())
	require.NoError(t, err)
	checkout, err := s.Repos.Open(t.Context(), RepoRef{}, "", headSHA)
	require.NoError(t, err)
	reply := "config.py\n<<<<<<< SEARCH\nprint(KEY)\n=======\npass\n>>>>>>> REPLACE\n\na.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	outcome, err := s.apply(t.Context(), checkout, q, engine.Parse(reply, engine.ParseOptions{}).Blocks, false)
	require.NoError(t, err)
	require.Equal(t, []string{"a.py"}, outcome.Changed)
	require.Equal(t, engine.ProtectedPath, outcome.Results[0].Reason)
	require.Nil(t, outcome.Results[0].ClosestMatch)
	require.Equal(t, "The file holds secrets (AWS access key), so the model saw it without them and must not edit it", outcome.Results[0].Detail)
}

// A block that fits nowhere is answered with the lines of the file that are most like it.
func TestWhatAnAnswerQuotesOfAFileHoldsNoSecret(t *testing.T) {
	t.Parallel()
	key := "AKIA" + "Q3EGRIPLKJHGFDSA"
	st := story{body: "fix it", files: map[string]string{"unseen.py": "import os\nKEY = \"" + key + "\"\nprint(KEY)\n", ".env": "KEY=hunter2\nOTHER=1\n"}}
	s := st.session()
	checkout, err := s.Repos.Open(t.Context(), RepoRef{}, "", headSHA)
	require.NoError(t, err)
	reply := "unseen.py\n<<<<<<< SEARCH\nimport os\nKEY = \"AKIA\"\nprint(KEY)\n=======\npass\n>>>>>>> REPLACE\n\n" +
		".env\n<<<<<<< SEARCH\nKEY=\nOTHER=1\n=======\nx\n>>>>>>> REPLACE\n\n.env.example\n<<<<<<< SEARCH\n=======\nKEY=\n>>>>>>> REPLACE\n"
	outcome, err := s.apply(t.Context(), checkout, question{}, engine.Parse(reply, engine.ParseOptions{}).Blocks, false)
	require.NoError(t, err)
	require.Equal(t, []string{"import os", "KEY = \"[redacted: AWS access key]\"", "print(KEY)"}, outcome.Results[0].ClosestMatch.Lines)
	require.Equal(t, "KEY = \"[redacted: AWS access key]\"", outcome.Results[0].Difference.Have)
	require.Equal(t, engine.ProtectedPath, outcome.Results[1].Reason)
	require.Nil(t, outcome.Results[1].ClosestMatch)
	require.Contains(t, outcome.Results[1].Detail, "holds secrets")
	require.Equal(t, []string{".env.example"}, outcome.Changed, "a new example is no secret")
}
