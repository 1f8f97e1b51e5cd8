package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConfigCheckSaysWhatIsWrongWithAServerFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "tenon.yaml")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }

	write("app_id: 17\nwebhook_secret: sixteen letters!\nprivate_key_file: " + keyFile(t) + "\nretention_sources: 91d\n" +
		"models: {fast: {provider: vllm, base_url: 'http://127.0.0.1:1/'}}\n")
	code, out, errOut := tenon(t, "", "config", "check", file)
	require.Equal(t, exitOK, code, out)
	require.Empty(t, errOut)
	require.Equal(t, "warning: retention_sources ("+file+":4): is longer than TENON_RETENTION, after which everything is "+
		"deleted\nNothing is wrong with the settings in the environment and "+file+".\n", out)

	write("app_id: 17\nwebhook_secret: sixteen letters!\nprivate_key_file: " + keyFile(t) + "\n" +
		"models: {fast: {provider: acme, base_url: 'http://127.0.0.1:1/'}}\n")
	code, out, _ = tenon(t, "", "config", "check", file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "acme")

	write("listne: x\n\"\\e[2Jx\": y\n")
	code, out, _ = tenon(t, "", "config", "check", file)
	require.Equal(t, exitFailed, code)
	require.Contains(t, out, "there are no such settings:\n  "+file+":1: there is no setting `listne`; "+
		"did you mean `listen`?")
	require.Contains(t, out, "the settings are incomplete:\n  TENON_APP_ID: is not set")
	require.NotContains(t, out, "\x1b")
}

func TestConfigCheckSaysWhatIsWrongWithARepositorysFile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), ".github")
	require.NoError(t, os.Mkdir(dir, 0o700))
	file := filepath.Join(dir, "tenon.yml")
	write := func(text string) { require.NoError(t, os.WriteFile(file, []byte(text), 0o600)) }

	write("who: maintain\n")
	code, out, _ := tenon(t, "", "config", "check", file)
	require.Equal(t, exitOK, code)
	require.Equal(t, "Nothing is wrong in "+file+".\n", out)

	write("label: bot\nlabell: \"\\e[2J\"\n")
	code, out, _ = tenon(t, "", "config", "check", file)
	require.Equal(t, exitFailed, code)
	require.Equal(t, file+":2: there is no setting `labell`; did you mean `label`?\n", out)

	write("who: owner\n")
	code, out, _ = tenon(t, "", "config", "check", "--repository", file)
	require.Equal(t, exitFailed, code)
	require.Equal(t, file+":1: who must be write, maintain or admin, not \"owner\"\n\n"+
		"tenon changes nothing in a repository with this file until it is corrected.\n", out)

	code, _, errOut := tenon(t, "", "config", "check", "--repository", file+"x")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "no such file")
	code, _, errOut = tenon(t, "", "config", "check", "--repository")
	require.Equal(t, exitUsage, code)
	require.Contains(t, errOut, "--repository needs a file")
}

// keyFile writes a private key.
func keyFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "key.pem")
	require.NoError(t, os.WriteFile(path, newStage(t).github.PrivateKeyPEM(), 0o600))
	return path
}
