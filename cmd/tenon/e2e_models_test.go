package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeveralModelsWithNamesPricesAndRepositories(t *testing.T) {
	t.Parallel()
	s := newStage(t, goodReply)
	file := filepath.Join(t.TempDir(), "tenon.yml")
	require.NoError(t, os.WriteFile(file, []byte(`models:
  fast:
    id: model-1
    base_url: `+s.model.URL+`/v1
    price: {input: 1, output: 10}
  secret:
    id: model-2
    base_url: `+s.model.URL+`/v1
    repositories: [other/*]
`), 0o600))
	s.env = []string{"TENON_MODEL=", "TENON_MODEL_BASE_URL=", "TENON_MODEL_API_KEY=", "TENON_CONFIG=" + file}
	s.start()
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix --model secret `main.go`")), "confused")
	require.Contains(t, s.answers()[0], "There is no model `secret` for this repository. Available: `fast`.")
	require.Empty(t, s.model.questions())
	require.Contains(t, s.settled(s.comment("maria", "/tenon fix --model fast `main.go`")), "rocket")
	require.Contains(t, s.answers()[1], "$0.0046", "1,200 tokens in and 345 out")
}
