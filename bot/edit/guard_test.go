package edit

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/retrieve"
	"github.com/tenon-bot/tenon/engine"
)

func TestNoEditOfAFileWhoseSecretsTheModelDidNotSee(t *testing.T) {
	t.Parallel()
	tree := engine.MemTree{
		"config.py": []byte("KEY = \"AKIA" + "Q3EGRIPLKJHGFDSA\"\nprint(KEY)\n"), "a.py": []byte("x\n"),
	}
	guard := Guard{
		Policy:    policy.DefaultPolicy(),
		Selection: retrieve.Selection{ReadOnly: map[string]string{"config.py": "AWS access key"}},
		Tree:      tree,
	}
	reply := "config.py\n<<<<<<< SEARCH\nprint(KEY)\n=======\npass\n>>>>>>> REPLACE\n\n" +
		"a.py\n<<<<<<< SEARCH\nx\n=======\ny\n>>>>>>> REPLACE\n"
	outcome, err := engine.Apply(tree, engine.Parse(reply, engine.ParseOptions{}).Blocks,
		engine.Options{Protected: guard.Protects, Shown: guard.Shown})
	require.NoError(t, err)
	guard.Explain(outcome.Results)
	require.Equal(t, []string{"a.py"}, outcome.Changed)
	require.Equal(t, engine.ProtectedPath, outcome.Results[0].Reason)
	require.Nil(t, outcome.Results[0].ClosestMatch)
	require.Equal(t, "The file holds secrets (AWS access key), so the model saw it without them and must not edit it",
		outcome.Results[0].Detail)
}
