package config_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestTheServerFileIsTheFirstOfFourThatExists(t *testing.T) {
	t.Parallel()
	files := map[string]string{
		"flag.yaml": "app_id: 1\n", "variable.yaml": "app_id: 2\n", "tenon.yaml": "app_id: 3\n",
		filepath.Join("var", "tenon.yaml"): "app_id: 4\n",
	}
	env := app("TENON_APP_ID", "", "TENON_CONFIG", "variable.yaml", "TENON_DATA_DIR", "var")
	src := source(env, files)
	src.File = "flag.yaml"
	for i, name := range []string{"flag.yaml", "variable.yaml", "tenon.yaml", filepath.Join("var", "tenon.yaml")} {
		s, err := config.Load(src)
		require.NoError(t, err)
		require.Equal(t, name, s.File)
		require.EqualValues(t, i+1, s.AppID)
		switch i {
		case 0:
			src.File = ""
		case 1:
			delete(env, "TENON_CONFIG")
		default:
			delete(files, name)
		}
	}
	env["TENON_APP_ID"] = "5"
	s, err := config.Load(src)
	require.NoError(t, err)
	require.Empty(t, s.File)

	files[filepath.Join("data", "tenon.yaml")] = "data_dir: elsewhere\n"
	delete(env, "TENON_DATA_DIR")
	d, err := config.LoadDatabase(src)
	require.NoError(t, err)
	require.Equal(t, "elsewhere", d.DataDir, "without the variable, the data folder is the default one")
}

func TestAServerFileThatIsThereAndCannotBeReadIsNotPassedOver(t *testing.T) {
	t.Parallel()
	src := source(app(), nil)
	src.ReadFile = func(name string) ([]byte, error) {
		if name == "tenon.yaml" {
			return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
		}
		return nil, fs.ErrNotExist
	}
	_, err := config.Load(src)
	require.Equal(t, []config.Problem{{Name: "tenon.yaml", Text: "may not be read; check the owner of the file",
		Kind: config.Unreadable}}, problems(t, err))
}

// The database's commands are run by people who do not have the keys of models.
func TestTheDatabaseIsFoundWithoutTheKeysOfModels(t *testing.T) {
	t.Parallel()
	d, err := config.LoadDatabase(source(map[string]string{"TENON_WEBHOOK_SECRET_FILE": "gone"}, map[string]string{
		"tenon.yaml": "data_dir: /d\nmodels: {fast: {api_key_env: OPENAI_KEY}}\npolicy: {who: admn}\n"}))
	require.NoError(t, err)
	require.Equal(t, "/d", d.DataDir)
}

func TestWhatIsSuspiciousIsWarnedOf(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]struct {
		env  map[string]string
		file string
		mode fs.FileMode
	}{
		"TENON_PRIVATE_KEY_FILE: the file key contains a secret, and every user of this machine may read it; " +
			"run: chmod o= key": {env: app("TENON_PRIVATE_KEY", "", "TENON_PRIVATE_KEY_FILE", "key"), mode: 0o644},
		"webhook_secret (tenon.yaml:1): the file tenon.yaml contains a secret, and every user of this machine may read it; " +
			"run: chmod o= tenon.yaml": {env: app(), file: "webhook_secret: sixteen letters!\n", mode: 0o604},
		"TENON_WEBHOOK_SECRET: is shorter than 16 characters, so it can be guessed": {
			env: app("TENON_WEBHOOK_SECRET", "x", "TENON_ALLOW_WEAK_WEBHOOK_SECRET", "true")},
		"TENON_WEBHOOK_SECRET: begins or ends with a space; make sure that the one on GitHub does too": {
			env: app("TENON_WEBHOOK_SECRET", "sixteen letters! ")},
		"the model qwen: its key and all code that it is shown are sent unencrypted, as its base URL begins with http://; " +
			"use https:// unless the connection is private": {env: app("TENON_MODEL", "qwen",
			"TENON_MODEL_BASE_URL", "http://10.0.0.7/v1", "TENON_MODEL_API_KEY", "sk-1")},
		"TENON_GITHUB_API_URL: begins with http://, so that tokens are sent unencrypted; use https://": {
			env: app("TENON_GITHUB_API_URL", "http://ghe.example/api/v3", "TENON_GITHUB_GIT_URL", "http://[::1]/")},
		"TENON_RETENTION_SOURCES: is longer than TENON_RETENTION, after which everything is deleted": {
			env: app("TENON_RETENTION_SOURCES", "91d")},
		"tenon.yml: is not read, as the server file is called tenon.yaml; rename it, or name it with --config": {
			env: app()},
	} {
		files := map[string]string{"key": pemKey()}
		if c.file != "" {
			files["tenon.yaml"] = c.file
		}
		if strings.HasPrefix(want, "tenon.yml") {
			files["tenon.yml"] = "app_id: 7\n"
		}
		src := source(c.env, files)
		exists := src.Mode
		src.Mode = func(name string) (fs.FileMode, error) {
			if mode, err := exists(name); err != nil {
				return mode, err
			}
			return c.mode, nil
		}
		s, err := config.Load(src)
		require.NoError(t, err)
		require.Len(t, s.Warnings, 1, want)
		require.Equal(t, want, s.Warnings[0].Name+": "+s.Warnings[0].Text)
	}
	s, err := config.Load(source(app("TENON_GITHUB_API_URL", "http://127.0.0.1:1/", "TENON_GITHUB_GIT_URL",
		"http://localhost:1/", "TENON_PRIVATE_KEY", "", "TENON_PRIVATE_KEY_FILE", "key"), map[string]string{"key": pemKey()}))
	require.NoError(t, err)
	require.Empty(t, s.Warnings)
}

func TestTheFilesOfTheDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	secret := filepath.Join(dir, "secret")
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	write("secret", "hush-hush-hush-hush\n")
	env := app("TENON_WEBHOOK_SECRET", "", "TENON_WEBHOOK_SECRET_FILE", secret)
	load := func(file string) (config.Server, error) {
		return config.Load(config.Source{Getenv: func(name string) string { return env[name] }, File: file})
	}
	s, err := load(write("tenon.yaml", "listen: :9\n"))
	require.NoError(t, err)
	require.Equal(t, ":9", s.Listen)
	require.Empty(t, s.Warnings)
	if runtime.GOOS != "windows" {
		require.NoError(t, os.Chmod(secret, 0o644)) //nolint:gosec // what is warned of
		s, err = load(write("tenon.yaml", ""))
		require.NoError(t, err)
		require.Len(t, s.Warnings, 1)
		require.Equal(t, "TENON_WEBHOOK_SECRET_FILE", s.Warnings[0].Name)
	}
	_, err = load(dir)
	require.ErrorContains(t, err, "the server file cannot be read:\n  "+dir+": ")
	_, err = load(write("big.yaml", "#"+strings.Repeat("x", 1<<20)))
	require.ErrorContains(t, err, "is larger than 1 MiB")
	write("secret", strings.Repeat("x", 1<<20+1))
	_, err = load("")
	require.ErrorContains(t, err, "TENON_WEBHOOK_SECRET_FILE: names a file that is larger than 1 MiB")
}
