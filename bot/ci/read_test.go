package ci_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/ci"
	"github.com/tenon-bot/tenon/bot/port"
)

// repeated is a stream of a text, again and again, up to so many bytes.
func repeated(text string, bytes int64) io.Reader {
	return io.LimitReader(&repeater{text: []byte(text)}, bytes)
}

type repeater struct {
	text []byte
	at   int
}

func (r *repeater) Read(p []byte) (n int, _ error) {
	for n < len(p) {
		k := copy(p[n:], r.text[r.at:])
		n += k
		r.at = (r.at + k) % len(r.text)
	}
	return n, nil
}

// streamed reads a log of a job without steps in parts.
func streamed(t *testing.T, parts ...io.Reader) ci.Log {
	t.Helper()
	log, err := ci.NewReader().Read(io.MultiReader(parts...), port.Job{})
	require.NoError(t, err)
	return log
}

const head = "##[group]Run make\nmake\nshell: bash\n##[endgroup]\n"

func TestWhatFailedIsFoundInTheMiddleOfALongLog(t *testing.T) {
	t.Parallel()
	text := excerpt(streamed(t, strings.NewReader(head),
		repeated("=== RUN   TestFine\n    x_test.go:3: it says much\n--- PASS: TestFine (0.00s)\n", 2<<20),
		strings.NewReader("=== RUN   TestTurn\n    turn_test.go:12: got 3, want 4\n--- FAIL: TestTurn (0.00s)\n"),
		repeated("2026-05-06 INFO an error message of the application: failed to connect, retrying\n", 2<<20),
		strings.NewReader("FAIL\nFAIL\tgithub.com/acme/lathe\t9s\n##[error]Process completed with exit code 1.\n"),
	), ci.MaxTokens)
	require.Contains(t, text, "Run make\n")
	require.Contains(t, text, "    turn_test.go:12: got 3, want 4\n--- FAIL: TestTurn")
	require.Contains(t, text, "FAIL\tgithub.com/acme/lathe")
	require.LessOrEqual(t, strings.Count(text, "retrying"), 20)
}

// What is kept while a log is read is bounded, whatever it has in it: lines, and what is known of them.
func TestALogAsLargeAsItMayBeTakesLittleMemory(t *testing.T) {
	t.Parallel()
	const most = 1 << 20
	for story, c := range map[string]struct {
		text  string
		bytes int64
	}{
		"one line":             {strings.Repeat("x", 1000), ci.MaxLogBytes},
		"errors":               {"##[error]" + strings.Repeat("it is wrong ", 600) + "\n", ci.MaxLogBytes},
		"one error, and lines": {"error: x\n" + strings.Repeat("y\n", 99), 1 << 18},
		"empty lines":          {"\n", 1 << 18},
		"long lines":           {"panic: " + strings.Repeat("x", 1<<16) + "\n", 1 << 20},
		"NULs":                 {"\x00", 1 << 20},
		"endless sequences":    {"\x1b]8;;", 1 << 20},
		"carriage returns":     {"error: x\r", 1 << 20},
		"groups":               {"##[group]Run x\n##[error]y\n##[endgroup]\n", 1 << 18},
		"not a text":           {"\xff\xfe\x80\n\xc3", 1 << 20},
	} {
		kept := ci.MostWhileReading(io.MultiReader(strings.NewReader(head), repeated(c.text, c.bytes)))
		require.LessOrEqual(t, kept, most, story)
		log := streamed(t, strings.NewReader(head), repeated(c.text, 1<<17))
		require.LessOrEqual(t, len(excerpt(log, ci.MaxTokens)), ci.MaxTokens*port.BytesPerToken, story)
	}
	var differ strings.Builder // no two errors are alike
	for i := range 30_000 {
		letters := strings.Map(func(c rune) rune { return c - '0' + 'a' }, fmt.Sprint(i))
		fmt.Fprintf(&differ, "a.go:1:1: %s\n", letters)
	}
	require.LessOrEqual(t, ci.MostWhileReading(strings.NewReader(differ.String())), 2*most)
}

