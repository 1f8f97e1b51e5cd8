package llm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/internal/llm"
)

// A model is local by its address.
func TestALocalModelIsAskedByFewAtATime(t *testing.T) {
	t.Parallel()
	for url, local := range map[string]bool{
		"http://localhost:11434/v1": true, "http://127.0.0.1:8080/v1": true, "http://[::1]:8080/v1": true,
		"http://10.1.2.3/v1": true, "http://192.168.0.7/v1": true, "http://[fd00::1]/v1": true,
		"http://[::ffff:10.0.0.1]/v1": true, "http://169.254.1.1/v1": true,
		"http://ollama:11434/v1": true, "http://gpu.local./v1": true, "https://Gpu.Corp.INTERNAL/v1": true,
		"http://qwen.localhost/v1": true, "http://0.0.0.0:11434/v1": true, "http://[::]:8080/v1": true,
		"http://ollama.ai.svc:11434/v1": true, "http://gpu.home.arpa/v1": true, "http://100.64.0.1/v1": false,
		"https://api.openai.com/v1": false, "http://8.8.8.8/v1": false, "https://internal.example.com/v1": false,
		"https://localhost.example.com/v1": false, "https://notlocal/v1/../.local": true, "http://%zz": false,
	} {
		require.Equal(t, map[bool]int{true: 2}[local], llm.Concurrency("", url), url)
	}
	require.Equal(t, 2, llm.Concurrency("ollama", ""))
	for _, provider := range []string{"", "openai", "anthropic"} {
		require.Zero(t, llm.Concurrency(provider, ""), provider)
	}
}
