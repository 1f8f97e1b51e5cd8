package config_test

import (
	"strings"
	"testing"
	"time"

	"github.com/tenon-bot/tenon/internal/config"
)

func TestSlow(t *testing.T) {
	for _, p := range []string{"[", "{", "? ", "- ", "a: [", "&a ", "!a ", "*a ", "'", "\"", "|", ">", "#", "{a: ", "\n", " ", "\t", "- a\n", "a: b\n", "---\n", "...\n", "%YAML 1.1\n", "[a,", "{a,", "\u2028", "\\", "?\n", "-\n", "  -\n", "a:\n", "? - ", "- ? ", "[?", "[a: ", "{? ", "''", "\"\\x41", "a ", ": ", ",", "[]", "{}", "[\n", "{\n", "<<: ", "|\n ", "a: |\n  b\n"} {
		text := strings.Repeat(p, 64<<10/len(p))
		at := time.Now()
		_, _ = config.ParseLayer([]byte(text))
		if d := time.Since(at); d > 50*time.Millisecond {
			t.Logf("%q %s", p, d)
		}
	}
}
