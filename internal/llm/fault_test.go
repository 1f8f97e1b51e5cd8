package llm_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tenon-bot/tenon/bot/port"
	"github.com/tenon-bot/tenon/internal/llm"
)

// Faults that pass: asked again, and the second time it works.
func TestWhatIsAskedAgain(t *testing.T) {
	t.Parallel()
	plays := map[string]handler{
		"reset before the headers": func(_ int, w http.ResponseWriter, _ *http.Request) { reset(w) },
		"reset before the text": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, ": hello\n\n")
			panic(http.ErrAbortHandler)
		},
		"an end before the text": func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, ": hello\n\n") },
		"reasoning and then a reset": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"choices":[{"delta":{"reasoning_content":"hm"}}]}`))
			panic(http.ErrAbortHandler)
		},
		"an empty 200": func(_ int, w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) },
		"[DONE] alone": func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, done) },
		"half a JSON":  func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, `{"choices":[{"mess`) },
		"an error in a 200": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, `{"error":{"code":502,"message":"RAWRAWRAW"}}`)
		},
		"an error list in a 200": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, `[{"error":{"code":503,"status":"UNAVAILABLE"}}]`)
		},
		"an error event": func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, data(`{"error":"RAWRAWRAW"}`)) },
		"an overload in the stream": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, "event: error\n"+data(`{"type":"error","error":{"type":"overloaded_error","message":"RAWRAWRAW"}}`))
		},
		"a rate limit in the stream": func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, data(`{"object":"error","message":"RAWRAWRAW","type":"RateLimitError","code":429}`))
		},
	}
	for _, status := range []int{408, 409, 429, 500, 502, 503, 504, 529} {
		plays[fmt.Sprint("HTTP ",
			status)] = func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, status, "<html>RAWRAWRAW</html>") }
	}
	for name, play := range plays {
		bubble(t, name, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, func(n int, w http.ResponseWriter, r *http.Request) {
				if n == 1 {
					play(n, w, r)
					return
				}
				well(w)
			})
			require.NoError(t, out.err)
			require.Equal(t, "Because so.", out.answer.Text)
			require.Len(t, out.requests, 2)
			within(t, out.took, 750*time.Millisecond, 1250*time.Millisecond)
			require.Contains(t, out.log, "asking the model again")
		})
	}
	bubble(t, "a stall before the text", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(n int, w http.ResponseWriter, r *http.Request) {
			if n == 1 {
				hang(r)
				return
			}
			well(w)
		})
		require.NoError(t, out.err)
		within(t, out.took, 90*time.Second, 92*time.Second)
		require.Contains(t, out.log, "stalled")
	})
}

func within(t *testing.T, d, low, high time.Duration) {
	t.Helper()
	require.GreaterOrEqual(t, d, low)
	require.LessOrEqual(t, d, high)
}

