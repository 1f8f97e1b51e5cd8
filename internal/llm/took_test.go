package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// ledger notes the attempts at a call.
type ledger struct {
	// most is how many it allows; 0 means any number.
	most  int
	begun int
	took  []string
}

var errNoMore = errors.New("no more attempts")

func (l *ledger) Begin(context.Context) error {
	if l.begun++; l.most > 0 && l.begun > l.most {
		return errNoMore
	}
	return nil
}

func (l *ledger) End(_ context.Context, _ string, took *port.Usage) {
	if took == nil {
		l.took = append(l.took, "unknown")
		return
	}
	l.took = append(l.took, fmt.Sprint(took.In+took.Out))
}

func TestWhatAnAttemptTook(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play handler
		want string
	}{
		"an end before the text":           {says(": hello\n\n"), "4"},
		"reset before the headers":         {func(_ int, w http.ResponseWriter, _ *http.Request) { reset(w) }, "4"},
		"an error in a 200":                {says(`{"error":{"code":503,"message":"RAWRAWRAW"}}`), "4"},
		"figures and no text":              {says(usage(5, 2, 9)), "14"},
		"a rate limit":                     {answers(http.StatusTooManyRequests), "0"},
		"an outage":                        {answers(http.StatusServiceUnavailable), "0"},
		"a server in between that gave up": {answers(http.StatusGatewayTimeout), "4"},
		"a request that took too long":     {answers(http.StatusRequestTimeout), "4"},
		"silence":                          {func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) }, "4"},
	} {
		bubble(t, name, func(t *testing.T) {
			l := &ledger{}
			out := ask(port.WithMeter(t.Context(), l), t, llm.Options{}, nil,
				func(n int, w http.ResponseWriter, r *http.Request) {
					if n == 1 {
						c.play(n, w, r)
						return
					}
					well(w)
				})
			require.NoError(t, out.err)
			require.Equal(t, []string{c.want, "15"}, l.took, "the first attempt, and the second, which was answered")
		})
	}
}

func TestWhatACancelledOrFailedAttemptTookIsWhatWasSentAndReceived(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("so ", 10)
	for name, c := range map[string]struct {
		lines []string
		then  func(w http.ResponseWriter, r *http.Request, cancel func())
		want  string
	}{
		"cancelled before the text": {nil, func(_ http.ResponseWriter, r *http.Request, cancel func()) {
			cancel()
			hang(r)
		}, "4"},
		"cancelled in the text": {[]string{chunk(text)}, func(_ http.ResponseWriter, r *http.Request, cancel func()) {
			pause(r, time.Second)
			cancel()
			hang(r)
		}, "14"},
		"cancelled behind the figures": {[]string{usage(12, 8, 3), chunk(text)},
			func(_ http.ResponseWriter, r *http.Request, cancel func()) {
				pause(r, time.Second)
				cancel()
				hang(r)
			}, "22"},
		"cancelled behind the first figures": {[]string{usage(1200, 0, 1), chunk(strings.Repeat("so ", 9000))},
			func(_ http.ResponseWriter, r *http.Request, cancel func()) {
				pause(r, time.Second)
				cancel()
				hang(r)
			}, "10200"},
		"cancelled in the reasoning": {[]string{thought("reasoning_content", text), thought("reasoning", text)},
			func(_ http.ResponseWriter, r *http.Request, cancel func()) {
				pause(r, time.Second)
				cancel()
				hang(r)
			}, "24"},
		"withdrawn in the reasoning": {[]string{usage(12, 8, 3), thought("reasoning", text), finish("content_filter")},
			func(http.ResponseWriter, *http.Request, func()) {}, "22"},
		"cancelled in reasoning with two names": {[]string{data(fmt.Sprintf(
			`{"choices":[{"delta":{"content":null,"reasoning":%q,"reasoning_details":[{"type":"t","text":%[1]q}]}}]}`, text))},
			func(_ http.ResponseWriter, r *http.Request, cancel func()) {
				pause(r, time.Second)
				cancel()
				hang(r)
			}, "14"},
		"cancelled in reasoning that is a part of the content": {[]string{data(fmt.Sprintf(
			`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":%q}]}]}}]}`, text))},
			func(_ http.ResponseWriter, r *http.Request, cancel func()) {
				pause(r, time.Second)
				cancel()
				hang(r)
			}, "14"},
		"withdrawn": {[]string{chunk(text), finish("content_filter")},
			func(http.ResponseWriter, *http.Request, func()) {}, "14"},
		"longer than any answer": {[]string{chunk(strings.Repeat("so ", 600_000)), chunk(strings.Repeat("so ", 600_000))},
			func(http.ResponseWriter, *http.Request, func()) {}, "1200004"},
		"reset in the text": {[]string{chunk(text)},
			func(w http.ResponseWriter, _ *http.Request, _ func()) { reset(w) }, "14"},
		"silent in the text": {[]string{chunk(text)},
			func(_ http.ResponseWriter, r *http.Request, _ func()) { hang(r) }, "14"},
	} {
		bubble(t, name, func(t *testing.T) {
			l := &ledger{}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_ = ask(port.WithMeter(ctx, l), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, r *http.Request) {
				say(w, c.lines...)
				c.then(w, r, cancel)
			})
			require.Equal(t, []string{c.want}, l.took)
		})
	}
}

