package config_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/policy"
	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/config"
)

// loadWith loads the settings of an environment and a server file.
func loadWith(file string, pairs ...string) (config.Server, error) {
	env := app(append(pairs, "TENON_CONFIG", "tenon.yml")...)
	return config.Load(source(env, map[string]string{"tenon.yml": file}))
}

func TestTheServersPolicyStandsInItsFile(t *testing.T) {
	t.Parallel()
	s, err := loadWith("policy:\n  who: admin\n  commits: push\n  budget: {user: {commands: 9}}\n",
		"TENON_BUDGET_USER_COMMANDS", "7")
	require.NoError(t, err)
	p := policy.ServerPolicy(s.Policy)
	require.Equal(t, port.PermissionAdmin, p.Who)
	require.Equal(t, []policy.Mark{{Origin: policy.Server, Line: 2}}, p.Marks["who"])
	require.True(t, p.Push)
	require.EqualValues(t, 7, p.Budget.UserCommands, "the environment goes before the file")

	s, err = loadWith("policy: {commits: push}\n", "TENON_COMMITS", "verified")
	require.NoError(t, err)
	p = policy.ServerPolicy(s.Policy)
	require.False(t, p.Push)
	require.Equal(t, []policy.Mark{{Origin: policy.Server}}, p.Marks["commits"], "a variable has no line")
}

func TestTheServersPolicyIsReadStrictly(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, name, text string }{
		{"policy:\n  who: admn\n", "tenon.yml:2", "policy.who must be"},
		{"policy:\n  limits:\n    flies: 3\n", "tenon.yml:3",
			"there is no setting `policy.limits.flies`; did you mean `policy.limits.files`?"},
		{"policy: 3\n", "tenon.yml:1", "policy must have settings below it"},
		{"policy: {choose_model: tiny}\n", "tenon.yml:1", "policy names a model tiny, but there is no such model"},
		{"policy: {retrieval: guess}\n", "tenon.yml:1", "policy.retrieval must be rank or choose, not \"guess\""},
		{"policy: {model: slow}\n", "tenon.yml:1", "policy names a model slow, but there is no such model"},
		{"policy:\n  models:\n    - slow\n", "tenon.yml:3", "policy names a model slow, but there is no such model"},
	} {
		_, err := loadWith(c.file)
		p := problems(t, err)
		require.Len(t, p, 1, c.file)
		require.Equal(t, c.name, p[0].Name)
		require.Contains(t, p[0].Text, c.text)
	}
}

func TestASettingThatStandsInTwoPlacesOfTheServerFileIsRefused(t *testing.T) {
	t.Parallel()
	for older, below := range map[string]string{
		"commits: push":                   "commits: push",
		"budget_user_commands: 500":       "budget: {user: {commands: 500}}",
		"budget_repository_commands: 500": "budget: {repository: {commands: 500}}",
		"budget_repository_tokens: 500":   "budget: {repository: {tokens: 500}}",
		"budget_owner_tokens: 500":        "budget: {organisation: {tokens: 500}}",
	} {
		_, err := loadWith(older + "\n")
		require.NoError(t, err, older)
		_, err = loadWith(older + "\npolicy:\n  " + below + "\n")
		p := problems(t, err)
		require.Len(t, p, 1, older)
		require.Contains(t, p[0].Name, " (tenon.yml:1)")
		require.Equal(t, "is also set under policy; keep one", p[0].Text)
	}
}

func TestLimitsAreNumbers(t *testing.T) {
	t.Parallel()
	s, err := loadWith("", "TENON_BUDGET_USER_COMMANDS", "500", "TENON_BUDGET_REPOSITORY_COMMANDS", " 70 ",
		"TENON_BUDGET_REPOSITORY_TOKENS", "2_000_000", "TENON_BUDGET_OWNER_TOKENS", "1_000_000")
	require.NoError(t, err)
	require.Equal(t, port.Limits{UserCommands: 500, RepositoryCommands: 70, RepositoryTokens: 2_000_000,
		OwnerTokens: 1_000_000},
		policy.ServerPolicy(s.Policy).Budget)
	s, err = loadWith("")
	require.NoError(t, err)
	require.Equal(t, policy.Layer{}, s.Policy)
	for _, bad := range []string{"0", "-1", "many", "1.5", "99999999999999"} {
		_, err := loadWith("", "TENON_BUDGET_REPOSITORY_COMMANDS", bad)
		require.Equal(t, []config.Problem{{
			Name: "TENON_BUDGET_REPOSITORY_COMMANDS",
			Text: `"` + bad + `" is not a limit; write a whole number from 1 on, like 500 or 3_000_000`,
		}}, problems(t, err))
	}
	_, err = loadWith("", "TENON_COMMITS", "maybe")
	require.Equal(t, []config.Problem{{Name: "TENON_COMMITS", Text: `must be push or verified, not "maybe"`}},
		problems(t, err))
}
