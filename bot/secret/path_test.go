package secret

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/internal/secrettest"
)

const alnum = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

func TestASecretInAPathIsMasked(t *testing.T) {
	t.Parallel()
	m := secrettest.Maker(8)
	for _, token := range []string{
		"ghp_" + m.Random("ghp", alnum, 36), "AKIA" + "Q3EGRIPLKJHGFDSA", "glpat-" + m.Random("glpat", alnum, 20),
		"sk_live_" + m.Random("stripe", alnum, 24), "xoxb-" + m.Random("a", "123456789", 12) + "-" +
			m.Random("b", "123456789", 12) + "-" + m.Random("c", alnum, 24),
	} {
		for _, name := range []string{token, token + ".txt", "notes/" + token + "/a.txt", "a/b." + token, "a b/" + token} {
			require.True(t, InPath(name), name)
			require.NotContains(t, Path(name), token)
			require.Contains(t, Path(name), "[redacted: ")
		}
		require.Contains(t, Path("notes/"+token+"/a.txt"), "notes/", "and the rest is as it is")
	}
}

func TestOrdinaryPathsHaveNoSecret(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"", "main.go", "bot/secret/path_test.go", "testdata/fuzz/FuzzParse/582528ddfad69eb57dfdfad69eb57dfd",
		"assets/index-4f2e1c9a7b3d5e6f.js", "db/migrate/20261128233400_add_tokens_to_users.rb", "locale/zh/LC_MESSAGES.po",
		"3b18e512dba79e4c8300dd08aeb37f8e728b8dad/objects", "tokens/0001-key-password-secret_2.sql", "docs/0080-attacks.md",
		"pkg/mod/github.com/zricethezav/gitleaks/v8@v8.30.1/config/gitleaks.toml", "ghp_short1.txt", "secret=1234567890.txt",
	} {
		require.False(t, InPath(name), name)
		require.Equal(t, name, Path(name))
	}
}
