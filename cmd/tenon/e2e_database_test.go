package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Backups are made of the folder of data, and are looked after less well than keys.
func TestTheFolderOfDataContainsNoKeysAndNoTokens(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	modelKey := "the-key-of-the-model"
	s.env = []string{"TENON_MODEL_API_KEY=" + modelKey}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix `main.go`")), "rocket")
	s.stop()

	var all strings.Builder
	require.NoError(t, filepath.WalkDir(s.data, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all.Write(data)
		return err
	}))
	require.Contains(t, all.String(), "/tenon fix `main.go`")
	keyLine := strings.Split(string(s.github.PrivateKeyPEM()), "\n")[1]
	for _, secret := range []string{modelKey, s.github.WebhookSecret(), keyLine, "ghs_"} {
		require.NotEmpty(t, secret)
		require.False(t, strings.Contains(all.String(), secret), secret)
	}
}