// Each fault that lasts: what the person reads, how often it was tried, how long that took.
func TestWhatThePersonReads(t *testing.T) {
	t.Parallel()
	// Four attempts, with 1, 4 and 16 seconds between them, give or take a quarter.
	const tries, low, high = 4, 15750 * time.Millisecond, 26250 * time.Millisecond
	for _, c := range []struct {
		name     string
		play     handler
		requests int
		want     string
	}{
		{"429", status(429, `{"error":{"message":"RAWRAWRAW","code":"rate_limit_exceeded"}}`), tries,
			"is rate limiting requests. Ask again in a few minutes."},
		{"500", status(500, `{"error":{"message":"RAWRAWRAW","type":"server_error"}}`), tries,
			"failed to answer. Ask again in a few minutes."},
		{"529", status(529, `{"type":"error","error":{"type":"overloaded_error","message":"RAWRAWRAW"}}`), tries,
			"failed to answer. Ask again"},
		{"resets", func(_ int, w http.ResponseWriter, _ *http.Request) { reset(w) }, tries,
			"broke before it said anything. Ask again"},
		{"empty", func(int, http.ResponseWriter, *http.Request) {}, tries, "gave an empty answer. Ask again"},

		{"quota", status(429, `{"error":{"message":"RAWRAWRAW","type":"insufficient_quota","code":"insufficient_quota"}}`), 1,
			"has no quota or credit left. Whoever runs this app"},
		{"credit", status(402, `{"error":{"message":"RAWRAWRAW","code":402}}`), 1, "has no quota or credit left."},
		{"Anthropic's credit", status(400, `{"type":"error","error":{"type":"invalid_request_error","message":"RAWRAWRAW `+
			`Your credit balance is too low"}}`), 1, "has no quota or credit left."},
		{"quota in the stream", stream(`{"error":{"code":"insufficient_quota","message":"RAWRAWRAW"}}`), 1,
			"has no quota or credit left."},
		{"context by code", status(400, `{"error":{"message":"RAWRAWRAW","code":"context_length_exceeded"}}`), 1,
			"more than the model `gpt` can read at once. Name fewer files"},
		{"context in words, an object", status(400, `{"object":"error","message":"RAWRAWRAW This model's maximum context `+
			`length is 4096 tokens","code":400}`), 1, "can read at once"},
		{"context in words, an array", status(400, `[{"error":{"code":400,"message":"RAWRAWRAW The input token count (9) `+
			`exceeds","status":"INVALID_ARGUMENT"}}]`), 1, "can read at once"},
		{"context in words, a string", status(400, `"RAWRAWRAW prompt is too long"`), 1, "can read at once"},
		{"context of llama.cpp",
			status(500, `{"error":{"code":500,"message":"RAWRAWRAW","type":"exceed_context_size_error"}}`), 1,
			"can read at once"},
		{"context of llama.cpp in words", status(500,
			`{"error":{"code":500,"message":"RAWRAWRAW Context size has been exceeded.","type":"server_error"}}`), 1,
			"can set the model's `context_tokens`"},
		{"context of Ollama", status(400, `{"error":{"message":"RAWRAWRAW input length exceeds the context length",`+
			`"type":"api_error"}}`), 1, "can read at once"},
		{"context of vLLM", status(400, `{"object":"error","message":"RAWRAWRAW Prompt length of 9000 is longer than the `+
			`maximum model length of 8192.","type":"BadRequestError","code":400}`), 1, "can read at once"},
		{"nothing left for the reply at vLLM", status(400, `{"object":"error","message":"max_tokens must be at least 1, `+
			`got -186. RAWRAWRAW","code":400}`), 1, "can read at once"},
		{"context of Text Generation Inference", status(422, `{"error":"RAWRAWRAW Input validation error: \u0060inputs\u0060`+
			` tokens + \u0060max_new_tokens\u0060 must be <= 4096","error_type":"validation"}`), 1, "can read at once"},
		{"the same of the input alone", status(422, `{"error":"RAWRAWRAW \u0060inputs\u0060 must have less than 1024 `+
			`tokens. Given: 1872"}`), 1, "can read at once"},
		{"context of Anthropic with the reply", status(400, `{"type":"error","error":{"type":"invalid_request_error",`+
			`"message":"RAWRAWRAW input length and max_tokens exceed context limit: 178959 + 64000 > 200000"}}`), 1,
			"can read at once"},
		{"context of xAI", status(400, `{"code":"Client specified an invalid argument","error":"RAWRAWRAW This model's `+
			`maximum prompt length is 131072 but the request contains 136973 tokens."}`), 1, "can read at once"},
		{"413", status(413, `RAWRAWRAW`), 1, "can read at once"},
		{"filter by code", status(400, `{"error":{"code":null,"innererror":{"code":"ResponsibleAIPolicyViolation"},`+
			`"message":"RAWRAWRAW"}}`), 1, "stopped this with its content filter. Rephrase"},
		{"filter in words", status(403, `{"error":{"code":403,"message":"RAWRAWRAW input was flagged","metadata":{}}}`), 1,
			"content filter"},
		{"filter at the end", func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, chunk("x"), finish("content_filter"), done)
		}, 1, "content filter"},
		{"a refusal", stream(`{"choices":[{"delta":{"refusal":"RAWRAWRAW"},"finish_reason":"stop"}]}`), 1,
			"declined to work on this"},
		{"400", status(400, `{"error":"RAWRAWRAW"}`), 1,
			"did not understand the request. Whoever runs this app has to check the model's settings"},
		{"422", status(422, `{"detail":[{"loc":["body"],"msg":"RAWRAWRAW"}]}`), 1, "did not understand the request"},
		{"400 in the stream", stream(`{"error":{"type":"invalid_request_error","message":"RAWRAWRAW"}}`), 1,
			"did not understand the request"},
		{"401", status(401, `{"error":{"message":"RAWRAWRAW sk-KEYKEYKEY","code":"invalid_api_key"}}`), 1,
			"did not accept the key"},
		{"Gemini's bad key", status(400, `[{"error":{"code":400,"details":[{"reason":"API_KEY_INVALID"}]}}]`), 1,
			"did not accept the key"},
		{"a bad request that speaks of limits",
			status(400, `{"error":{"code":"rate_limit_exceeded","type":"overloaded_error"}}`), 1, "did not understand"},
		{"403", status(403, `RAWRAWRAW`), 1, "does not allow this app to use it"},
		{"404", status(404, `{"error":{"message":"RAWRAWRAW","code":"model_not_found"}}`), 1,
			"does not know the model `gpt`"},
		{"a redirect", func(_ int, w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/RAWRAWRAW", http.StatusTemporaryRedirect)
		}, 1, "redirects elsewhere"},
		{"204", status(204, ``), 1, "did not answer like a model"},
		{"a web page", func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, "<!doctype html>RAWRAWRAW") }, 1,
			"did not answer like a model"},
		{"another JSON", func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, `{"hello":"RAWRAWRAW"}`) }, 1,
			"did not answer like a model"},
		{"all tokens spent on thinking", func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, finish("length"), done)
		}, 1, "before it wrote an answer. Ask for less"},
		{"a finish without text", func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, finish("stop"), done) }, 1,
			"ended without writing anything. Rephrase the command, and try again."},
		{"a call of a tool", func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, finish("tool_calls"), done) }, 1,
			"ended without writing anything."},
		{"a provider's error at the end",
			func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, finish("error"), done) }, tries, "failed to answer"},
		{"blanks and an end", func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, chunk(" \n")) }, 1,
			"broke before it said anything"},
		{"text without end", func(_ int, w http.ResponseWriter, _ *http.Request) {
			endless(w, chunk(strings.Repeat("x", 1<<18)))
		}, 1, "grew beyond 2 MiB"},
		{"an event without end", func(_ int, w http.ResponseWriter, _ *http.Request) {
			endless(w, "data: "+strings.Repeat("x", 1<<18)+"\n")
		}, 1, "grew beyond 2 MiB"},
		{"a line without end", func(_ int, w http.ResponseWriter, _ *http.Request) { endless(w, strings.Repeat("x", 1<<18)) },
			1, "grew beyond 2 MiB"},
		{"JSON without end", func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, `{"x":"`)
			endless(w, strings.Repeat("x", 1<<18))
		}, 1, "grew beyond 2 MiB"},
		{"an error without end", func(_ int, w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(400)
			endless(w, strings.Repeat("x", 1<<18))
		}, 1, "did not understand"},
	} {
		bubble(t, c.name, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, c.play)
			text := out.userText(t)
			require.Contains(t, text, c.want)
			require.Contains(t, text, "`gpt`")
			require.Len(t, out.requests, c.requests)
			if c.requests == tries {
				within(t, out.took, low, high)
			} else {
				require.Zero(t, out.took)
			}
			t.Log(text)
		})
	}
	bubble(t, "stalls", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, _ http.ResponseWriter, r *http.Request) { hang(r) })
		require.Equal(t, "The model `gpt` sent nothing for 90 seconds. Ask again in a few minutes.", out.userText(t))
		require.Len(t, out.requests, tries)
		within(t, out.took, 4*90*time.Second+low, 4*90*time.Second+high)
	})
	bubble(t, "an error whose text never ends", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil,
			func(_ int, w http.ResponseWriter, r *http.Request) { refuse(w, 401, `{"error`); dribble(w, r) })
		require.Contains(t, out.userText(t), "did not accept the key")
		require.Equal(t, 5*time.Second, out.took)
	})
	bubble(t, "a trickle of comments", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, r *http.Request) { trickle(w, r) })
		require.Equal(t, "The model `gpt` did not finish within 10 minutes. Ask for less at a time, or try again later.",
			out.userText(t))
		require.Equal(t, 10*time.Minute, out.took)
	})
}

