package chain

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

func FuzzWorkflow(f *testing.F) {
	f.Add([]byte(good))
	f.Add([]byte("on: [push, issues]\npermissions: read-all\n" +
		"jobs: {a: {container: {image: b}, steps: [{uses: docker://x}]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		problems, err := Workflow(data)
		require.True(t, err == nil || problems == nil)
		_, _ = Action(data)
	})
}

func FuzzDockerfile(f *testing.F) {
	f.Add([]byte(goodDockerfile))
	f.Add([]byte("FROM --platform=x\nCOPY a \\\n# c\nb\nHEALTHCHECK\nUSER"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, problems := Dockerfile(data)
		for _, p := range problems {
			require.Positive(t, p.Line)
			require.LessOrEqual(t, p.Line, bytes.Count(data, []byte("\n"))+1)
		}
	})
}
