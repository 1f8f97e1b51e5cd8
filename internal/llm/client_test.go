package llm_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

func TestAnAnswerIsStreamed(t *testing.T) {
	t.Parallel()
	bubble(t, "stream", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{Provider: "openai", MaxTokens: 500, Headers: map[string]string{"X-Team": "a"},
			Query: map[string]string{"api-version": "1"}}, nil,
			func(_ int, w http.ResponseWriter, _ *http.Request) { well(w) })
		require.NoError(t, out.err)
		require.Equal(t, port.Answer{Text: "Because so.", Model: "gpt-0613", Name: "gpt", Usage: port.Usage{In: 12, Cached: 8,
			Out: 3}}, out.answer)
		require.Equal(t, []string{"Because", " so."}, out.streamed)
		require.Empty(t, out.log)

		require.Len(t, out.requests, 1)
		r := out.requests[0]
		require.Equal(t, "POST /v1/chat/completions?api-version=1", r.Method+" "+r.URL.String())
		require.Equal(t, "Bearer "+key, r.Header.Get("Authorization"))
		require.Equal(t, "a", r.Header.Get("X-Team"))
		require.Equal(t, map[string]any{
			"model": "gpt", "stream": true, "max_completion_tokens": 500.0,
			"stream_options": map[string]any{"include_usage": true},
			"messages": []any{
				map[string]any{"role": "system", "content": "be brief"},
				map[string]any{"role": "user", "content": "why?"},
			},
		}, r.body)
	})
}

