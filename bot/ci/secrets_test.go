package ci_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/internal/secrettest"
	"github.com/tenon-bot/tenon/bot/port"
)

// everywhere returns all that is kept of failures: excerpts of every size, and what they are called.
func everywhere(failures ...ci.Failure) string {
	var b strings.Builder
	for _, tokens := range []int{20, 60, 200, ci.MaxTokens} {
		fmt.Fprintf(&b, "%+v\n", ci.Excerpts(failures, tokens))
	}
	return b.String()
}

func TestNoSecretOfALogIsShown(t *testing.T) {
	t.Parallel()
	filler := strings.Repeat("x\n", 2500)
	for i, s := range secrettest.Maker(3).Shapes() {
		// It is beside an error, at the beginning, in the middle and at the end of what is kept.
		text := head + s.Text + "error: one\n" + filler + s.Text + "panic: two\n" + s.Text + filler + s.Text + "panic: 3\n"
		if i%3 == 1 { // as GitHub stores it, in colour
			text = stamped(1, strings.ReplaceAll(text, "\n", "\x1b[0m\n"))
		}
		log := streamed(t, strings.NewReader(text))
		shown := everywhere(ci.Failure{Name: "test", Log: log})
		require.Contains(t, shown, "panic: two", s.Name)
		for _, value := range s.Values {
			require.NotContains(t, shown, value, s.Name)
		}
		require.NotEmpty(t, ci.Excerpts([]ci.Failure{{Name: "test", Log: log}}, 100)[0].Secrets, s.Name)
	}
}

// What an excerpt is cut from is more than it shows, so that half of a secret is recognized too.
func TestASecretThatIsCutIsNotShown(t *testing.T) {
	t.Parallel()
	token := "ghp_" + secrettest.Maker(5).Random("token", "0123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMN", 36)
	for at := 8100; at <= 8240; at += 8 { // around the end of what is kept of a line
		log := streamed(t, strings.NewReader(head+"panic: "+strings.Repeat("x ", at/2)+token+" "+token+
			strings.Repeat(" y", 4000)+token[:30]+" "+token+"\n"))
		require.NotContains(t, everywhere(ci.Failure{Name: "x", Log: log}), token[10:24], at)
	}
	for at := 100; at <= 700; at += 7 { // around the end of what is shown of a line, and of a note
		text := "panic: " + strings.Repeat("x", at) + " " + token + "\n"
		shown := everywhere(ci.Failure{
			Name: strings.Repeat("x", at) + " " + token, Conclusion: token, Said: text,
			Log:         streamed(t, strings.NewReader(text)),
			Annotations: []port.Annotation{{Path: "a.go", StartLine: 1, Level: "failure", Title: token, Message: text}},
		})
		require.NotContains(t, shown, token[4:8], at)
	}
}

// A key whose lines are left out in part is recognized by its other lines.
func TestAKeyOfManyLinesIsNotShown(t *testing.T) {
	t.Parallel()
	line := secrettest.Maker(5).Key("PRIVATE KEY", 2)[1]
	for _, n := range []int{3, 40, 400, 4000} {
		text := head + "panic: one\n-----BEGIN PRIVATE KEY-----\n" + strings.Repeat(line+"\n", n) +
			"error: between\n" + strings.Repeat(line+"\n", n) + "-----END PRIVATE KEY-----\npanic: two\n"
		shown := everywhere(ci.Failure{Name: "x", Log: streamed(t, strings.NewReader(text))})
		require.NotContains(t, shown, line[:20], n)
		require.Contains(t, shown, "panic: two", n)
	}
}
