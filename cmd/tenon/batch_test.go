package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func batch(t *testing.T, lines ...string) (code int, answers []string) {
	t.Helper()
	return batchWith(t, nil, lines...)
}

func batchWith(t *testing.T, flags []string, lines ...string) (code int, answers []string) {
	t.Helper()
	var out, errOut strings.Builder
	args := append([]string{"batch"}, flags...)
	code = run(t.Context(), args, strings.NewReader(strings.Join(lines, "\n")), &out, &errOut)
	require.Empty(t, errOut.String())
	return code, strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

func TestBatchAnswersInOrder(t *testing.T) {
	t.Parallel()
	code, answers := batch(t,
		`{"id":"a","files":{"x.txt":"one\ntwo\n","y.txt":"y\n"},"reply":"x.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>`+
			`> REPLACE\n"}`,
		``,
		`{"id":2,"files":{},"reply":"x.txt\n<<<<<<< SEARCH\ntwo\n=======\nzwei\n>>>>>>> REPLACE\n"}`)
	require.Equal(t, exitOK, code, "a block that failed is an answer")
	require.Len(t, answers, 2)
	require.JSONEq(t, `{"id":"a","files":{"x.txt":"one\nzwei\n"},"problems":[],"suggestions":[],
		"results":[{"path":"x.txt","status":"applied","reason":"","detail":"","line":2,"level":1}]}`, answers[0])
	require.Contains(t, answers[1],
		`"id":2,"files":{},"results":[{"path":"x.txt","status":"failed","reason":"file-not-found"`)
}

func TestBatchTellsShellSuggestionsAndProblems(t *testing.T) {
	t.Parallel()
	_, answers := batch(t, `{"id":1,"files":{},"reply":"`+"```bash\\ngit rm old.txt\\n```"+`\nx.txt\n<<<<<<< SEARCH\ntw"}`)
	require.Contains(t, answers[0], `{"command":"git rm old.txt","line":2,"op":{"kind":"remove","paths":["old.txt"]}}`)
	require.Contains(t, answers[0], `"severity":"error"`)
}

func TestBatchAnswersALineThatIsNoRequestAndGoesOn(t *testing.T) {
	t.Parallel()
	code, answers := batch(t, `{"id":7}`, `no JSON`, `{"id":8,"files":{},"reply":""}`)
	require.Equal(t, exitFailed, code)
	require.Len(t, answers, 3)
	require.Equal(t, `{"id":7,"error":"line 1: there is no \"reply\", a string"}`, answers[0])
	require.Contains(t, answers[1], `{"id":null,"error":"line 2: not a JSON object`)
	require.Contains(t, answers[2], `{"id":8,"files":{}`)
}