// What providers do differently, and an answer nevertheless.
func TestProvidersOddities(t *testing.T) {
	t.Parallel()
	const text = "Because so."
	for name, c := range map[string]struct {
		play handler
		took time.Duration
		// cut is an answer that ends too early, broken one that does without the model's end, and outage one whose
		// connection broke or whose provider failed.
		cut, broken, outage bool
	}{
		"comments in between": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, ": PROCESSING\n\n", ":\n", chunk("Because"), ": still here\n\n", chunk(" so."), finish("stop"), done)
		}},
		"CRLF and no space behind the colon": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, strings.NewReplacer("\n", "\r\n", "data: ", "data:").Replace(chunk("Because")+chunk(" so.")+finish(
				"stop")+done))
		}},
		"an event in several lines, with id and retry": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, "id: 7\nretry: 10\ndata: {\"choices\":[{\"delta\":\ndata: {\"content\":\"Because so.\"}}]}\n\n",
				finish("stop"), done)
		}},
		"no [DONE]": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text), finish("stop"))
		}},
		"no empty line at the end": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text), strings.TrimSpace(finish("stop")))
		}},
		"the connection is held after [DONE]": {play: func(_ int, w http.ResponseWriter, r *http.Request) {
			say(w, chunk(text), finish("stop"), done)
			hang(r)
		}},
		"the connection is held after the finish": {took: 5 * time.Second,
			play: func(_ int, w http.ResponseWriter, r *http.Request) {
				say(w, chunk(text), finish("stop"))
				hang(r)
			}},
		"comments for ever after the finish": {took: 5 * time.Second,
			play: func(_ int, w http.ResponseWriter, r *http.Request) {
				say(w, chunk(text), finish("stop"))
				dribble(w, r)
			}},
		"reset after the finish": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text), finish("stop"))
			panic(http.ErrAbortHandler)
		}},
		"an error that is null in every part": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"error":null,"choices":[{"delta":{"content":"Because so."}}]}`), finish("stop"), done)
		}},
		"reasoning beside the text": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"choices":[{"delta":{"reasoning_content":"hm","reasoning":"hm","content":null}}]}`), chunk(text),
				finish("stop"), done)
		}},
		"content in parts": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},`+
				`{"type":"text","text":"Because so."}]}}]}`), finish("stop"), done)
		}},
		"a second choice": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"choices":[{"index":1,"delta":{"content":"no"},"finish_reason":"length"},{"index":0,"delta":`+
				`{"content":"Because so."}}]}`), finish("stop"), done)
		}},
		"pings and parts without choices": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, "event: ping\ndata: {\"type\":\"ping\"}\n\n", data(`{"choices":[]}`), chunk(text), finish("end_turn"), done)
		}},
		"a byte order mark and no content type": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			say(w, "\ufeff", chunk(text), finish("stop"), done)
		}},
		"JSON instead of a stream": {play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			say(w, "\n", `{"object":"chat.completion","error":null,"choices":[{"index":0,"message":{"role":"assistant",`+
				`"content":"Because so."},"finish_reason":"stop"}]}`)
		}},
		"a length that is used up": {cut: true, play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text), finish("length"), done)
		}},
		"a finish that was none": {cut: true, broken: true, play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk("Because"), finish("stop"), chunk(" so."))
		}},
		"a finish in every part": {took: 40 * time.Second, play: func(_ int, w http.ResponseWriter, r *http.Request) {
			for _, c := range text[:10] {
				say(w, data(`{"choices":[{"delta":{"content":"`+string(c)+`"},"finish_reason":"stop"}]}`))
				pause(r, 4*time.Second)
			}
			say(w, data(`{"choices":[{"delta":{"content":"."},"finish_reason":"stop"}]}`), done)
		}},
		"a stream that just ends": {cut: true, broken: true, play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text))
		}},
		"a failure as the finish, and nothing after it": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, chunk(text), finish("error")) }},
		"a length longer than the stream": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Length", "100000")
				say(w, chunk(text))
			}},
		"a stream without a finish": {cut: true, play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk(text), done)
		}},
		"JSON without a finish": {cut: true, play: func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, `{"choices":[{"message":{"content":"Because so."}}]}`)
		}},
		"reset in the middle": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, chunk(text))
				panic(http.ErrAbortHandler)
			}},
		"half a part at the end": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, chunk(text), `data: {"choices":[{"delta":{"content":"los`)
			}},
		"a provider that has no room left": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, chunk(text), finish("insufficient_system_resource"), done)
			}},
		"a stall in the middle": {cut: true, broken: true, outage: true, took: 90 * time.Second,
			play: func(_ int, w http.ResponseWriter, r *http.Request) {
				say(w, chunk(text))
				hang(r)
			}},
		"a trickle of comments after the text": {cut: true, broken: true, took: 10 * time.Minute,
			play: func(_ int, w http.ResponseWriter, r *http.Request) {
				say(w, chunk(text))
				trickle(w, r)
			}},
		"an error event in the middle": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, chunk(text), data(`{"error":{"code":502,"message":"RAWRAWRAW"},"choices":[{"index":0,"delta":{"content":`+
					`""},"finish_reason":"error"}]}`), done)
			}},
		"an error event by its name": {cut: true, broken: true, outage: true,
			play: func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, chunk(text), "event: error\ndata: RAWRAWRAW\n\n")
			}},
	} {
		bubble(t, name, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, c.play)
			require.NoError(t, out.err)
			require.Equal(t, text, out.answer.Text)
			require.Equal(t, c.cut, out.answer.Cut)
			require.Equal(t, c.broken, out.answer.Broken)
			require.Equal(t, c.outage, out.answer.Outage())
			require.Equal(t, c.outage, out.answer.RetryAt.After(time.Now()), "its rest is not asked for at once")
			require.Equal(t, c.took, out.took)
			require.Len(t, out.requests, 1)
			require.Zero(t, out.answer.Usage)
		})
	}
}

func TestTheRestOfABrokenAnswerIsAskedForWhenTheProviderWants(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]time.Duration{"": 3 * time.Second, "1": 3 * time.Second, "40": 40 * time.Second} {
		bubble(t, "retry after "+header, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
				if header != "" {
					w.Header().Set("Retry-After", header)
				}
				say(w, chunk("Because"))
				panic(http.ErrAbortHandler)
			})
			require.NoError(t, out.err)
			after := time.Until(out.answer.RetryAt)
			require.GreaterOrEqual(t, after, want)
			require.LessOrEqual(t, after, want+2*time.Second)
		})
	}
}

// trickle sends a comment now and then, for as long as somebody listens.
func trickle(w http.ResponseWriter, r *http.Request) {
	for pause(r, 20*time.Second) {
		say(w, ": wait\n\n")
	}
}

func TestASlowReaderIsNotAStall(t *testing.T) {
	t.Parallel()
	bubble(t, "slow reader", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, func(string) { time.Sleep(3 * time.Minute) },
			func(_ int, w http.ResponseWriter, _ *http.Request) { well(w) })
		require.NoError(t, out.err)
		require.False(t, out.answer.Cut)
	})
}

