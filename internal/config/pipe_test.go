//go:build unix

package config_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestANamedPipeIsReadAndNotWaitedForWithoutAWriter(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	env := app("TENON_WEBHOOK_SECRET", "", "TENON_WEBHOOK_SECRET_FILE", path)
	src := config.Source{Getenv: func(name string) string { return env[name] }}
	_, err := config.Load(src)
	require.Contains(t, problems(t, err)[0].Text, "is empty; put the secret into it")

	read, write, err := os.Pipe() // as a shell makes one for <(command)
	require.NoError(t, err)
	defer func() { _ = read.Close() }()
	_, err = write.WriteString("hush-hush-hush-hush\n")
	require.NoError(t, err)
	require.NoError(t, write.Close())
	env["TENON_WEBHOOK_SECRET_FILE"] = fmt.Sprintf("/dev/fd/%d", read.Fd())
	s, err := config.Load(src)
	require.NoError(t, err)
	require.Equal(t, "hush-hush-hush-hush", s.WebhookSecret.Reveal())
}
