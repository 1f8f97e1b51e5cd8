package llm

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// all reads every event of a stream, as "kind|data".
func all(in io.Reader) (list []string, err error) {
	events := newEvents(bufio.NewReader(in))
	for {
		ev, err := events.next()
		if err != nil {
			return list, err
		}
		list = append(list, ev.kind+"|"+string(ev.data))
	}
}

func TestEvents(t *testing.T) {
	t.Parallel()
	for in, want := range map[string][]string{
		"data: a\n\ndata:b\n\n":                 {"|a", "|b"},
		"data: a\r\n\r\ndata: b\r\rdata: c\n\n": {"|a", "|b", "|c"},
		"event: error\ndata: a\n\ndata: b\n\n":  {"error|a", "|b"},
		"data: a\r\ndata: b\r\n\r\n":            {"|a\nb"},
		"data: a\ndata: b\n\n":                  {"|a\nb"},
		"data:  two spaces\n\n":                 {"| two spaces"},
		": a comment\n\n:\ndata: a\n: b\n\n":    {"|a"},
		"event: x\n\ndata: a\n\n":               {"|a"}, // an event without data is none
		"data\n\ndata:\n\nid: 7\nfoo: bar\n\n":  nil,
		"data: a":                               {"|a"},
		"data: a\n":                             {"|a"},
		"\n\n\n":                                nil,
		"":                                      nil,
	} {
		got, err := all(strings.NewReader(in))
		require.ErrorIs(t, err, io.EOF)
		require.Equal(t, want, got, in)
	}
}

func TestAStreamIsBounded(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]io.Reader{
		"a line":   strings.NewReader("data: " + strings.Repeat("x", maxEvent)),
		"an event": strings.NewReader(strings.Repeat("data: "+strings.Repeat("x", maxEvent/4)+"\n", 5)),
	} {
		_, err := all(in)
		require.ErrorIs(t, err, errTooLarge, name)
	}
	events := newEvents(bufio.NewReader(strings.NewReader(": comments, for ever\n\n")))
	events.read = maxWire - 10
	_, err := events.next()
	require.ErrorIs(t, err, errTooLarge)

	events = newEvents(bufio.NewReader(strings.NewReader("data: 1\n\ndata: 2\n\n")))
	events.count = maxEvents - 1
	_, err = events.next()
	require.NoError(t, err)
	_, err = events.next()
	require.ErrorIs(t, err, errTooLarge)
}

func TestABrokenStreamIsNotAnEndedOne(t *testing.T) {
	t.Parallel()
	broken := errors.New("reset")
	got, err := all(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(broken)))
	require.Equal(t, []string{"|a"}, got)
	require.ErrorIs(t, err, broken)
}

// However a stream is cut into reads, its events are the same; no event is empty or too large; reading an answer never
// panics and never hands out more than it keeps.
func FuzzEvents(f *testing.F) {
	f.Add([]byte("data: {\"choices\":[{\"delta\":{\"content\":\"x\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"))
	f.Add([]byte("event: error\r\ndata: {\"error\":{\"code\":\"insufficient_quota\"}}\r\n\r\n"))
	f.Add([]byte("\xef\xbb\xbf{\"choices\":[{\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"x\"}]}}]}"))
	f.Add([]byte("[{\"error\":[\"a\",{\"error\":1}]}]"))
	f.Add([]byte(": c\n\ndata: {\"error\":null,\"choices\":[{\"index\":1}],\"usage\":{\"prompt_tokens\":-1}}\r\rdata: 7"))
	f.Fuzz(func(t *testing.T, in []byte) {
		whole, err := all(bytes.NewReader(in))
		single, errSingle := all(iotest.OneByteReader(bytes.NewReader(in)))
		require.Equal(t, whole, single)
		require.Equal(t, err, errSingle)
		for _, ev := range whole {
			_, data, _ := strings.Cut(ev, "|")
			require.NotEmpty(t, data)
		}

		var streamed strings.Builder
		r := &reply{model: "m", onText: func(s string) { streamed.WriteString(s) }, ended: func() {}}
		err = readBody(bytes.NewReader(in), r)
		if failed := r.verdict(t.Context(), err); failed != nil {
			require.NotEmpty(t, faults[failed.kind].text)
			return
		}
		require.Equal(t, streamed.String(), r.answer().Text)
		require.NotEmpty(t, strings.TrimSpace(r.answer().Text))
	})
}
