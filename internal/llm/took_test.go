package llm_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"testing"

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

func (l *ledger) End(_ context.Context, took *port.Usage) {
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
		"an end before the text":           {says(": hello\n\n"), "unknown"},
		"reset before the headers":         {func(_ int, w http.ResponseWriter, _ *http.Request) { reset(w) }, "unknown"},
		"an error in a 200":                {says(`{"error":{"code":503,"message":"RAWRAWRAW"}}`), "unknown"},
		"figures and no text":              {says(usage(5, 2, 9)), "14"},
		"a rate limit":                     {answers(http.StatusTooManyRequests), "0"},
		"an outage":                        {answers(http.StatusServiceUnavailable), "0"},
		"a server in between that gave up": {answers(http.StatusGatewayTimeout), "unknown"},
		"a request that took too long":     {answers(http.StatusRequestTimeout), "unknown"},
		"silence":                          {func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) }, "unknown"},
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
		"an answer that was cut off":              {[]string{chunk("Because")}, "unknown"},
		"one that was cut off behind its figures": {[]string{usage(12, 8, 3), chunk("Because")}, "15"},
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
