package config

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheServerFileOfAWorkTreeIsNotReadUnlessItIsNamed(t *testing.T) {
	t.Parallel()
	const file = "model: theirs\nmodel_base_url: https://theirs.example/v1\n"
	env := map[string]string{"TENON_MODEL": "", "GH_TOKEN": "two", "GITHUB_TOKEN": " one\n"}
	src := Source{
		Getenv: func(name string) string { return env[name] },
		ReadFile: func(name string) ([]byte, error) {
			if name == FileName {
				return []byte(file), nil
			}
			return nil, fs.ErrNotExist
		},
		Mode: func(name string) (os.FileMode, error) {
			if name == FileName {
				return 0o600, nil
			}
			return 0, fs.ErrNotExist
		},
	}
	l, err := LoadLocal(src)
	require.NoError(t, err)
	require.Empty(t, l.Models)
	require.Equal(t, "one", l.Token.Reveal())

	src.File = FileName
	l, err = LoadLocal(src)
	require.NoError(t, err)
	require.Len(t, l.Models, 1)
	require.Equal(t, "theirs", l.Models[0].Name)
}
