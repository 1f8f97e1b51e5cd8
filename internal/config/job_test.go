package config_test

import (
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

// job are the variables of a step, and more.
func job(more map[string]string) map[string]string {
	env := map[string]string{"GITHUB_EVENT_NAME": "issue_comment", "GITHUB_EVENT_PATH": "event.json",
		"GITHUB_RUN_ID": "4711", "GITHUB_RUN_ATTEMPT": "2", "GITHUB_TOKEN": "ghs_1", "INPUT_MODEL": "gpt-5",
		"INPUT_API_KEY": "k", "GITHUB_SERVER_URL": "https://github.com", "GITHUB_API_URL": "https://api.github.com"}
	maps.Copy(env, more)
	return env
}

func TestAJobIsReadFromItsInputsAndTheRunner(t *testing.T) {
	t.Parallel()
	s, j, err := config.LoadJob(source(job(map[string]string{"INPUT_TOKEN": "ghp_1", "TENON_MODEL": "another",
		"TENON_COMMITS": "verified"}), nil))
	require.NoError(t, err)
	require.Equal(t, "gpt-5", s.Model.Name, "an input goes before a variable")
	require.Equal(t, "https://api.github.com/", s.GitHubAPI)
	require.Equal(t, 10*time.Minute, s.Patience)
	require.Equal(t, "ghp_1", j.Token.Reveal())
	require.Equal(t, int64(4711), j.Run)
	require.Equal(t, 2, j.Attempt)
}

func TestWhatAJobLacksIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	_, _, err := config.LoadJob(source(map[string]string{"TENON_MODLE": "x"}, nil))
	require.Len(t, problems(t, err), 5)
	require.ErrorContains(t, err, "GITHUB_EVENT_PATH: is not set")
	require.ErrorContains(t, err, "give the step the input token")
}

// Whoever changes the files of a workspace could send the code and the key elsewhere.
func TestAServerFileOfTheWorkspaceIsReadOnlyIfItIsNamed(t *testing.T) {
	t.Parallel()
	files := map[string]string{"tenon.yaml": "patience: 5m\n", "data/tenon.yaml": "patience: 6m\n"}
	s, _, err := config.LoadJob(source(job(nil), files))
	require.NoError(t, err)
	require.Empty(t, s.File)
	s, _, err = config.LoadJob(source(job(map[string]string{"INPUT_CONFIG": "tenon.yaml"}), files))
	require.NoError(t, err)
	require.Equal(t, "tenon.yaml", s.File)
	require.Equal(t, 5*time.Minute, s.Patience)
}
