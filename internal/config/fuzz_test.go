package config_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/config"
)

// Whatever is in a server file, reading it ends with settings or with problems that have a name and a text.
func FuzzServerFile(f *testing.F) {
	f.Add("listen: :9\nallowed_owners: [a, b]\n")
	f.Add(twoModels)
	f.Add("a: &a [*a]\n? {}\n: x\n<<: {listen: :1}\n")
	f.Add("models: {m: {price: {input: 1e999}, headers: {a: !!binary aGk=}}}\n---\n")
	pem := pemKey()
	f.Fuzz(func(t *testing.T, file string) {
		env := map[string]string{"TENON_APP_ID": "17", "TENON_PRIVATE_KEY": pem, "TENON_WEBHOOK_SECRET": "sixteen letters!",
			"TENON_CONFIG": "tenon.yml"}
		s, err := config.Load(source(env, map[string]string{"tenon.yml": file}))
		var e *config.Error
		if errors.As(err, &e) {
			for _, p := range e.Problems {
				require.NotEmpty(t, p.Name)
				require.NotEmpty(t, p.Text)
			}
			return
		}
		require.NoError(t, err)
		require.Equal(t, int64(17), s.AppID)
		require.Equal(t, len(s.Models) > 0, s.Model.Name != "")
	})
}