func TestNoMoreIsReadThanMayBe(t *testing.T) {
	t.Parallel()
	const each, all = 1 << 20, 5 << 19
	reader := ci.NewReaderOf(each, all)
	var read int64
	for range 4 {
		counted := &counter{r: repeated(strings.Repeat("x", 1<<16)+"\n", 2*each)}
		log, err := reader.Read(counted, port.Job{})
		require.NoError(t, err)
		require.True(t, log.Cut)
		require.LessOrEqual(t, counted.n, log.Bytes+1, "what is not used is not read, but to see that there is more")
		require.LessOrEqual(t, log.Bytes, int64(each))
		read += log.Bytes
	}
	require.EqualValues(t, all, read)
	log, err := ci.NewReader().Read(strings.NewReader("x"), port.Job{})
	require.NoError(t, err)
	require.False(t, log.Cut)
}

type counter struct {
	r io.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

var errBroken = errors.New("the connection broke")

// broken fails behind a text, or returns nothing forever.
type broken struct {
	text *bytes.Buffer
	err  error
}

func (b broken) Read(p []byte) (int, error) {
	if b.text.Len() > 0 {
		return b.text.Read(p)
	}
	return 0, b.err
}

func TestWhatWasReadBeforeAnErrorIsUsed(t *testing.T) {
	t.Parallel()
	log, err := ci.NewReader().Read(broken{bytes.NewBufferString(head + "panic: x"), errBroken}, port.Job{})
	require.ErrorIs(t, err, errBroken)
	require.Contains(t, excerpt(log, 100), "panic: x")
	_, err = ci.NewReader().Read(broken{bytes.NewBufferString("x"), nil}, port.Job{})
	require.ErrorIs(t, err, io.ErrNoProgress)
}

func TestLinesAreWhatATerminalShows(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"\x1b[1;31mpanic\x1b[0m: x":                      "panic: x",
		"\x1b]8;;https://h/x\x1b\\panic\x1b]8;;\x07: x":  "panic: x",
		"10%\r50%\rpanic: x\r":                           "panic: x",
		"panic: x\r\r":                                   "panic: x",
		"p\x00a\x00n\x00i\x00c\x00:\x00 \x00x\x00":       "panic: x",
		"panic: \u202ex\u200b\U000e0041\u2066":           "panic: x",
		"panic: a\u2028b\u00a0c":                         "panic: a b c",
		"panic: \xff":                                    "panic: \ufffd",
		"panic: \x1b]0;title":                            "panic: ]0;title",
		"panic: \x1b[":                                   "panic: [",
		"panic: \x1b(Bx\x1b7y\x1b[?25l\x1b[38;2;1;2;3mz": "panic: xyz",
		"panic: x\x08\x07\x7f\u009b":                     "panic: x",
		"##[error]panic: x":                              "Error: panic: x",
		"##[command]panic: x":                            "panic: x",
	} {
		text := excerpt(streamed(t, strings.NewReader(head+line+"\n")), 100)
		require.Equal(t, "Run make\n"+want+"\n", text, "%q", line)
	}
	require.NotContains(t, excerpt(streamed(t, strings.NewReader(head+"##[debug]panic: x\n")), 100), "panic")
}

func TestALineThatIsRepeatedIsShownOnce(t *testing.T) {
	t.Parallel()
	text := excerpt(streamed(t, strings.NewReader(head+strings.Repeat("panic: x\n", 500)+"a.go:1:1: y\n"+
		strings.Repeat("nothing\n", 50))), ci.MaxTokens)
	require.LessOrEqual(t, strings.Count(text, "panic: x"), 30)
	require.Contains(t, text, "a.go:1:1: y")
}

func TestLongLinesAreCut(t *testing.T) {
	t.Parallel()
	text := excerpt(streamed(t, strings.NewReader(head+"panic: "+strings.Repeat("ü", 500)+"\n")), ci.MaxTokens)
	require.Equal(t, "Run make\npanic: "+strings.Repeat("ü", 145)+"…\n", text)
}