// thought is a part of the reasoning under a name.
func thought(name, text string) string {
	return data(fmt.Sprintf(`{"choices":[{"index":0,"delta":{"content":"",%q:%q},"finish_reason":null}]}`, name, text))
}

func says(lines ...string) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, lines...) }
}

func answers(status int) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, status, "RAWRAWRAW") }
}

func TestWhatAnAnswerTook(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"an answer with figures":                  {[]string{chunk("Because"), finish("stop"), usage(12, 8, 3), done}, "15"},
		"an answer without figures":               {[]string{chunk("Because"), finish("stop"), done}, "6"},
		"an answer that was cut off":              {[]string{chunk("Because")}, "6"},
		"one that was cut off behind its figures": {[]string{usage(12, 8, 3), chunk("Because")}, "15"},
		"figures with each part of the text": {[]string{
			data(`{"choices":[{"delta":{"content":"Because of all"}}],"usage":{"prompt_tokens":12,"completion_tokens":1}}`),
			done}, "13"},
		"reasoning and no figures":    {[]string{thought("reasoning", "Hm, hm."), chunk("Because"), finish("stop")}, "8"},
		"figures before all the text": {[]string{usage(12, 8, 1), chunk("Because of all"), finish("stop"), done}, "16"},
	} {
		bubble(t, name, func(t *testing.T) {
			l := &ledger{}
			out := ask(port.WithMeter(t.Context(), l), t, llm.Options{}, nil, says(c.lines...))
			require.NoError(t, out.err)
			require.Equal(t, []string{c.want}, l.took)
		})
	}
}

func TestWhatDidNotReachTheProviderTookNothing(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	meter := &ledger{}
	model, err := llm.New(llm.Options{Model: "m", BaseURL: "http://" + l.Addr().String(), APIKey: key})
	require.NoError(t, err)
	_, err = model.Complete(port.WithMeter(deadlineNow(t), meter), question, nil)
	require.Error(t, err)
	require.Equal(t, []string{"0"}, meter.took)
}

func TestAnAttemptThatIsNotAllowedIsNotMade(t *testing.T) {
	t.Parallel()
	bubble(t, "no more attempts", func(t *testing.T) {
		l := &ledger{most: 2}
		out := ask(port.WithMeter(t.Context(), l), t, llm.Options{}, nil, answers(http.StatusServiceUnavailable))
		require.ErrorIs(t, out.err, errNoMore)
		require.Len(t, out.requests, 2)
		require.Len(t, l.took, 2)
	})
}
