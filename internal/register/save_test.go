package register_test

import (
	"crypto/x509"
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
	"github.com/tenon-bot/tenon/internal/register"
)

var day = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// anApp is an App of an Enterprise Server.
func anApp(t *testing.T) register.Registered {
	t.Helper()
	site, err := config.SiteAt("https://ghe.acme.com")
	require.NoError(t, err)
	key := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(sharedKey())})
	return register.Registered{Site: site, Hook: "https://tenon.acme.com/webhook\nlisten: :1",
		App: register.App{ID: 4712, Slug: "tenon-acme", PrivateKey: config.NewSecret(string(key)),
			WebhookSecret: config.NewSecret(`a "secret": of # GitHub's \`), ClientID: "Iv23li0123",
			ClientSecret: config.NewSecret(`0123456789"#'\0123456789`)}}
}

// load reads a server file as the server does.
func load(t *testing.T, path string) config.Server {
	t.Helper()
	s, err := config.Load(config.Source{File: path, Getenv: func(string) string { return "" }})
	require.NoError(t, err)
	return s
}

func requireApp(t *testing.T, want register.Registered, got config.Server) {
	t.Helper()
	require.Equal(t, want.App.ID, got.AppID)
	require.Equal(t, want.App.WebhookSecret.Reveal(), got.WebhookSecret.Reveal())
	require.Equal(t, want.App.PrivateKey.Reveal(), got.PrivateKey.Reveal())
	require.Equal(t, want.App.ClientID, got.ClientID)
	require.Equal(t, want.App.ClientSecret.Reveal(), got.ClientSecret.Reveal())
	require.Empty(t, got.PublicURL, "the pages are off until somebody wants them")
	require.Equal(t, want.Site.API, got.GitHubAPI)
	require.Equal(t, want.Site.Git, got.GitHubGit)
	require.Equal(t, ":8080", got.Listen, "no line was smuggled in")
}

func private(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS != "windows" {
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), path)
	}
}

func TestTheServerReadsWhatWasSaved(t *testing.T) {
	t.Parallel()
	files, err := register.FilesIn(filepath.Join(t.TempDir(), "new folder"), day)
	require.NoError(t, err)
	require.NoError(t, files.Check())
	r := anApp(t)
	require.NoError(t, files.Save(r))
	private(t, files.Settings)
	private(t, files.Key)
	requireApp(t, r, load(t, files.Settings))
	left, err := os.ReadDir(filepath.Dir(files.Key))
	require.NoError(t, err)
	require.Len(t, left, 2)
	text, err := os.ReadFile(files.Settings)
	require.NoError(t, err)
	require.Regexp(t, `^# yaml-language-server: \$schema=https://`, string(text))
	require.NotContains(t, string(text), "PRIVATE KEY")

	require.ErrorContains(t, files.Check(), "is not overwritten")
	other := r
	other.App.ID = 1
	require.ErrorContains(t, files.Save(other), "is not overwritten")
	requireApp(t, r, load(t, files.Settings))
}

func TestWhatIsPrintedIsAServerFile(t *testing.T) {
	t.Parallel()
	r, path := anApp(t), filepath.Join(t.TempDir(), "printed.yaml")
	require.NoError(t, os.WriteFile(path, []byte(register.Print(r, day)), 0o600))
	requireApp(t, r, load(t, path))
}

// A server file with models, say, is completed, and what is in it stays.
func TestTheAppIsAddedToAServerFile(t *testing.T) {
	t.Parallel()
	files, err := register.FilesIn(t.TempDir(), day)
	require.NoError(t, err)
	const before = "log_format: json # and no newline"
	require.NoError(t, os.WriteFile(files.Settings, []byte(before), 0o600))
	require.NoError(t, files.Check())
	r := anApp(t)
	require.NoError(t, files.Save(r))
	got := load(t, files.Settings)
	requireApp(t, r, got)
	require.Equal(t, "json", got.LogFormat)
	text, err := os.ReadFile(files.Settings)
	require.NoError(t, err)
	require.Contains(t, string(text), before+"\n")
	private(t, files.Settings)
}

func TestAServerFileThatCannotBeCompletedIsRefusedBeforeAnythingIsRegistered(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{log_format: json}\n":       "a form to which",
		"log_format: json\n...\n":    "a form to which",
		"app_id: 7\n":                "has some already",
		"client_secret: a\n":         "has some already",
		"models:\n  a: {id: b}\n\t:": "a form to which",
	} {
		files, err := register.FilesIn(t.TempDir(), day)
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(files.Settings, []byte(text), 0o600))
		require.ErrorContains(t, files.Check(), want, text)
	}
	files, err := register.FilesIn(t.TempDir(), day)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(files.Settings, nil, 0o600))
	require.NoError(t, os.Chmod(files.Settings, 0o644))
	if runtime.GOOS != "windows" {
		require.ErrorContains(t, files.Check(), "chmod 600")
	}
}

func TestNoKeyIsLeftBehindWhereTheSettingsCannotBeWritten(t *testing.T) {
	t.Parallel()
	files, err := register.FilesIn(t.TempDir(), day)
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(files.Settings, 0o700))
	require.Error(t, files.Save(anApp(t)))
	require.NoFileExists(t, files.Key, "or the next attempt would be refused")
}