func status(code int, body string) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, code, body) }
}

func stream(event string) handler {
	return func(_ int, w http.ResponseWriter, _ *http.Request) { say(w, data(event)) }
}

// endless writes until the client closes the connection.
func endless(w http.ResponseWriter, piece string) {
	for {
		if _, err := w.Write([]byte(piece)); err != nil {
			return
		}
	}
}

func TestAShortRetryAfterIsHonoured(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		headers func() []string
		wait    time.Duration
	}{
		"seconds":           {func() []string { return []string{"Retry-After", "30"} }, 30 * time.Second},
		"parts of a second": {func() []string { return []string{"Retry-After", "0.5"} }, 500 * time.Millisecond},
		"milliseconds": {func() []string { return []string{"Retry-After-Ms", "2500", "Retry-After", "3"} },
			2500 * time.Millisecond},
		"a date": {func() []string {
			return []string{"Retry-After", time.Now().Add(20 * time.Second).UTC().Format(http.TimeFormat)}
		}, 20 * time.Second},
	} {
		bubble(t, name, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n == 1 {
					refuse(w, 429, "", c.headers()...)
					return
				}
				well(w)
			})
			require.NoError(t, out.err)
			within(t, out.took, c.wait, c.wait+c.wait/10)
		})
	}
	for _, nonsense := range []string{"0", "-1", "NaN", "soon", "Mon, 01 Jan 1990 00:00:00 GMT"} {
		bubble(t, nonsense, func(t *testing.T) {
			out := ask(t.Context(), t, llm.Options{}, nil, func(n int, w http.ResponseWriter, _ *http.Request) {
				if n == 1 {
					refuse(w, 503, "", "Retry-After", nonsense)
					return
				}
				well(w)
			})
			require.NoError(t, out.err)
			within(t, out.took, 750*time.Millisecond, 1250*time.Millisecond)
		})
	}
}