func TestUsageIsTheLastThatSaysSomething(t *testing.T) {
	t.Parallel()
	bubble(t, "usage", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, usage(5, 0, 1), chunk("x"), usage(5, 2, 9), finish("stop"), usage(0, 0, 0), done)
		})
		require.Equal(t, port.Usage{In: 5, Cached: 2, Out: 9}, out.answer.Usage)
	})
	bubble(t, "absurd usage", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk("x"), finish("stop"), usage(1<<62, -5, 1), done)
		})
		require.Equal(t, port.Usage{In: 1e9, Out: 1}, out.answer.Usage)
	})
}

func TestTheProvidersNameOfTheModelIsMadeFitToBeShown(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{"gpt\\u0007-1\\n": "gpt-1", strings.Repeat("x", 300): "gpt", "": "gpt"} {
		bubble(t, want, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
				say(w, data(`{"model":"`+given+`","choices":[{"delta":{"content":"x"},"finish_reason":"stop"}]}`))
			})
			require.Equal(t, want, out.answer.Model)
		})
	}
}

func TestTheDeadlineHoldsWhateverTheProviderDoes(t *testing.T) {
	t.Parallel()
	for name, play := range map[string]handler{
		"no headers":            func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) },
		"headers alone":         func(_ int, w http.ResponseWriter, r *http.Request) { say(w, ""); hang(r) },
		"a stall":               func(_ int, w http.ResponseWriter, r *http.Request) { say(w, chunk("x")); hang(r) },
		"a trickle":             func(_ int, w http.ResponseWriter, r *http.Request) { say(w, chunk("x")); trickle(w, r) },
		"half a JSON":           func(_ int, w http.ResponseWriter, r *http.Request) { say(w, `{"choices":[`); hang(r) },
		"stalls and retries":    func(n int, w http.ResponseWriter, r *http.Request) { stallTwice(n, w, r) },
		"a trickle of nothing":  func(_ int, w http.ResponseWriter, r *http.Request) { trickle(w, r) },
		"a trickle in one line": func(_ int, w http.ResponseWriter, r *http.Request) { dribble(w, r) },
	} {
		bubble(t, name, func(t *testing.T) {
			const limit = 85 * time.Second
			ctx, cancel := context.WithTimeout(t.Context(), limit)
			defer cancel()
			out := ask(ctx, t, llm.Options{}, nil, play)
			require.ErrorIs(t, out.err, context.DeadlineExceeded)
			require.Equal(t, limit, out.took)
		})
	}
}

func stallTwice(n int, w http.ResponseWriter, r *http.Request) {
	if n == 1 {
		pause(r, 50*time.Second)
		reset(w)
		return
	}
	hang(r)
}

func dribble(w http.ResponseWriter, r *http.Request) {
	for pause(r, time.Second) {
		say(w, "x")
	}
}

func TestACancelledCommandEndsAtOnce(t *testing.T) {
	t.Parallel()
	bubble(t, "while it waits to ask again", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		out := ask(ctx, t, llm.Options{}, nil,
			func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 503, "", "Retry-After", "30") })
		require.ErrorIs(t, out.err, context.Canceled)
		require.Equal(t, 3*time.Second, out.took)
		require.Len(t, out.requests, 1)
	})
}

func TestAWaitThatOutlastsTheDeadlineIsNotBegun(t *testing.T) {
	t.Parallel()
	bubble(t, "deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		out := ask(ctx, t, llm.Options{}, nil,
			func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 429, "", "Retry-After", "30") })
		require.Contains(t, out.userText(t), "is rate limiting requests. Ask again after ")
		require.Zero(t, out.took)
	})
}

func TestOptionsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	for want, opts := range map[string]llm.Options{
		"the model has no name":                   {},
		`there is no provider "x"; use one of op`: {Model: "m", Provider: "x"},
		"provider azure needs a base URL":         {Model: "m", Provider: "azure"},
		"its base URL is not a URL":               {Model: "m", BaseURL: "provider.example/v1"},
		"max tokens is negative":                  {Model: "m", MaxTokens: -1},
	} {
		_, err := llm.New(opts)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), host)
	}
}

func TestAModelIsNotAskedWithoutTheLease(t *testing.T) {
	t.Parallel()
	bubble(t, "stream", func(t *testing.T) {
		held := true
		ctx := port.WithGuard(t.Context(), func(context.Context) error {
			if !held {
				return port.ErrLeaseLost
			}
			return nil
		})
		out := ask(ctx, t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
			held = false // while the client waits to ask again
			w.WriteHeader(http.StatusServiceUnavailable)
		})
		require.ErrorIs(t, out.err, port.ErrLeaseLost)
		require.Len(t, out.requests, 1)
	})
}
