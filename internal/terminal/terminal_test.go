package terminal

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatCouldChangeTheScreenIsEscaped(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\ttext":   "plain\ttext",
		"日本 é ☃":        "日本 é ☃",
		"\x1b[31mred":   `\x1b[31mred`,
		"bell\a\r\n":    `bell\x07\x0d\x0a`,
		"c1\u009b31m":   `c1\u009b31m`,
		"\u202eevil":    `\u202eevil`,
		"zero\u200bw":   `zero\u200bw`,
		"\xff\xfe":      `\xff\xfe`,
		"no\u00a0break": `no\u00a0break`,
		"\ufffd":        "\ufffd",
	} {
		require.Equal(t, want, Escape(text))
	}
}

func TestColourIsForTerminals(t *testing.T) {
	f, err := os.Create(t.TempDir() + "/out")
	require.NoError(t, err)
	defer func() { _ = f.Close() }()
	require.False(t, PaletteFor(f).On)
	require.False(t, IsTerminal(strings.NewReader("")))
	null, err := os.Open(os.DevNull)
	require.NoError(t, err)
	defer func() { _ = null.Close() }()
	require.False(t, IsTerminal(null))
}

// One end of a pseudo-terminal is a terminal too. Colour is on there unless the environment says no.
func TestColourCanBeRefused(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	defer func() { _ = terminal.Close() }()
	t.Setenv("TERM", "xterm")
	t.Setenv("NO_COLOR", "")
	require.True(t, PaletteFor(terminal).On)
	t.Setenv("NO_COLOR", "1")
	require.False(t, PaletteFor(terminal).On)
	t.Setenv("NO_COLOR", "")
	t.Setenv("TERM", "dumb")
	require.False(t, PaletteFor(terminal).On)
}

func TestATranscriptNumbersItsSectionsAndQuotesInTheMargin(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	screen := NewTranscript(&b)
	screen.Section("%s asks", "maria")
	screen.Quote("one\n\x1b[2Jtwo\n")
	screen.Section("The model replies")
	for _, piece := range []string{"th", "ree\nfo", "ur"} {
		screen.Stream(piece)
	}
	screen.EndStream()
	screen.Outcome("failed", "a\n.txt", 3, "no such line")
	require.Equal(t, "\n1. maria asks\n\n   │ one\n   │ \\x1b[2Jtwo\n"+
		"\n2. The model replies\n\n   │ three\n   │ four\n"+
		"    failed   a\\x0a.txt:3  no such line\n", b.String())
}