func TestALongRetryAfterIsToldToThePerson(t *testing.T) {
	t.Parallel()
	for after, want := range map[string]string{
		"61":                            "Ask again after 00:02 UTC on 1 January.",
		"5400":                          "Ask again after 01:30 UTC on 1 January.",
		"1e300":                         "Ask again after 00:00 UTC on 31 December.",
		"Sat, 01 Jan 2000 12:00:01 GMT": "Ask again after 12:01 UTC on 1 January.",
	} {
		bubble(t, after, func(t *testing.T) {
			// The fake clock begins at midnight UTC on 1 January 2000.
			out := ask(t.Context(), t, llm.Options{}, nil,
				func(_ int, w http.ResponseWriter, _ *http.Request) { refuse(w, 429, "", "Retry-After", after) })
			require.Contains(t, out.userText(t), want)
			require.Len(t, out.requests, 1)
			require.Zero(t, out.took)
		})
	}
}

func TestFailedAttemptsCostToo(t *testing.T) {
	t.Parallel()
	bubble(t, "then an answer", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(n int, w http.ResponseWriter, _ *http.Request) {
			if n == 1 {
				say(w, usage(100, 20, 7), data(`{"error":{"code":502}}`))
				return
			}
			well(w)
		})
		require.NoError(t, out.err)
		require.Equal(t, port.Usage{In: 112, Cached: 28, Out: 10}, out.answer.Usage)
	})
	bubble(t, "and no answer", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{}, nil, func(_ int, w http.ResponseWriter, _ *http.Request) {
			say(w, finish("length"), usage(100, 20, 4000), done)
		})
		var failed *llm.ProviderError
		require.ErrorAs(t, out.err, &failed)
		require.Equal(t, port.Usage{In: 100, Cached: 20, Out: 4000}, failed.Usage)
	})
}

func TestTheErrorForTheLogSaysWhatTheFaultWas(t *testing.T) {
	t.Parallel()
	bubble(t, "log", func(t *testing.T) {
		out := ask(t.Context(), t, llm.Options{Name: "fast"}, nil, status(503, "RAWRAWRAW"))
		require.EqualError(t, out.err, "asking the model fast: unavailable (HTTP 503), attempt 4")
		var failed *llm.ProviderError
		require.ErrorAs(t, out.err, &failed)
		require.True(t, failed.Fallback)
		require.Equal(t, 4, failed.Attempts)
	})
}
